"""Defects of calling people: operators outside of GitHub, reviewers on it."""

from tests.rules.mutants.mutant import Mutant

CALLER = "bot/app/calling.py"
HTTP = "bot/bootstrap/calling.py"
NEEDS = "bot/domain/lifecycle/calling.py"
STORY = "scenarios/test_operators_called.py::"

CALLED = (
    Mutant(
        "a call that was not heard is not repeated",
        CALLER,
        "    over = not failure.again or row.attempts + 1 >= MOST_TRIES\n",
        "    over = True\n",
        STORY + "test_an_address_that_does_not_answer_holds_up_nothing_and_is_called_again",
        "an outage of the chat program at the wrong moment, and nobody hears of it",
    ),
    Mutant(
        "an address that refuses is called for ever",
        HTTP,
        "again = answer.status_code >= 500 or answer.status_code in _LATER",
        "again = True",
        STORY + "test_an_address_that_refuses_is_not_called_again",
        "an address that was taken back is called all day",
    ),
    Mutant(
        "a call tells its address when it fails",
        HTTP,
        'raise CallFailed(f"{type(error).__name__} while calling NOTIFY_URL", again=True) from None',
        'raise CallFailed(f"{error} while calling {self._url}", again=True) from None',
        STORY + "test_an_address_that_does_not_answer_holds_up_nothing_and_is_called_again",
        "the secret in the address stands in the log and in the database",
    ),
    Mutant(
        "every record of a suspended installation calls",
        NEEDS,
        '    if need.cause == "suspended":\n',
        "    if False:\n",
        STORY + "test_a_suspended_installation_calls_once_for_all_its_records",
        "a thousand records call at once, and nobody reads any of it",
    ),
    Mutant(
        "a merge that is looked for calls at once",
        NEEDS,
        "merge.window_ends is not None and now >= merge.window_ends",
        "merge.window_ends is not None",
        STORY + "test_a_merge_that_nobody_knows_of_calls_once_its_window_is_over",
        "operators are called for every lost answer that the next look would settle",
    ),
)
