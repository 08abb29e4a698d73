"""The world's time: it stands still until somebody moves it, and things that are due happen while it moves."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from itertools import count


class WorldClock:
    """Fits the Clock port too. `now` must be aware; GitHub itself shows whole seconds only (`stamp`)."""

    def __init__(self, now: datetime) -> None:
        self._now = now.astimezone(UTC)
        self._began = self._now
        self._due: list[tuple[datetime, int, Callable[[], None]]] = []
        self._order = count()

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return (self._now - self._began).total_seconds()

    def stamp(self) -> datetime:
        """Now as GitHub writes it: truncated to the second."""
        return self._now.replace(microsecond=0)

    def later(self, seconds: float, action: Callable[[], None]) -> None:
        """Do `action` once `seconds` have passed; never before the clock is moved again."""
        heappush(self._due, (self._now + timedelta(seconds=seconds), next(self._order), action))

    def advance(self, seconds: float) -> None:
        self.move_to(self._now + timedelta(seconds=seconds))

    def move_to(self, now: datetime) -> None:
        """Go on to `now`, doing what falls due on the way in order of time. Never goes back."""
        while self._due and self._due[0][0] <= now:
            due, _, action = heappop(self._due)
            self._now = max(self._now, due)
            action()
        self._now = max(self._now, now)

    def next_due(self) -> datetime | None:
        """When something will happen by itself, so that a waiting test knows how far to move."""
        return self._due[0][0] if self._due else None
