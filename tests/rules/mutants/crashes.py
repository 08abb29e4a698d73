"""Defects that only a crash shows."""

from tests.rules.mutants.mutant import Mutant

ONCE = "simulation/test_crash_points.py::test_a_bot_killed_anywhere_ends_in_the_same_place"
TWICE = "simulation/test_crash_pairs.py::test_killed_twice_while_merging_nothing_is_asked_twice"

CRASHES = (
    Mutant(
        "what was asked for is stored without its words",
        "bot/app/attempts.py",
        "            title=order.title,\n            body=order.body,\n",
        "",
        "scenarios/test_asking.py::"
        "test_requested_is_stored_with_attempt_lease_head_method_and_texts_before_a_byte_leaves",
        "after a crash nobody can say which words a merge of ours was asked for with",
    ),
    Mutant(
        "a first comment that may be there is written without a look",
        "bot/app/slots.py",
        'if slot is None or slot.state == "clean" or',
        'if slot is None or slot.remote_id is None or slot.state == "clean" or',
        ONCE,
        "a bot that dies while it writes its first comment leaves two of them",
    ),
    Mutant(
        "a request whose sender died is waited for without end",
        "bot/domain/merging/reservation.py",
        "(merge.lease_ends is None or merge.lease_ends <= now)",
        "merge.lease_ends is None",
        TWICE,
        "a bot that dies before it hears GitHub's answer never says that the outcome is not known",
    ),
    Mutant(
        "a notice that may be there is written without a look",
        "bot/app/slots.py",
        "or _over_for_ever(want, slot):\n                continue",
        'or slot.name.startswith("notice:"):\n                continue',
        "app/test_notices.py::test_a_lost_answer_to_a_notice_makes_no_second_one",
        "a second crash has people called twice",
    ),
)
