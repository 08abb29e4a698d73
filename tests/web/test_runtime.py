"""The real clock, identifiers and nudges keep what their ports promise."""

import asyncio
import importlib
import json
import sys
from datetime import UTC

import pytest

from bot.bootstrap.lanes import LOOK_AGAIN, REST, Looks, forever
from bot.bootstrap.runtime import EventNudge, SystemClock, SystemIds, Tasks, sleep
from bot.bootstrap.spared import without
from bot.ports.store import CommitUnknown, StoreUnavailable
from tests.web.kit import Lines

pytestmark = pytest.mark.anyio


async def test_the_clock_is_aware_and_its_ticks_never_go_back() -> None:
    clock = SystemClock()
    before = clock.monotonic()

    await sleep(0)

    assert clock.now().tzinfo is UTC
    assert clock.monotonic() >= before


async def test_a_clock_that_is_set_back_goes_on_and_one_that_is_set_forward_is_followed() -> None:
    host = [1_000_000.0, 0.0]
    clock = SystemClock(lambda: host[0], lambda: host[1])
    began = clock.now()

    host[:] = [1_000_000.0 - 7200 + 10, 10.0]
    assert (clock.now() - began).total_seconds() == 10
    host[:] = [1_000_000.0 + 20, 7220.0]
    assert (clock.now() - began).total_seconds() == 7220
    host[:] = [1_000_000.0 + 9000, 7230.0]
    assert (clock.now() - began).total_seconds() == 9000


async def test_identifiers_carry_their_prefix_and_never_repeat() -> None:
    ids = {SystemIds().new("r") for _ in range(1000)}

    assert len(ids) == 1000
    assert all(name.startswith("r-") and len(name) == 34 for name in ids)


async def test_a_nudge_wakes_everybody_who_waits() -> None:
    nudge = EventNudge()
    waiters = [asyncio.create_task(nudge.wait(60)) for _ in range(3)]
    await asyncio.sleep(0)
    nudge()

    await asyncio.wait_for(asyncio.gather(*waiters), 1)


async def test_a_nudge_that_comes_while_a_lane_looks_for_work_is_not_lost_on_it() -> None:
    nudge = EventNudge()
    looks = 0

    async def step() -> bool:
        nonlocal looks
        looks += 1
        if looks == 1:
            nudge()
            await nudge.wait(0.001)
            return False
        raise StopAsyncIteration

    with pytest.raises(StopAsyncIteration):
        await asyncio.wait_for(forever("inbox", step, nudge, Lines()), LOOK_AGAIN / 2)


async def test_a_lane_outlives_a_database_that_does_not_answer() -> None:
    nudge, log = EventNudge(), Lines()
    failures: list[Exception] = [StoreUnavailable("disk full"), CommitUnknown("gone")]

    async def step() -> bool:
        asyncio.get_running_loop().call_soon(nudge)
        if failures:
            raise failures.pop(0)
        raise StopAsyncIteration

    with pytest.raises(StopAsyncIteration):
        await asyncio.wait_for(forever("publisher", step, nudge, log), 60)

    assert [(line["event"], line["lane"], line["why"]) for line in log.kept] == [
        ("lane_waits", "publisher", "disk full"),
        ("lane_waits", "publisher", "gone"),
    ]


async def test_without_a_nudge_waiting_ends_at_its_time() -> None:
    await asyncio.wait_for(EventNudge().wait(0.001), 1)


async def test_a_cancelled_task_is_no_crash() -> None:
    crashes: list[str] = []
    tasks = Tasks(lambda name, _error: crashes.append(name))

    async def waits() -> None:
        await asyncio.Event().wait()

    tasks(waits(), "waiter")
    await asyncio.sleep(0)
    await tasks.stop()

    assert (crashes, tasks.crashed) == ([], False)


async def test_lanes_of_one_kind_that_a_flood_nudges_look_a_few_times_and_not_thousands() -> None:
    nudge, looks, seen = EventNudge(), Looks(), 0

    async def step() -> bool:
        nonlocal seen
        seen += 1
        await nudge.wait(0.0001)
        return False

    lanes = [asyncio.create_task(forever("inbox", step, nudge, Lines(), looks, place)) for place in range(4)]
    began = asyncio.get_running_loop().time()
    floods = 0
    while asyncio.get_running_loop().time() - began < 4 * REST:
        nudge()
        await asyncio.sleep(0)
        floods += 1
    for lane in lanes:
        lane.cancel()
    await asyncio.gather(*lanes, return_exceptions=True)

    assert floods > 1000
    assert 4 <= seen <= 4 * 6


async def test_while_one_lane_works_the_next_of_its_kind_looks_for_more() -> None:
    """A nudge may tell of several things: who is woken last looks too, unless somebody has just found that there is nothing."""
    nudge, looks = EventNudge(), Looks()
    taken = [asyncio.Event(), asyncio.Event()]
    waiting: list[asyncio.Event] = []

    async def step() -> bool:
        if not waiting:
            return False
        waiting.pop().set()
        await asyncio.Event().wait()
        return True

    lanes = [asyncio.create_task(forever("inbox", step, nudge, Lines(), looks, place)) for place in range(4)]
    await nudge.wait(REST)
    waiting += taken
    nudge()
    begun = [asyncio.create_task(one.wait()) for one in taken]
    await asyncio.wait(begun, timeout=LOOK_AGAIN / 2)
    assert [one.done() for one in begun] == [True, True]
    for lane in lanes:
        lane.cancel()
    await asyncio.gather(*lanes, return_exceptions=True)


def test_what_a_package_only_could_use_is_missing_while_it_is_imported_and_there_afterwards() -> None:
    assert "wave" not in sys.modules

    with without("wave", "json"):
        assert importlib.import_module("json") is json
        with pytest.raises(ImportError):
            importlib.import_module("wave")

    assert importlib.import_module("wave").__name__ == "wave"
    del sys.modules["wave"]
