"""What people do on GitHub beside Signalbox: merging, closing, retargeting, relabelling, deleting, locking."""

import pytest
from inline_snapshot import snapshot

from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("stage", ["testing", "submit"])
async def test_a_merge_by_hand_is_recorded_as_what_it_was(town: Town, stage: str) -> None:
    """threats.md, T30."""
    change = await begun(town, stage)

    town.world.merges_by_hand("sam", change.pull)
    await town.later(seconds=10)

    assert (change.phase, change.says, change.check) == snapshot(
        ("done", "**done** · merged outside Signalbox by `sam` as `m1`", "cancelled · done: merged outside by sam")
    )
    (told,) = change.notices()
    assert "human gate (submit)" in told
    assert ("human gate (testing)" in told) == (stage == "testing")


async def test_a_merge_by_hand_while_building_invents_no_approval(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("grace", "/reject Not yet.")

    town.world.merges_by_hand("sam", change.pull)
    await town.later(seconds=10)

    assert change.status == snapshot("""\
**done** · merged outside Signalbox by `sam` as `m1`
Missing at that moment: review (testing), human gate (testing), review (submit), human gate (submit).

| Authorised by | Who |
|---|---|
| Plan r1 | `grace` |

History\
""")
    assert change.notices() == snapshot(
        [
            """\
**`sam` merged this pull request outside Signalbox**, as `m1` at hh:mm UTC.
Missing at that moment: review (testing), human gate (testing), review (submit), human gate (submit).
No approval was recorded for them.
The record is done and marked as merged outside.
Nothing has to be done here.
If it was a mistake, revert it on GitHub.\
"""
        ]
    )


async def test_closing_the_pull_request_sends_it_back_and_reopening_asks_for_a_fresh_look(town: Town) -> None:
    """threats.md, T8."""
    change = await begun(town, "almost")

    town.world.closes("ada", change.pull)
    await town.settles()
    assert (change.phase, change.waits, change.row("Pull request")) == snapshot(
        (
            "building",
            "Waiting for **a builder** to reopen the pull request.",
            "❌ Pull request: closed · a builder: reopen #2, or comment `/link #1` on another one",
        )
    )
    town.world.reopens("ada", change.pull)
    await town.settles()

    assert (change.phase, change.row("Review"), town.merges()) == snapshot(
        ("testing", "⏳ Review: 0 of 1 · a reviewer other than `ada`: comment `/approve testing c1`", [])
    )


async def test_retargeting_voids_what_was_judged_for_the_old_base(town: Town) -> None:
    """known-faults.md, row 46; threats.md, T8."""
    change = await begun(town, "almost")
    town.world.branches("ada", town.repo, "stable")
    town.world.requires(town.repo, "build", branch="stable")

    town.world.retargets("ada", change.pull, "stable")
    await town.settles()

    assert (change.phase, change.says, change.row("Review")) == snapshot(
        (
            "testing",
            "**testing** · head `c1` · plan r1 · round 4",
            "⏳ Review: 0 of 1 · a reviewer other than `ada`: comment `/approve testing c1`",
        )
    )


async def test_closing_the_issue_withdraws_and_a_builder_who_reopens_it_revives(town: Town) -> None:
    change = await begun(town, "testing")

    town.world.closes("ada", change.issue)
    await town.settles()
    assert (change.says, change.waits, change.check) == snapshot(
        (
            "**withdrawn** in testing by `ada`",
            (
                "Nothing is awaited. To start again, a builder reopens the issue, or adds the label `signalbox` again "
                "(taking it off first where it is still on)."
            ),
            "cancelled · withdrawn in testing",
        )
    )
    town.world.reopens("ada", change.issue)
    await town.settles()

    assert (change.phase, change.issue_says) == snapshot(("planning", "**planning** · plan r1 was given up"))


async def test_taking_the_label_away_withdraws_only_by_a_builder(town: Town) -> None:
    change = await begun(town, "testing")

    town.world.unlabels("lin", change.issue, "signalbox")
    await town.settles()
    assert "signalbox" in {label.name for label in change.issue.labels}
    town.world.unlabels("ada", change.issue, "signalbox")
    await town.settles()

    assert change.says == snapshot("**withdrawn** in testing by `ada`")


async def test_a_phase_label_changed_by_hand_is_put_right(town: Town) -> None:
    """known-faults.md, row 126; threats.md, T9."""
    change = await begun(town, "testing")
    town.world.labels("lin", change.issue, "signalbox/done")
    town.world.unlabels("lin", change.pull, "signalbox/testing")

    await town.settles()

    assert change.phase == "testing"
    assert [label.name for label in change.pull.labels] == ["signalbox/testing"]


async def test_a_deleted_status_comment_comes_back(town: Town) -> None:
    change = await begun(town, "testing")
    before = change.status
    (ours,) = [one for one in change.pull.comments if one.app is not None]

    town.world.deletes_comment("omar", ours)
    await town.settles()

    assert change.status == before


async def test_an_edited_status_comment_is_put_right(town: Town) -> None:
    change = await begun(town, "testing")
    before = change.status
    (ours,) = [one for one in change.pull.comments if one.app is not None]

    town.world.edits_comment("omar", ours, "All approved.")
    await town.settles()

    assert change.status == before


async def test_on_a_locked_thread_the_check_says_what_the_comment_cannot(town: Town) -> None:
    change = await begun(town, "building")
    await change.opens_pull(heard=False)
    town.world.locks("omar", change.pull)
    await town.settles()

    assert [one.body for one in change.pull.comments] == []
    assert change.check == snapshot("in_progress · testing: waiting for a reviewer and an operator")
    assert change.check_summary == snapshot("""\
**testing** · head `c1` · plan r1 · round 2
Waiting for **a reviewer** and **an operator**. Checks are green.

| Needed for submit | Who and how |
|---|---|
| ✅ Checks: 1 of 1 green | app actions |
| ⏳ Review: 0 of 1 | a reviewer other than `ada`: comment `/approve testing c1` |
| ⏳ Human gate: 0 of 1 | an operator other than `ada`: comment `/gate testing c1` |\
""")
    await change.passes("testing")

    assert (change.phase, change.check) == snapshot(
        ("submit", "in_progress · submit: waiting for a reviewer and an operator")
    )


async def test_done_is_final_and_says_so_once(town: Town) -> None:
    """known-faults.md, row 52."""
    change = await begun(town, "almost")
    await change.merges()

    town.world.reopens("ada", change.issue)
    await town.settles()
    town.world.unlabels("ada", change.issue, "signalbox")
    town.world.labels("ada", change.issue, "signalbox")
    await town.settles()

    assert (change.phase, change.notices()) == snapshot(
        (
            "done",
            [
                """\
This issue is **done**: its pull request is merged, and done is final.
For more work, a builder opens a new issue and adds the label there.\
"""
            ],
        )
    )
