"""Notices: word for word, once per cause, and live mentions only of whom the policy names."""

import pytest

from bot.domain.model.record import Held, Merge, MergeRead, Record
from bot.domain.projections import notices
from tests.kit.records import HEAD, OLD_HEAD, PEOPLE, POLICY, at, authorised, decided, in_submit, in_testing, merging
from tests.kit.shows import plain, show


def text(record: Record) -> str:
    (effect,) = notices.due(show(record, at("14:41")))
    body: str = effect.write.body  # type: ignore[union-attr]  # a notice is a comment
    return plain(body).rsplit("\n\n<!--", 1)[0]


def unknown() -> Record:
    merge = Merge(
        state="ambiguous",
        id="r-39",
        attempt="a-1",
        attempts=1,
        method="squash",
        head="b20c7d1e90a4" + "0" * 28,
        base="main",
        requested_at=at("13:47:03"),
        answer="HTTP 502",
        reads=(
            MergeRead(at=at("13:47:35"), merged=False, on_base=False, open=True),
            MergeRead(at=at("13:55:41"), merged=None, on_base=None, why="503"),
            MergeRead(at=at("14:02:35"), merged=False, on_base=False, open=True),
        ),
    )
    return authorised(merge=merge)


def outside() -> Record:
    merge = Merge(
        state="merged",
        external=True,
        merged_by=PEOPLE["lin"],
        merged_at=at("14:40"),
        sha="c0ffee1" + "0" * 33,
        missing=("human gate (submit)", "check build"),
    )
    return in_submit(phase="done", merge=merge)


def ready() -> Record:
    return decided(in_testing(), ("testing", "review", "grace", at("13:40")))


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


def test_a_merge_outside_is_told_once_and_asks_for_nothing() -> None:
    assert (
        text(outside())
        == """\
**`lin` merged this pull request outside Signalbox**, as [`c0ffee1`](https://github.com/octo/app/commit/c0ffee1) at 14:40 UTC.
Missing at that moment: human gate (submit), check `build`. No approval was recorded for them. The record is done and marked as merged outside.
Nothing has to be done here. If it was a mistake, revert it on GitHub."""  # noqa: E501 - the exact text
    )


def test_operators_are_called_when_only_the_human_gate_is_left() -> None:
    assert (
        text(ready())
        == """\
**Ready for the human gate:** everything else for `3f2a91c84e07` is done (plan r2, 4 checks, review by `grace`).
An operator other than `ada` and `grace` opens it with `/gate testing 3f2a91c84e07` after [looking at the change](https://github.com/octo/app/pull/34/files)."""
    )


NOT_DUE = {
    "a review is missing too": in_testing(),
    "everything is complete": authorised(),
    "held": ready().model_copy(update={"held": Held(by=PEOPLE["grace"], since=at("13:45"))}),
    "withdrawn": ready().model_copy(update={"withdrawn": True}),
    "being merged": merging("requested"),
}


@pytest.mark.parametrize("record", NOT_DUE.values(), ids=NOT_DUE.keys())
def test_nobody_is_called_without_a_cause(record: Record) -> None:
    assert notices.due(show(record)) == ()


def test_a_cause_is_named_once_per_head_epoch_and_gate() -> None:
    def once(record: Record) -> str:
        (effect,) = notices.due(show(record))
        return effect.once

    assert once(ready()) == once(ready().model_copy(update={"version": 99}))
    again = ready().model_copy(update={"head_epoch": 4})
    decisions = tuple(d.model_copy(update={"epoch": 4}) if d.head else d for d in again.decisions)
    assert once(ready()) != once(again.model_copy(update={"decisions": decisions}))
    assert HEAD in once(ready())
    assert OLD_HEAD not in once(ready())


def test_the_policy_names_who_is_mentioned_and_nothing_else_is() -> None:
    policy = POLICY.model_copy(update={"notify": ("octo/release", "@omar", "x y @all", *(f"p{n}" for n in range(9)))})
    body = notices.ambiguous(show(unknown(), policy=policy))
    assert body.endswith(" For @octo/release, @omar, @p0, @p1, @p2")


def test_a_labeller_without_the_right_learns_who_may_start() -> None:
    body = notices.labeller(POLICY, "lin", "read")
    assert body.startswith("**Nothing started:** `lin` added the label `signalbox`, but only a builder (`write` ")
    assert "`lin` has `read`" in body


def test_a_required_check_of_another_app_is_told_to_an_operator() -> None:
    body = notices.own_deadlock(show(in_testing()), app=4711)
    assert "They require the check `signalbox` from the App 4711" in body
