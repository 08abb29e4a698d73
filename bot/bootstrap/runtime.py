"""The real clock, identifiers, waiting and concurrency behind `bot.ports.runtime`."""

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

#: What the host's clock differs from a steady one without being set, in seconds: it is steered all the time.
STEERED = 2.0


class SystemClock:
    """Where the host's clock is set back, `now` goes on as before until that has caught up: whatever was planned is due when
    it would have been. A process that starts then knows no better than the host."""

    def __init__(self, wall: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self._told, self._told_at = wall(), monotonic()

    def now(self) -> datetime:
        monotonic = self._monotonic()
        went_on = self._told + monotonic - self._told_at
        wall = self._wall()
        self._told, self._told_at = (wall if wall > went_on - STEERED else went_on), monotonic
        return datetime.fromtimestamp(self._told, UTC)

    def monotonic(self) -> float:
        return self._monotonic()


class SystemIds:
    def new(self, prefix: str) -> str:
        """128 random bits: unique for ever and unguessable."""
        return f"{prefix}-{secrets.token_hex(16)}"


async def sleep(seconds: float) -> None:
    await asyncio.sleep(seconds)


class EventNudge:
    """Wakes everybody who waits. `heard` counts the nudges: who remembers it before looking for work misses none that
    comes while it looks."""

    def __init__(self) -> None:
        self.heard = 0
        self._next = asyncio.Event()

    def __call__(self) -> None:
        self.heard += 1
        self._next.set()
        self._next = asyncio.Event()

    async def wait(self, seconds: float, after: int | None = None) -> None:
        """Until there was a nudge since `heard` was `after` (None = now), or for `seconds`."""
        if after not in {None, self.heard}:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._next.wait()


class SharedNudge(EventNudge):
    """Wakes also who waits in other processes: `ring` tells them."""

    def __init__(self, ring: Callable[[], None]) -> None:
        super().__init__()
        self._ring = ring

    def __call__(self) -> None:
        super().__call__()
        self._ring()

    def from_outside(self, loop: asyncio.AbstractEventLoop) -> None:
        """Another process rang; from any thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(super().__call__)


class Tasks:
    """Runs work beside the caller and remembers it. `on_crash(name, error)` is told what escaped; it ends the process."""

    def __init__(self, on_crash: Callable[[str, BaseException], None]) -> None:
        self._on_crash = on_crash
        self._running: set[asyncio.Task[None]] = set()
        self.crashed = False

    def __call__(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.crashed = True
            self._on_crash(task.get_name(), error)

    async def stop(self) -> None:
        """Cancel what runs and wait for its end. Every step may be cut anywhere: what is stored says how to go on."""
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
