"""Defects of calling people: operators outside of GitHub, reviewers on it."""

from tests.rules.mutants.mutant import Mutant

CALLER = "bot/app/calling.py"
HTTP = "bot/bootstrap/calling.py"
NEEDS = "bot/domain/lifecycle/calling.py"
REVIEWERS = "bot/domain/lifecycle/asking_reviewers.py"
ASKED = "scenarios/test_reviewers_asked.py::"
LACKS = "scenarios/test_permissions.py::"
STORY = "scenarios/test_operators_called.py::"

CALLED = (
    Mutant(
        "nobody is told on GitHub of what it does not say",
        "bot/domain/projections/causes.py",
        'record.merge.reason_code == "unread_for_long" and not',
        "False and not",
        STORY + "test_what_github_does_not_say_for_an_hour_calls_an_operator_and_goes_on_by_itself",
        "without an address outside of GitHub nobody hears that a change waits for ever",
    ),
    Mutant(
        "what GitHub does not say for an hour is nobody's business",
        "bot/domain/lifecycle/following.py",
        "if turn.now - since >= UNREAD_TOO_LONG:",
        "if False:",
        STORY + "test_what_github_does_not_say_for_an_hour_calls_an_operator_and_goes_on_by_itself",
        "a change waits for ever for what GitHub will never say, and its people read that nobody has to do anything",
    ),
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
    Mutant(
        "nobody is called where the App lacks a permission",
        "bot/domain/projections/causes.py",
        "    if need := lacking(record):\n",
        "    if (need := lacking(record)) and False:\n",
        LACKS + "test_an_operator_is_called_where_the_app_may_not_merge_workflow_files",
        "a finished change waits for a permission that nobody was asked for",
    ),
    Mutant(
        "a merge is asked for with the token that was not enough",
        "bot/github/merging.py",
        "        gateway.tokens.lacked(repo)\n",
        "        pass\n",
        LACKS + "test_what_github_refuses_for_want_of_a_permission_is_said_with_the_permission",
        "for an hour every merge is refused for want of what was granted long ago",
    ),
    Mutant(
        "a token from before the permission says that workflows may not be merged",
        "bot/github/facts/pulls.py",
        'await api.may_by_now("workflows")',
        '"workflows" in await api.permissions()',
        LACKS + "test_it_goes_on_by_itself_when_the_permission_is_accepted",
        "for an hour the bot says that it lacks what it has",
    ),
    Mutant(
        "a call for a permission never ends",
        "bot/domain/projections/causes.py",
        "            return not here or not still_lacking(record, permission)\n",
        "            return False\n",
        LACKS + "test_another_head_ends_the_call_for_a_permission",
        "operators are asked for a permission that nothing waits for",
    ),
    Mutant(
        "a team of another owner is asked by its slug",
        REVIEWERS,
        'if owner in {"", here}:',
        "if True:",
        ASKED + "test_a_team_that_the_policy_names_is_asked_as_a_team",
        "whoever happens to be in a team of that name here is called for another one",
    ),
    Mutant(
        "an author is asked to review their own work",
        REVIEWERS,
        "        if number and number not in barred:\n",
        "        if number:\n",
        ASKED + "test_whom_the_policy_names_is_asked_and_nobody_who_may_not_judge_it",
        "GitHub refuses, or somebody is called for a judgement that does not count",
    ),
    Mutant(
        "reviewers are asked again at every change",
        REVIEWERS,
        "    return gate if after.gates_opened.of(gate).round != before.gates_opened.of(gate).round else None\n",
        "    return gate\n",
        ASKED + "test_each_head_and_gate_asks_once_and_a_look_asks_nobody_again",
        "whoever reviewed and did not fill a seat is called again and again",
        twin=Mutant(
            "and the next time under another name",
            REVIEWERS,
            '{after.head_epoch}"\n',
            '{after.head_epoch}:{after.version}"\n',
            ASKED + "test_each_head_and_gate_asks_once_and_a_look_asks_nobody_again",
            "nothing remembers that they were asked",
        ),
    ),
)
