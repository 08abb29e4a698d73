"""An approval speaks about one head and dies with it."""

import pytest
from inline_snapshot import snapshot

from bot.domain.model.ids import RecordKey
from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_pushing_after_approval_asks_for_a_fresh_look(town: Town) -> None:
    """known-faults.md, rows 36 and 124."""
    change = await begun(town, "submit")

    await change.pushes("ada")

    assert (change.phase, change.says, change.waits) == snapshot(
        (
            "testing",
            "**testing** · head `c2` · plan r1 · round 4",
            "Waiting for **a reviewer** and **an operator**. Checks are green.",
        )
    )
    assert (change.check_on("c1"), change.check_on("c2")) == snapshot(
        ("cancelled · replaced by c2", "in_progress · testing: waiting for a reviewer and an operator")
    )
    assert town.merges() == []


async def test_pushing_before_the_last_gate_never_merges_the_old_approvals(town: Town) -> None:
    """known-faults.md, row 24."""
    change = await begun(town, "almost")
    await change.pushes("ada", heard=False)

    said = await change.on_pull("omar", "/gate submit c1")
    await town.later(minutes=2)

    assert change.reply(said) == snapshot(
        """\
Not counted: `/gate submit c1`.
The head moved before it arrived.
You named `c1`; the head is now `c2`, pushed by `ada` at hh:mm UTC.
Nothing was stored.
Look at what changed; if it is right, comment `/gate testing c2`.\
"""
    )
    assert (change.phase, town.merges(), town.asked("merge", "merge_async")) == ("testing", [], 0)


async def test_a_push_between_comment_and_handling_is_answered_with_both_heads(town: Town) -> None:
    """known-faults.md, row 28; threats.md, T1."""
    change = await begun(town, "testing")
    said = await change.on_pull("grace", "/approve testing c1", heard=False)

    await change.pushes("ada")

    assert change.reply(said) == snapshot("""\
Not counted: `/approve testing c1`.
The head moved before it arrived.
You named `c1`; the head is now `c2`, pushed by `ada` at hh:mm UTC.
Nothing was stored.
Look at what changed; if it is right, comment `/approve testing c2`.\
""")
    assert (change.reaction(said), change.row("Review")) == snapshot(
        ("confused", "⏳ Review: 0 of 1 · a reviewer other than `ada`: comment `/approve testing c2`")
    )


async def test_going_back_to_an_approved_head_needs_a_fresh_approval(town: Town) -> None:
    """threats.md, T8."""
    change = await begun(town, "almost")
    await change.pushes("ada")

    await change.pushes_back("ada", "c1")

    assert (change.phase, change.says, change.row("Review"), change.row("Human gate")) == snapshot(
        (
            "testing",
            "**testing** · head `c1` · plan r1 · round 5",
            "⏳ Review: 0 of 1 · a reviewer other than `ada`: comment `/approve testing c1`",
            "⏳ Human gate: 0 of 1 · an operator other than `ada`: comment `/gate testing c1`",
        )
    )
    await change.passes("testing")
    assert (change.phase, change.row("Review"), town.merges()) == snapshot(
        ("submit", "⏳ Review: 0 of 1 · a reviewer other than `ada`: comment `/approve submit c1`", [])
    )


async def test_back_and_forth_between_comment_and_handling_counts_for_nothing(town: Town) -> None:
    change = await begun(town, "testing")
    said = await change.on_pull("grace", "/approve testing c1", heard=False)
    await change.pushes("ada", heard=False)

    await change.pushes_back("ada", "c1")
    change.notices()

    assert (change.reaction(said), change.reply(said)) == snapshot(("+1", None))
    assert change.row("Review") == snapshot(
        "⏳ Review: 0 of 1 · a reviewer other than `ada`: comment `/approve testing c1`"
    )


async def test_a_short_approval_is_bound_to_what_the_comment_showed(town: Town) -> None:
    """threats.md, T1."""
    change = await begun(town, "testing")
    await change.on_pull("grace", "/approve")
    change.notices()
    assert change.row("Review") == snapshot("✅ Review: 1 of 1 · `grace`, hh:mm UTC")
    await change.pushes("ada", heard=False)

    late = await change.on_pull("omar", "/gate")

    assert change.reply(late) == snapshot(
        """\
Not counted: `/gate`.
It was written for testing of `c1`, round 2; now testing of `c2`, round 3 is open.
Nothing was stored.
Repeat it if it still fits.\
"""
    )


async def test_an_approval_for_the_gate_that_is_over_is_named_as_such(town: Town) -> None:
    change = await begun(town, "submit")

    said = await change.on_pull("grace", "/approve testing c1")

    assert change.reply(said) == snapshot(
        """\
Not counted: `/approve testing c1`.
It was written for the gate *testing*; now *submit* of `c1`, round 3, is open.
Nothing was stored.
To judge what is open, comment `/approve submit c1`.\
"""
    )


async def test_an_approval_in_the_second_in_which_its_gate_opened_is_refused(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("grace", "/approve testing c1")
    change.notices()
    await change.on_pull("omar", "/gate testing c1", heard=False)
    early = await change.on_pull("grace", "/approve submit c1", heard=False)

    await town.hears()
    await town.settles()

    assert change.reply(early) == snapshot(
        """\
Not counted: `/approve submit c1`.
It was written before the gate *submit*, round 3, opened at hh:mm UTC, so it cannot speak about it.
Nothing was stored.
Repeat it if it still fits.\
"""
    )
    assert (change.phase, change.row("Review")) == snapshot(
        ("submit", "⏳ Review: 0 of 1 · a reviewer other than `ada`: comment `/approve submit c1`")
    )


async def test_a_rejected_head_goes_back_and_a_new_one_comes_forward(town: Town) -> None:
    change = await begun(town, "testing")

    await change.on_pull("grace", "/reject The retry never ends.")
    assert (change.phase, change.says, change.waits, change.check) == snapshot(
        (
            "building",
            "**building** · plan r1 · last head `c1` was rejected by `grace` (reason)",
            "Waiting for **a builder** to push a new commit.",
            "failure · building: rejected by grace",
        )
    )
    await change.pushes("ada")

    assert (change.phase, change.says) == snapshot(("testing", "**testing** · head `c2` · plan r1 · round 3"))


async def test_a_reject_in_submit_stops_the_merge(town: Town) -> None:
    change = await begun(town, "almost")
    await change.on_pull("omar", "/gate submit c1", heard=False)
    stop = await change.on_pull("grace", "/reject I was wrong.", heard=False)

    await town.hears()
    await town.later(minutes=1)

    assert (change.reaction(stop), change.reply(stop)) == ("+1", None)
    assert (change.phase, town.merges(), town.asked("merge", "merge_async")) == ("building", [], 0)


async def test_a_pull_request_of_several_pushes_is_judged_by_its_last_head(town: Town) -> None:
    """known-faults.md, row 124."""
    change = await begun(town, "testing")
    await change.pushes("ada", heard=False)
    await change.pushes("ada", heard=False)

    await change.pushes("ada")

    assert (change.says, change.check) == snapshot(
        ("**testing** · head `c4` · plan r1 · round 6", "in_progress · testing: waiting for a reviewer and an operator")
    )


async def test_what_was_shown_is_kept_with_github_s_time_and_when_its_answer_was_stored(town: Town) -> None:
    change = await begun(town, "testing")
    key = RecordKey(town.repo.id, change.issue.number)
    rows = await town.store.read(lambda tx: tx.shown.rows(key))

    (status,) = [one for one in change.pull.comments if "signalbox:status" in one.body]
    last = [row for row in rows if row.thread == "pull"][-1]
    assert (last.gate, last.head, last.updated_at) == ("testing", change.pull.head, status.updated_at)
    assert [row for row in rows if row.acknowledged_at is None or row.acknowledged_at < row.updated_at] == []
