"""Notices: word for word, each cause once, and live mentions only of whom the policy names."""

import pytest
from hypothesis import given

from bot.domain.merging.permission import AND_IT_MAY_NOT, WORKFLOWS
from bot.domain.model.facts import WorkflowFiles
from bot.domain.model.merge import MergeRead
from bot.domain.model.policy import Policy
from bot.domain.model.record import Held, Record
from bot.domain.model.slot_name import SlotName
from bot.domain.projections import notice_texts
from bot.domain.projections.causes import Cause, due
from bot.domain.projections.notices import notices
from bot.domain.projections.show import Show
from tests.kit.records import HEAD, PEOPLE, POLICY, approved, at, authorised, in_submit, in_testing, merging
from tests.kit.shows import show
from tests.kit.some_records import policies, records
from tests.kit.told import QUESTION, RELEASE, asked, change, outside, ready, stopped, text, unknown


def test_an_ambiguous_merge_tells_an_operator_all_evidence() -> None:
    assert (
        text(unknown())
        == """\
**An operator is needed: it is not known whether this pull request was merged.**
Signalbox asked GitHub once, at 13:47:03 UTC, to squash `b20c7d1e90a4` into `main`. The answer was a 502. It has not asked again and will not.

> [!WARNING]
> Until this is settled, do not merge, close or push here.

| Read at (UTC) | Pull request | `main` contains it |
|---|---|---|
| 13:47:35 | open | no |
| 13:55:41 | read failed, 503 | unknown |
| 14:02:35 | open | no |

If it was merged, an operator comments `/settle merged` and the 40-digit merge commit; if not, `/settle unmerged` and why.
The answer is checked against GitHub before it counts. [All evidence](https://signalbox.example/merges#r-39)"""  # noqa: E501 - the exact text
    )


def test_a_read_that_says_nothing_new_changes_no_text() -> None:
    more = (*unknown().merge.reads, MergeRead(at=at("14:03:35"), merged=False, on_base=False, open=True))
    assert text(unknown(reads=more)) == text(unknown())


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("only the pull request shows it", "The pull request shows a merge, and the base does not."),
        ("only the base shows it", "The base shows a merge, and the pull request does not."),
        (
            "GitHub said it was merged, and neither side shows it",
            "GitHub said that it was merged, and neither side shows it.",
        ),
        ("no answer was stored", "There was no answer."),
        ("ReadTimeout", "The answer was `ReadTimeout`."),
    ],
)
def test_a_confirmation_that_does_not_end_is_told_as_what_it_is(answer: str, sentence: str) -> None:
    assert f"into `main`. {sentence} It has not asked again" in text(unknown(answer=answer))


def test_nobody_is_called_before_the_first_look_after_a_lost_answer() -> None:
    assert due(show(unknown(reads=()))) is None


def test_a_merge_outside_is_told_once_and_asks_for_nothing() -> None:
    assert (
        text(outside(), RELEASE)
        == """\
**`lin` merged this pull request outside Signalbox**, as [`c0ffee1`](https://github.com/octo/app/commit/c0ffee1) at 14:40 UTC.
Missing at that moment: human gate (submit), check `build`. No approval was recorded for them. The record is done and marked as merged outside.
Nothing has to be done here. If it was a mistake, revert it on GitHub."""  # noqa: E501 - the exact text
    )


def test_operators_are_called_when_only_the_human_gate_is_left() -> None:
    assert (
        text(ready(), RELEASE)
        == """\
**Ready for the human gate:** everything else for `3f2a91c84e07` is done (plan r2, 4 checks, review by `grace`).
An operator other than `ada` and `grace` opens it with `/gate testing 3f2a91c84e07` after [looking at the change](https://github.com/octo/app/pull/34/files). For @octo/release"""  # noqa: E501 - the exact text
    )


def test_a_doubt_about_ourselves_calls_an_operator() -> None:
    record = in_testing(frozen="instance_conflict")
    assert (
        text(record, history=(change(12, "/frozen", "instance_conflict"),))
        == """\
**An operator is needed: another installation of Signalbox writes here.**
Until that is over nothing that people decide here is counted, and nothing is merged.
An operator can stop one of the two; an hour later it goes on by itself."""
    )
    behind = in_testing(frozen="database_behind")
    told = text(behind, history=(change(12, "/frozen", "database_behind"),))
    way = "put the newest database back; or, if it is lost, comment `/replan` and why, and everything is decided anew."
    assert told.endswith(f"An operator can {way}")


NOT_DUE = {
    "a review is missing too": in_testing(),
    "everything is complete": authorised(),
    "held": ready().model_copy(update={"held": Held(by=PEOPLE["grace"], since=at("13:45"))}),
    "withdrawn": ready().model_copy(update={"withdrawn": True}),
    "withdrawn while blocked": QUESTION.model_copy(update={"withdrawn": True}),
    "suspended": ready().model_copy(update={"frozen": "suspended"}),
    "being merged": merging("requested"),
    "gone, and no pull request to tell it on": stopped(approved(), "issue_gone", "the issue was deleted"),
}


@pytest.mark.parametrize("record", NOT_DUE.values(), ids=NOT_DUE.keys())
def test_nobody_is_called_without_a_cause(record: Record) -> None:
    assert notices(show(record)) == ()


def test_a_turn_is_named_by_thread_gate_head_and_epoch() -> None:
    assert str(due(show(ready()))) == f"turn:34:testing:{HEAD}:3"
    assert due(show(ready().model_copy(update={"version": 99}))) == due(show(ready()))
    assert Cause.read(f"turn:34:testing:{HEAD}:3") == due(show(ready()))


def test_each_question_more_is_a_cause_of_its_own_and_an_answer_is_not() -> None:
    first = QUESTION
    second = first.model_copy(update={"questions": (*first.questions, *asked("x", "y")[1:])})
    answered = first.model_copy(update={"questions": (first.questions[0].model_copy(update={"answer": "vault-2"}),)})
    assert (str(due(show(first))), str(due(show(second)))) == ("blocked:12:7:q1", "blocked:12:7:q2")
    assert due(show(answered)) == due(show(first))


def test_nobody_is_told_again_of_a_merge_that_an_operator_was_asked_to_settle() -> None:
    assert due(show(outside(), told={"outside:12:7:q0": False})) is None
    assert str(due(show(outside()))) == "external:34:merged"


def test_the_policy_names_who_is_mentioned_and_nothing_else_is() -> None:
    policy = POLICY.model_copy(update={"notify": ("octo/release", "@omar", "x y @all", *(f"p{n}" for n in range(9)))})
    assert text(unknown(), policy).endswith(" For @octo/release, @omar, @p0, @p1, @p2")


@given(records(), policies())
def test_a_notice_that_was_just_called_for_is_not_over(record: Record, policy: Policy) -> None:
    looked_at = show(record, at("14:00"), policy)
    cause = due(looked_at)
    if cause is None:
        return
    assert Cause.read(str(cause)) == cause
    standing = Show(**{name: getattr(looked_at, name) for name in Show.__slots__} | {"told": {str(cause): True}})
    (wanted,) = notices(standing)
    assert (wanted.life, wanted.slot) == ("notice", SlotName.notice(cause))


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ("touched", "It changes workflow files ("),
        ("unlisted", "GitHub lists a part of its files only, and it may change workflow files ("),
    ],
)
def test_a_change_that_github_does_not_list_whole_is_not_said_to_change_workflow_files(
    files: WorkflowFiles, said: str
) -> None:
    why = {"reason_code": "needs_workflows_permission", "reason": f"{WORKFLOWS[files]}, {AND_IT_MAY_NOT}"}
    record = in_submit()
    waiting = record.model_copy(update={"merge": record.merge.model_copy(update=why)})

    assert notice_texts.permission(show(waiting)).split("\n")[1].startswith(said)
