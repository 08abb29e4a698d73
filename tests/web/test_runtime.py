"""The real clock, identifiers and nudges keep what their ports promise."""

import asyncio
from datetime import UTC

import pytest

from bot.bootstrap.runtime import EventNudge, SystemClock, SystemIds, Tasks, sleep

pytestmark = pytest.mark.anyio


async def test_the_clock_is_aware_and_its_ticks_never_go_back() -> None:
    clock = SystemClock()
    before = clock.monotonic()

    await sleep(0)

    assert clock.now().tzinfo is UTC
    assert clock.monotonic() >= before


async def test_identifiers_carry_their_prefix_and_never_repeat() -> None:
    ids = {SystemIds().new("r") for _ in range(1000)}

    assert len(ids) == 1000
    assert all(name.startswith("r-") and len(name) == 34 for name in ids)


async def test_a_nudge_wakes_a_waiter_and_is_kept_for_the_next_one() -> None:
    nudge = EventNudge()
    nudge()

    await asyncio.wait_for(nudge.wait(60), 1)
    waiter = asyncio.create_task(nudge.wait(60))
    await asyncio.sleep(0)
    nudge()

    await asyncio.wait_for(waiter, 1)


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
