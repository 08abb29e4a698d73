"""More than one attempt: what ends a reservation, and what leads to the other endpoint (LIFECYCLE.md section 3.7)."""

import asyncio

import pytest

from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_a_definitive_no_to_one_attempt_does_not_end_what_another_one_may_still_do(town: Town) -> None:
    town.merge_api = "sync"
    town.steps = town._steps(town.private_key)
    change = await begun(town, "almost")
    await change.reserved()
    doors = [(asyncio.Event(), asyncio.Event()) for _ in range(2)]

    def holds(number: int) -> "asyncio.Task[bool]":
        async def is_held_up() -> None:
            doors[number][0].set()
            await doors[number][1].wait()

        town.just_before("/merge", is_held_up)
        return asyncio.create_task(town.steps["merger"]())  # type: ignore[arg-type]

    first = holds(0)
    await doors[0][0].wait()
    town.steps = town._steps(town.private_key)
    await town.later(minutes=17, stride=60)
    change.notices()
    await change.on_pull("omar", "/settle unmerged The request hangs.")
    await change.on_pull("omar", "/gate submit c1", heard=False)
    await town.hears()
    change.notices()
    second = holds(1)
    await doors[1][0].wait()
    assert await change.merge_state() == "requested"

    town.world.fails("merge", 405, message="At least 1 approving review is required by reviewers with write access.")
    doors[0][1].set()
    await first
    assert await change.merge_state() == "requested", "the no was to the first one"

    doors[1][1].set()
    await second
    await town.later(seconds=10)
    assert (change.phase, town.merges(), town.asked("merge")) == ("done", ["c1 by signalbox[bot]"], 2)
    change.notices()


async def test_where_github_has_no_asynchronous_merge_the_synchronous_one_is_asked_once(town: Town) -> None:
    town.repo.merge_async = False
    change = await begun(town, "almost")

    await change.merges()

    assert (town.asked("merge_async"), town.asked("merge"), change.phase) == (1, 1, "done")
    assert town.merges() == ["c1 by signalbox[bot]"]


@pytest.mark.parametrize("merge_api", ["async"])
async def test_where_only_the_asynchronous_merge_is_wanted_a_404_leads_nowhere_else(town: Town) -> None:
    town.repo.merge_async = False
    change = await begun(town, "almost")

    await change.merges()

    assert (town.asked("merge_async"), town.asked("merge"), town.merges()) == (1, 0, [])
    assert (change.phase, await change.merge_state()) == ("submit", "refused")
