"""By how much the host's clock was set since a merge was asked for, as far as this process can know: by its monotonic clock.
The window in which a request may still land ends by real time, not because somebody set the clock.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from bot.domain.model.merge import Merge
from bot.ports.runtime import Clock

#: What the two clocks differ by without being set: the host's is steered all the time.
STEERED = timedelta(seconds=2)
#: How many jumps are remembered.
MOST_JUMPS = 50


class _Jump(NamedTuple):
    by: timedelta
    to: datetime


class Steady:
    """`longest`: no window is longer."""

    def __init__(self, clock: Clock, longest: timedelta) -> None:
        self._clock = clock
        self._longest = longest
        self._wall, self._monotonic = clock.now(), clock.monotonic()
        self._jumps: list[_Jump] = []

    def ahead(self, merge: Merge) -> timedelta:
        """What has to be taken from the host's clock for the time that has really passed since the request. A window that
        seems to be longer than any was written before the clock was set back, maybe by a process that is gone."""
        now, asked = self._look(), merge.requested_at
        if asked is None or merge.window_ends is None:
            return timedelta(0)
        ahead = sum((jump.by for jump in self._jumps if asked < jump.to or asked > now), timedelta(0))
        left = merge.window_ends - (now - ahead)
        return ahead - max(left - self._longest, timedelta(0))

    def _look(self) -> datetime:
        wall, monotonic = self._clock.now(), self._clock.monotonic()
        jumped = wall - self._wall - timedelta(seconds=monotonic - self._monotonic)
        if abs(jumped) > STEERED:
            self._jumps = [*self._jumps[-MOST_JUMPS + 1 :], _Jump(jumped, wall)]
        self._wall, self._monotonic = wall, monotonic
        return wall
