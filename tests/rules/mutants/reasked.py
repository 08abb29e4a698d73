"""Defects of what happens between a merge that was refused or given back and the next request."""

from tests.rules.mutants.mutant import Mutant

RESERVATION = "bot/domain/merging/reservation.py"
MERGING = "bot/domain/lifecycle/merging.py"

REASKED = (
    Mutant(
        "a reservation forgets that it was settled as unmerged",
        RESERVATION,
        "        needs_gate_after=record.merge.needs_gate_after,\n",
        "",
        "domain/lifecycle/test_prerequisites.py"
        "::test_the_human_gate_that_a_settlement_asks_for_is_still_asked_for_when_it_is_taken_back",
        "the gate that led to it is taken back, and it is asked for without any",
    ),
    Mutant(
        "what was asked before binds the next request to its endpoint",
        MERGING,
        'return "sync" if learnt else signal.api',
        'return turn.record.merge.api or ("sync" if learnt else signal.api)',
        "domain/lifecycle/test_merging.py::test_the_next_request_obeys_the_setting_whatever_was_asked_before",
        "an operator's setting means nothing for a record that has asked once",
    ),
    Mutant(
        "where only the asynchronous merge is wanted, what was learnt before counts",
        MERGING,
        "learnt = turn.record.merge.no_async and not turn.facts.async_only",
        "learnt = turn.record.merge.no_async",
        "domain/lifecycle/test_merging.py::test_the_next_request_obeys_the_setting_whatever_was_asked_before",
        "an operator's setting means nothing for a record that has asked once",
    ),
)
