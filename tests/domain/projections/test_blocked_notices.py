"""Notices about blocked work: each blocker word for word, with what an operator types for it."""

from bot.domain.model.policy import Policy
from bot.domain.model.record import Budgets, Record
from bot.domain.projections.notices import notices
from bot.domain.projections.status_comment import status_comments
from tests.kit.records import POLICY, linked
from tests.kit.shows import plain, show
from tests.kit.told import (
    ISSUE_GONE,
    MERGED_OUTSIDE,
    OVERDUE,
    QUESTION,
    REFUSED_LONG,
    RELEASE,
    TWO_QUESTIONS,
    USED_UP,
    asked,
    stopped,
    text,
)

ANSWERED = QUESTION.model_copy(
    update={"questions": tuple(q.model_copy(update={"answer": "vault-2"}) for q in QUESTION.questions)}
)


def status(record: Record, policy: Policy) -> str:
    """The status comment on the issue."""
    return plain(status_comments(show(record, policy=policy))[0].text)


def test_a_question_calls_an_operator_with_what_to_type() -> None:
    assert (
        text(QUESTION, RELEASE)
        == """\
**An operator is needed: `forge-1` asks one question, and the work waits for the answer.**

> `Which key store holds the old signing key?`

It was building plan r2: the task cannot read the old key ([evidence](https://signalbox.example/lifecycles/octo/app/12#v7)).
An operator answers with `/answer` and the text, then lets it go on with `/resume building` or an earlier phase. For @octo/release"""  # noqa: E501 - the exact text
    )


def test_several_questions_are_listed_with_their_ids() -> None:
    assert (
        text(TWO_QUESTIONS)
        == """\
**An operator is needed: two questions are open, and the work waits for the answers.**

- `q1` by `forge-1`: `Which key store holds the old signing key?`
- `q2` by `forge-1`: `May the key be rotated? Today?`

It was testing `3f2a91c84e07` ([evidence](https://signalbox.example/lifecycles/octo/app/12#v7)).
An operator answers each one with `/answer`, its id and the text, then lets it go on with `/resume testing` or an earlier phase."""  # noqa: E501 - the exact text
    )


def test_when_everything_is_answered_only_the_word_to_go_on_is_missing() -> None:
    assert (
        text(ANSWERED)
        == """\
**An operator is needed: every question is answered, and the work waits for the word to go on.**
It was building plan r2 ([evidence](https://signalbox.example/lifecycles/octo/app/12#v7)).
An operator lets it go on with `/resume building` or an earlier phase."""
    )


def test_where_builders_may_resume_everything_says_so_and_an_answer_stays_an_operators() -> None:
    ruled = POLICY.model_copy(update={"blocked_recovery": "builder"})
    said = {
        "asked": text(QUESTION, ruled).splitlines()[-1],
        "overdue": text(OVERDUE, ruled).splitlines()[-1],
        "answered": text(ANSWERED, ruled).splitlines()[-1],
        "used up": text(USED_UP, ruled).splitlines()[-1],
    }
    resume = "a builder or an operator lets it go on with `/resume"
    assert said == {
        "asked": f"An operator answers with `/answer` and the text, then {resume} building` or an earlier phase.",
        "overdue": f"An operator sees to the check, then {resume} testing` or an earlier phase.",
        "answered": f"A{resume[1:]} building` or an earlier phase.",
        "used up": text(USED_UP).splitlines()[-1],
    }
    shown = status(ANSWERED, ruled)
    assert "Waiting for **a builder or an operator** to let it go on." in shown
    assert "| To go on | a builder or an operator: comment `/resume building`" in shown
    assert "Waiting for **an operator** to answer one question." in status(QUESTION, ruled)


def test_a_used_up_budget_offers_retry_and_never_resume() -> None:
    assert (
        text(USED_UP)
        == """\
**An operator is needed: the third rejection used up the review cycles of this task (3 of 3).**
The head [`77be01d`](https://github.com/octo/app/commit/77be01d) was rejected by `grace` ([reason](https://github.com/octo/app/pull/44#issuecomment-1044)). No agent will continue by itself ([evidence](https://signalbox.example/lifecycles/octo/app/12#v7)).
An operator allows three more with `/retry`, or withdraws it with `/cancel` and why. A retry approves nothing."""  # noqa: E501 - the exact text
    )


def test_checks_that_went_green_too_often_use_up_their_own_budget() -> None:
    reason = "the checks were run again 20 times for this work"
    record = stopped(linked(budgets=Budgets(check_retries=(20, 20))), "budget", reason)
    assert (
        text(record)
        == """\
**An operator is needed: the checks used up their tries for this work (20 of 20).**
No agent will continue by itself ([evidence](https://signalbox.example/lifecycles/octo/app/12#v7)).
An operator allows 20 more with `/retry`, or withdraws it with `/cancel` and why. A retry approves nothing."""
    )


def test_an_overdue_check_is_named() -> None:
    assert (
        text(OVERDUE)
        == """\
**An operator is needed: check `build` did not report on `3f2a91c` since 30 Nov 2026, 13:02 UTC.**
It was testing `3f2a91c84e07` ([evidence](https://signalbox.example/lifecycles/octo/app/12#v7)). Nothing is merged on a check that did not report.
An operator sees to the check, then lets it go on with `/resume testing` or an earlier phase."""  # noqa: E501 - the exact text
    )


def test_a_merge_that_github_refuses_for_a_day_is_put_before_a_person() -> None:
    assert (
        text(REFUSED_LONG)
        == """\
**An operator is needed: GitHub has refused the merge since 29 Nov 2026, 14:31 UTC: Changes must be verified.**
It was about to merge `3f2a91c84e07` ([evidence](https://signalbox.example/lifecycles/octo/app/12#v7)). A merge by hand would count as outside.
An operator changes what GitHub names, then lets it go on with `/resume submit` or an earlier phase."""  # noqa: E501 - the exact text
    )


def test_a_merge_outside_that_the_policy_blocks_is_settled_by_an_operator() -> None:
    assert (
        text(MERGED_OUTSIDE)
        == """\
**An operator is needed: `lin` merged this outside Signalbox**, as [`c0ffee1`](https://github.com/octo/app/commit/c0ffee1) at 14:40 UTC.
Missing at that moment: human gate (submit), check `build`. No approval was recorded for them.
An operator settles it with `/settle merged` and the 40-digit merge commit; if it was a mistake, revert it on GitHub as well ([evidence](https://signalbox.example/lifecycles/octo/app/12#v7))."""  # noqa: E501 - the exact text
    )


def test_a_gone_issue_is_told_on_the_pull_request() -> None:
    (notice,) = notices(show(ISSUE_GONE))
    assert notice.number == 34
    assert (
        text(ISSUE_GONE)
        == """\
**This pull request cannot go on: the issue was transferred** ([evidence](https://signalbox.example/lifecycles/octo/app/12#v7)).
Its record ends here, and Signalbox will not merge it. No command changes that.
A builder starts anew by adding the label `signalbox` to the issue that takes its place."""
    )


def test_questions_asked_while_something_else_blocks_are_listed_too() -> None:
    assert (
        text(OVERDUE.model_copy(update={"questions": asked("Is the runner down?")}))
        == """\
**An operator is needed: check `build` did not report on `3f2a91c` since 30 Nov 2026, 13:02 UTC.**
It was testing `3f2a91c84e07` ([evidence](https://signalbox.example/lifecycles/octo/app/12#v7)). Nothing is merged on a check that did not report.

- `q1` by `forge-1`: `Is the runner down?`

An operator answers with `/answer` and the text.
An operator sees to the check, then lets it go on with `/resume testing` or an earlier phase."""  # noqa: E501 - the exact text
    )
