"""Time, identifiers, waiting and concurrency, so that a seeded scheduler can drive the real code."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """Wall clock, aware, UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back. Only differences mean something, only inside one process."""
        ...


class Ids(Protocol):
    def new(self, prefix: str) -> str:
        """A fresh identifier, `prefix-…`, unique for ever and unguessable."""
        ...


class Sleep(Protocol):
    async def __call__(self, seconds: float) -> None: ...


class Nudge(Protocol):
    """Wakes sleeping lanes early. Losing a nudge only delays: every lane also looks by itself."""

    def __call__(self) -> None: ...

    async def wait(self, seconds: float) -> None:
        """Return when nudged, or after `seconds`."""
        ...


class Log(Protocol):
    """One event, named in the past tense, with identifiers only: no user text, bodies or tokens."""

    def __call__(self, level: str, event: str, **fields: object) -> None: ...
