"""A command that is not answered within five seconds shows that it was seen: 👀, once, and before the answer."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest

from tests.kit.change import Change, begun
from tests.kit.town import Killed, Town

pytestmark = pytest.mark.anyio


def reactions(comment: Any) -> list[str]:
    """In the order in which they came."""
    return [one.content for one in comment.reactions]


async def looks(town: Town) -> None:
    """The lanes beside the one that waits for GitHub."""
    for part in ("seen", "effector"):
        while await town.steps_once(part):
            pass


def passing(town: Town, seconds: int) -> Callable[[], Awaitable[None]]:
    """Time in which every other lane works on."""

    async def passes() -> None:
        for _ in range(seconds):
            town.world.clock.advance(1)
            await looks(town)

    return passes


def github_takes(town: Town, seconds: int) -> None:
    """It says only after so long what the next writer may do."""
    town.just_before("/permission", passing(town, seconds))


async def says(town: Town, change: Change, how: str) -> Any:
    """The three kinds of comment in which a command can stand."""
    match how:
        case "comment":
            return await change.on_pull("omar", f"/gate testing {change.head}")
        case "review":
            await change.review("omar", "COMMENTED", town.spelled(f"/gate testing {change.head}"))
            return change.pull.reviews[-1]
        case _:
            line = town.world.comments_on_line("omar", change.pull, town.spelled(f"/gate testing {change.head}"))
            await town.settles()
            return line


@pytest.mark.parametrize("how", ["comment", "review", "line"])
async def test_a_command_that_takes_more_than_five_seconds_is_seen_and_then_answered(town: Town, how: str) -> None:
    change = await begun(town, "testing")
    github_takes(town, 6)
    said = await says(town, change, how)
    assert reactions(said) == ["eyes", "+1"]


async def test_a_command_that_is_answered_in_time_has_one_reaction(town: Town) -> None:
    change = await begun(town, "testing")
    github_takes(town, 4)
    said = await says(town, change, "comment")
    await town.later(minutes=2)
    assert reactions(said) == ["+1"]


async def test_a_command_behind_a_slow_one_is_seen_as_well(town: Town) -> None:
    change = await begun(town, "testing")
    github_takes(town, 6)
    slow = await change.on_pull("grace", f"/approve testing {change.head}", heard=False)
    behind = await change.on_pull("lin", "/gate", heard=False)
    chat = await change.on_pull("ada", "What is /usr for?", heard=False)
    await town.settles()
    said = [told.split(".")[0] for told in change.notices()]
    assert (reactions(slow), reactions(behind), reactions(chat)) == (["eyes", "+1"], ["eyes", "confused"], [])
    assert "Not counted: `/gate`" in said


async def test_what_is_answered_before_the_eyes_could_leave_gets_none(town: Town) -> None:
    change = await begun(town, "testing")
    town.world.fails("react", 503, times=None)
    github_takes(town, 6)
    said = await change.on_pull("omar", f"/gate testing {change.head}", heard=False)
    await town.hears()
    town.world.heals()
    await town.later(minutes=2)
    assert reactions(said) == ["+1"]


async def test_a_restart_neither_forgets_nor_repeats_the_eyes(town: Town) -> None:
    change = await begun(town, "testing")
    town.kills_before("/permission", passing(town, 6))
    said = await change.on_pull("omar", f"/gate testing {change.head}", heard=False)
    with suppress(Killed):
        await town.hears()
    assert reactions(said) == ["eyes"]

    github_takes(town, 6)
    await town.restarts()

    assert reactions(said) == ["eyes", "+1"]
    asked = [request.body for request in town.world.requests if request.operation == "react"]
    assert asked.count({"content": "eyes"}) == 1


async def test_a_command_that_was_answered_is_not_seen_again_when_its_delivery_is_replayed(town: Town) -> None:
    change = await begun(town, "testing")
    said = await says(town, change, "comment")
    for row in await town.store.read(lambda tx: tx.deliveries.list(None, 20, None)):
        await town.store.run(lambda tx: tx.deliveries.put_back(row.guid))  # noqa: B023 - run before the next turn

    await passing(town, 6)()

    assert reactions(said) == ["+1"]
    await town.settles()
