"""A look at every open record from time to time: with no webhook at all everything still happens, later."""

from datetime import datetime, timedelta
from functools import partial

from bot.app.outside import Outside
from bot.ports.store import RecordFilter, Tx

#: Records woken in one step, so that a sweep of many never holds the database long.
BATCH = 50
NAME = "sweep"


class Sweep:
    """`interval` is the time between two looks at the same record, in seconds. One process sweeps at a time."""

    def __init__(self, outside: Outside, interval: float) -> None:
        self._store = outside.store
        self._owner = outside.owner
        self._interval = timedelta(seconds=interval)
        self._next: datetime | None = None

    async def step(self) -> bool:
        """Wake all open records when the interval is over; the timers then look at them one by one."""
        now = await self._store.read(lambda tx: tx.now())
        if self._next is not None and now < self._next:
            return False
        due = self._next is not None
        self._next = now + self._interval
        if not due or not await self._store.run(lambda tx: tx.leases.take(NAME, self._owner, now + self._interval / 2)):
            return False
        after: tuple[int, int] | None = None
        while True:
            after = await self._store.run(partial(_wake, after, now))
            if after is None:
                return True


def _wake(after: tuple[int, int] | None, now: datetime, tx: Tx) -> tuple[int, int] | None:
    found = tx.records.find(RecordFilter(open_only=True, cursor=after, limit=BATCH))
    for loaded in found:
        record = loaded.record
        if not record.withdrawn and record.frozen is None and record.pull_request is not None:
            tx.records.wake_at(record.key, now)
    return found[-1].record.key if len(found) == BATCH else None
