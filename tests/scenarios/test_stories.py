"""Stories in which bots of this kind merge the wrong thing."""

import pytest
from inline_snapshot import snapshot

from bot.simulator.webhooks import headers
from tests.kit.change import begun
from tests.kit.town import SECRET, Town

pytestmark = pytest.mark.anyio


async def test_two_operators_gate_at_testing_and_the_late_one_does_not_open_submit(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("grace", "/approve testing c1")
    change.notices()
    await change.on_pull("omar", "/gate", heard=False)
    late = await change.on_pull("sam", "/gate", heard=False)

    await town.settles()

    assert (change.phase, change.row("Human gate"), change.reply(late)) == snapshot(
        (
            "submit",
            "⏳ Human gate: 0 of 1 · an operator other than `ada`: comment `/gate submit c1`",
            """\
Not counted: `/gate`.
It was written for testing of `c1`, round 2; now submit of `c1`, round 3 is open.
Nothing was stored.
Repeat it if it still fits.\
""",
        )
    )


async def test_two_operators_name_the_gate_and_the_late_one_opens_nothing_else(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("grace", "/approve testing c1")
    change.notices()
    await change.on_pull("omar", "/gate testing c1", heard=False)
    late = await change.on_pull("sam", "/gate testing c1", heard=False)

    await town.settles()

    assert change.row("Human gate").startswith("⏳ Human gate: 0 of 1")
    assert (change.reply(late) or "").startswith("Not counted")


@pytest.mark.parametrize("native", [False, True])
async def test_a_reject_written_for_testing_and_handled_in_submit_stops_the_merge(town: Town, native: bool) -> None:
    change = await begun(town, "testing")
    await change.on_pull("grace", "/approve testing c1")
    change.notices()
    if native:
        town.world.reviews("grace", change.pull, "CHANGES_REQUESTED", "It leaks.")
    else:
        await change.on_pull("grace", "/reject It leaks.", heard=False)
    (late,) = town.world.hooks.take()
    await change.on_pull("omar", "/gate testing c1")
    await change.on_pull("sam", "/approve submit c1")
    change.notices()
    await change.on_pull("omar", "/gate submit c1", heard=False)
    await town.hears()

    await town.post(late.body, headers(town.world, late, SECRET))
    await town.later(minutes=1)

    assert (change.phase, town.merges(), town.asked("merge", "merge_async")) == ("building", [], 0)


async def test_an_approval_delayed_over_a_reject_and_a_new_candidate_does_not_count(town: Town) -> None:
    change = await begun(town, "testing")
    said = await change.on_pull("grace", "/approve testing c1", heard=False)
    (late,) = town.world.hooks.take()
    await change.on_pull("omar", "/reject Not yet.")
    await change.on_pull("ada", "/candidate c1")
    assert change.phase == "testing"

    await town.post(late.body, headers(town.world, late, SECRET))
    await town.settles()

    assert (change.row("Review"), change.reply(said)) == snapshot(
        (
            "⏳ Review: 0 of 1 · a reviewer other than `ada`: comment `/approve testing c1`",
            """\
Not counted: `/approve testing c1`.
It was written before the gate *testing*, round 3, opened at hh:mm UTC, so it cannot speak about it.
Nothing was stored.
Repeat it if it still fits.\
""",
        )
    )


async def test_a_replayed_old_body_with_a_new_guid_does_nothing(town: Town) -> None:
    """threats.md, T3."""
    change = await begun(town, "testing")
    bodies = []
    await change.on_pull("grace", "/approve testing c1", heard=False)
    bodies += town.world.hooks.take()
    for hook in bodies:
        await town.post(hook.body, headers(town.world, hook, SECRET))
    await change.on_pull("grace", "/revoke")
    before = len((await town.api(f"{change.repo_path}/history"))["items"])

    for hook in bodies:
        hook.guid = f"replayed-{hook.guid}"
        assert await town.post(hook.body, headers(town.world, hook, SECRET)) == 202
    await town.settles()

    assert len((await town.api(f"{change.repo_path}/history"))["items"]) == before
    assert change.row("Review").startswith("⏳ Review: 0 of 1")
    change.notices()


async def test_every_body_of_a_finished_change_replayed_does_nothing(town: Town) -> None:
    change = await begun(town, "almost")
    await change.merges()
    before = await town.api(f"{change.repo_path}/history")

    for hook in list(town.world.hooks.log):
        hook.guid = f"replayed-{hook.guid}"
        await town.post(hook.body, headers(town.world, hook, SECRET))
    await town.later(minutes=1, stride=30)

    assert await town.api(f"{change.repo_path}/history") == before
    assert town.merges() == ["c1 by signalbox[bot]"]


@pytest.mark.parametrize("merge_api", ["async", "sync"])
async def test_an_ambiguous_merge_does_not_stop_another_record_on_the_same_base(town: Town) -> None:
    first, second = await begun(town, "almost"), await begun(town, "almost", "Faster parser")
    await first.unknown()

    await second.merges()

    assert (town.merges(), await first.merge_state(), second.phase) == (["c2 by signalbox[bot]"], "ambiguous", "done")
