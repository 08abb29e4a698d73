"""The real clock, identifiers and nudges keep what their ports promise."""

import asyncio
from datetime import UTC

import pytest

from bot.bootstrap.lanes import LOOK_AGAIN, forever
from bot.bootstrap.runtime import EventNudge, SystemClock, SystemIds, Tasks, sleep
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
