"""Several changes at once, and the same thing several times."""

import pytest
from inline_snapshot import snapshot

from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_two_changes_on_one_base_merge_one_after_the_other(town: Town) -> None:
    town.world.merge_async_seconds = 20
    first, second = await begun(town, "almost"), await begun(town, "almost", "Faster parser")

    await first.on_pull("omar", "/gate submit c1")
    await second.on_pull("omar", "/gate submit c2")
    assert (town.asked("merge_async"), second.waits) == snapshot(
        (1, "Nobody needs to do anything. Waiting for GitHub: another merge into main is under way.")
    )
    await town.later(minutes=2)

    assert town.merges() == ["c1 by signalbox[bot]", "c2 by signalbox[bot]"]
    assert (first.phase, second.phase, town.asked("merge_async")) == ("done", "done", 2)


async def test_a_change_of_unknown_outcome_does_not_stop_the_next_one(town: Town) -> None:
    first, second = await begun(town, "almost"), await begun(town, "almost", "Faster parser")
    town.world.loses_answer_to("merge", landed=False)
    await first.merges()
    first.notices()

    await second.merges()

    assert (first.phase, second.phase, town.merges()) == ("submit", "done", ["c2 by signalbox[bot]"])


async def test_one_commit_is_not_merged_for_two_pull_requests(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.force_pushes("ada", town.repo, "twin", sha=change.pull.head)
    twin = town.world.opens_pull("ada", town.repo, "The same commit", head="twin")

    await change.merges()
    assert (town.merges(), change.waits, change.row("Merge")) == snapshot(
        (
            [],
            "Waiting for **an operator**: `#3 has the same head, and one commit can be judged for one pull request only`.",
            "❌ Merge: `#3 has the same head, and one commit can be judged for one pull request only` · an operator: change what is named",
        )
    )
    town.world.closes("ada", twin)
    await town.later(minutes=2)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


@pytest.mark.parametrize("fresh_guids", [False, True])
async def test_twenty_copies_of_one_approval_count_once(town: Town, fresh_guids: bool) -> None:
    change = await begun(town, "testing")
    before = len((await town.api(f"{change.repo_path}/history"))["items"])
    said = await change.on_pull("grace", "/approve testing c1", heard=False)

    answers = await town.delivers_each(20, fresh_guids=fresh_guids)
    await town.settles()

    assert answers == [202] * 20
    assert len((await town.api(f"{change.repo_path}/history"))["items"]) == before + 1
    assert (change.reaction(said), change.row("Review"), len(change.notices())) == snapshot(
        ("+1", "✅ Review: 1 of 1 · `grace`, hh:mm UTC", 1)
    )


async def test_twenty_copies_of_one_refused_command_are_answered_once(town: Town) -> None:
    change = await begun(town, "testing")
    said = await change.on_pull("ada", "/approve testing c1", heard=False)

    await town.delivers_each(20, fresh_guids=True)
    await town.settles()

    assert (change.reaction(said), len(town.unread(change.pull))) == ("confused", 1)
    assert change.reply(said) is not None


async def test_deliveries_in_any_order_and_twice_end_in_the_same_place(town: Town) -> None:
    town.world.reorders_webhooks()
    town.world.duplicates_webhooks(same_guid=False)
    change = await begun(town, "almost")

    await change.merges()

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])
    change.notices()
