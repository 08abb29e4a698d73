"""Closures that wait for the writer thread: intake in front, everything else behind."""

import threading
from collections import deque
from collections.abc import Sequence

from bot.store.jobs import Job

#: The most closures of one COMMIT; past 32 syncing costs next to nothing.
GROUP_SIZE = 64
#: Places of a group that a flood of intake cannot take, so that work goes on.
_KEPT_FREE = 8


class Waiting:
    """Thread-safe. After `close` nothing more is accepted; what waits is still handed out."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._first: deque[Job] = deque()
        self._rest: deque[Job] = deque()
        self._closed = False

    def put(self, job: Job, first: bool) -> bool:
        """False when closed."""
        with self._changed:
            if self._closed:
                return False
            (self._first if first else self._rest).append(job)
            self._changed.notify()
            return True

    def take(self, seconds: float | None) -> list[Job] | None:
        """The next group, in order; empty after `seconds` without any; None when closed and drained."""
        with self._changed:
            if not (self._first or self._rest or self._closed):
                self._changed.wait(seconds)
            group = [self._first.popleft() for _ in range(min(len(self._first), self._places()))]
            group += [self._rest.popleft() for _ in range(min(len(self._rest), GROUP_SIZE - len(group)))]
            return None if self._closed and not group else group

    def put_back(self, jobs: Sequence[Job]) -> None:
        """Jobs whose group was full before their turn: they are the next."""
        with self._changed:
            self._first.extendleft(reversed(jobs))

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _places(self) -> int:
        return GROUP_SIZE - min(len(self._rest), _KEPT_FREE)
