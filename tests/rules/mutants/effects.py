"""Defects of what is done once: what may have happened is done again, refused, or given up."""

from tests.rules.mutants.mutant import Mutant

EFFECTS = "bot/app/effects.py"
TESTS = "app/test_effects.py"
LATE = f"{TESTS}::test_a_reply_that_lands_late_is_there_once_and_never_called_refused"

FIRST = "scenarios/test_invariants.py::test_i24_no_reaction_and_no_reply_goes_before_the_success_that_must_go"

WITHDRAWN = f"{TESTS}::test_an_effect_that_is_withdrawn_while_it_is_on_its_way_does_not_come_back"

DONE_ONCE = (
    Mutant(
        "an effect that was withdrawn comes back to be tried again",
        "bot/store/outbox.py",
        '_REST = _SET.where(table.c.state == "sent", table.c.attempts == bindparam("attempt"))',
        '_REST = _SET.where(table.c.attempts == bindparam("attempt"))',
        WITHDRAWN,
        "people are told what is no longer true",
    ),
    Mutant(
        "an effect that was withdrawn comes back as refused",
        EFFECTS,
        'if row.state != "unknown" and not tx.effects.extend(row.id, row.attempts + 1, tx.now()):',
        "if row.attempts < 0:",
        WITHDRAWN,
        "the check run carries what is no longer true, as a comment that GitHub did not take",
    ),
    Mutant(
        "a reaction goes before the success that must go",
        EFFECTS,
        "tx.effects.next(tx.now(), taken, must_go(tx, self._policies))",
        "tx.effects.next(tx.now(), taken, ())",
        FIRST,
        "success stands for as long as GitHub takes for whatever else is written",
    ),
    Mutant(
        "a success that authority lost may stay for a while",
        "bot/app/success.py",
        "or not may_succeed(loaded.record, ruled.policy):",
        "or not may_succeed(loaded.record, ruled.policy) and False:",
        FIRST,
        "success stands for as long as GitHub takes for whatever else is written",
    ),
    Mutant(
        "what may have left is tried again at once",
        EFFECTS,
        "_after_one_more(row), max(_wait_after(row), AFTERMATH)",
        "_after_one_more(row), _wait_after(row)",
        LATE,
        "people are answered twice, or a reply that is there is called refused",
    ),
    Mutant(
        "a try that never left makes an earlier one forgotten",
        EFFECTS,
        "_ended(tx, row, row.state, note, tx.now() + wait)",
        '_ended(tx, row, "planned", note, tx.now() + wait)',
        f"{LATE}[13-unreachable]",
        "people are answered twice",
    ),
    Mutant(
        "a pause that GitHub asks for is a try",
        EFFECTS,
        "row.state, note, failure.until, tried=False)",
        "row.state, note, failure.until, tried=True)",
        f"{TESTS}::test_github_may_ask_for_pauses_as_often_as_it_likes",
        "after a day of pauses a reply is given up at its first failure",
    ),
    Mutant(
        "a lost write is something to look at some day",
        EFFECTS,
        'self._told("error" if over else "warning",',
        'self._told("warning",',
        f"{TESTS}::test_what_nobody_knows_of_is_a_warning_while_it_is_looked_for_and_an_error_when_it_is_given_up",
        "whoever is alerted of errors never hears that a reply is missing",
    ),
    Mutant(
        "what GitHub refuses is something to look at some day",
        EFFECTS,
        'level = "error" if _is_missed(row, failure) else "warning"',
        'level = "warning"',
        f"{TESTS}::test_what_github_refuses_is_refused_and_not_tried_again",
        "whoever is alerted of errors never hears that a reply is missing",
    ),
    Mutant(
        "a branch that stays because somebody needs it is a lost write",
        EFFECTS,
        "return not isinstance(failure, Gone) and not isinstance(row.effect.write, DeleteBranch)",
        "return not isinstance(failure, Gone)",
        "scenarios/test_branch_deletion.py::test_a_branch_from_which_another_pull_request_comes_stays",
        "operators are alerted of what is as it should be",
    ),
)
