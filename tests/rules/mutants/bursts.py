"""Defects of the rule that one reading serves a burst."""

from tests.rules.mutants.mutant import Mutant

READINGS = "bot/app/readings.py"
GATHER = "bot/app/gather.py"
TOLD = "app/test_readings.py::"

BURSTS = (
    Mutant(
        "a reading that began before a delivery came is used for it",
        READINGS,
        "arrival.own is None or arrival.own > known.newest",
        "arrival.own is None",
        "scenarios/test_bursts.py::test_a_check_that_turns_red_while_it_is_read_stops_the_head",
        "a red check is heard by a reading that does not show it yet, and is never seen",
    ),
    Mutant(
        "what no delivery told is judged by what was read before",
        READINGS,
        "arrival.own is None or arrival.own > known.newest",
        "(arrival.own or 0) > known.newest",
        f"{TOLD}test_what_is_no_hint_is_read_for_anew",
        "commands, looks and merges are decided by facts that are no longer true",
    ),
    Mutant(
        "what is to be done is done by a reading of somebody else's",
        GATHER,
        "if says_nothing(result):",
        "if result:",
        f"{TOLD}test_whatever_is_to_be_done_is_decided_on_a_reading_of_its_own",
        "a record moves by facts that were read before it was what it is",
    ),
    Mutant(
        "what is to be looked at again is looked at no more",
        READINGS,
        " and result.look_at is None",
        "",
        f"{TOLD}test_whatever_is_to_be_done_is_decided_on_a_reading_of_its_own",
        "a look is planned by facts that were read before it was asked for",
    ),
    Mutant(
        "a reading serves for ever",
        READINGS,
        "known.began > FRESH or",
        "known.began > FRESH * 999 or",
        f"{TOLD}test_a_reading_serves_for_a_few_seconds",
        "a hint that was put off for long is judged by what was true long ago",
    ),
    Mutant(
        "a database that was exchanged keeps the order of the one before",
        READINGS,
        " or known.copy != self._store.exchanges",
        "",
        f"{TOLD}test_another_copy_of_the_database_has_another_order",
        "after a failover what came later has a lower number, and a reading from before serves it",
    ),
    Mutant(
        "who may do what is remembered",
        READINGS,
        "SHARED = (PullOf, RulesOf, ChecksOn)",
        "SHARED = (Question,)",
        f"{TOLD}test_who_may_do_what_is_always_read_anew",
        "somebody who lost a role keeps it for a burst",
    ),
)
