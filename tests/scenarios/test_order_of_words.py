"""Words that only the sweep finds are heard in the order in which they were written (LIFECYCLE.md 2.5, 5, I14)."""

from collections.abc import Callable

import pytest

from bot.simulator.model.threads import Comment
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def lost(town: Town, stops: Callable[[Change], object]) -> Change:
    """A stop, and after it the last gate, that no webhook tells of."""
    change = await begun(town, "almost")
    await town.later(minutes=6, stride=60)  # the first sweep is over
    town.world.drops_webhooks(logged=False)
    town.world.clock.advance(5)
    stops(change)
    town.world.clock.advance(5)
    await change.on_pull("omar", f"/gate submit {change.head}", heard=False)
    await town.settles()
    town.world.heals()
    return change


def requests_changes(change: Change) -> None:
    change.town.world.reviews("sam", change.pull, "CHANGES_REQUESTED", "this loses data")


def rejects_on_a_line(change: Change) -> None:
    change.town.world.comments_on_line("grace", change.pull, "/reject this loses data")


async def other_lanes(town: Town) -> None:
    """What the lanes of the publisher and the merger do while the sweep waits for GitHub."""
    while await town.steps_once("publisher") or await town.steps_once("merger"):
        pass


@pytest.mark.parametrize(("stops", "end"), [(requests_changes, "/reviews"), (rejects_on_a_line, "/comments")])
async def test_an_older_stop_is_heard_before_the_gate_that_was_written_after_it(
    town: Town, stops: Callable[[Change], object], end: str
) -> None:
    change = await lost(town, stops)
    town.just_before(f"/pulls/{change.pull.number}{end}", lambda: other_lanes(town))

    await town.later(minutes=7, stride=60)

    assert (town.merges(), change.phase) == ([], "building")
    change.notices()


async def test_a_no_that_was_found_with_the_gate_is_heard_before_the_merge(town: Town) -> None:
    """omar opens the gate, then sam requests changes. The gate is heard first, and the other lanes do not wait for GitHub."""
    change = await lost(town, lambda _change: None)
    town.world.drops_webhooks(logged=False)
    requests_changes(change)
    await town.settles()
    town.world.heals()
    town.just_before("/collaborators/sam/permission", lambda: other_lanes(town))

    await town.later(minutes=7, stride=60)

    assert (town.merges(), change.phase) == ([], "building")
    change.notices()


@pytest.mark.parametrize(("stops", "where"), [(requests_changes, "reviews"), (rejects_on_a_line, "review_comments")])
async def test_a_list_that_cannot_be_read_holds_the_gate_that_was_found(
    town: Town, stops: Callable[[Change], object], where: str
) -> None:
    change = await lost(town, stops)
    town.world.fails(where, 502, times=None)
    await town.later(minutes=7, stride=60)
    assert (town.merges(), await change.merge_state()) == ([], "none")
    town.world.heals()
    await town.later(minutes=2, stride=60)
    assert (town.merges(), change.phase) == ([], "building")
    change.notices()


async def test_a_stop_counts_though_another_list_cannot_be_read_and_a_yes_beside_it_does_not(town: Town) -> None:
    held: list[Comment] = []

    def holds_and_offers(change: Change) -> None:
        held.append(town.world.comments("sam", change.pull, town.spelled("/approve submit c1\n/hold not today")))

    change = await lost(town, holds_and_offers)
    town.world.fails("reviews", 502, times=None)

    await town.later(minutes=7, stride=60)

    assert (await change.merge_state(), change.waits[:15]) == ("none", "Held by `sam` s")
    assert "What was said here before it could not be read" in (change.reply(held[0]) or "")
    assert change.row("Human gate").startswith("⏳")
