"""Old raw deliveries are deleted, a little at a time. Records, history and applied keys are never touched.

A delivery that GitHub repeats after its row is gone is decided again, and changes nothing: what it told is known by its
content.
"""

from datetime import datetime, timedelta

from bot.app.outside import Outside
from bot.ports.store import Tx

#: Rows of one transaction: others wait for it.
BATCH = 200
#: How often there is a look for more.
EVERY = timedelta(hours=1)
#: GitHub lists what it delivered for days; how often it was asked to repeat one is known for longer than that.
REDELIVERIES = timedelta(days=7)


class Retention:
    """`days`: how long a raw delivery that we are done with is kept."""

    def __init__(self, outside: Outside, days: float) -> None:
        self._outside = outside
        self._store = outside.store
        self._age = timedelta(days=days)
        self._due: datetime | None = None
        self._gone = 0

    async def step(self) -> bool:
        """Delete one batch; False when nothing is old enough, and until the next look is due."""
        now = self._outside.clock.now()
        if self._due is not None and now < self._due:
            return False
        gone = await self._store.run(self._batch)
        self._gone += gone
        if gone:
            return True
        if self._gone:
            self._outside.log("info", "deliveries_pruned", count=self._gone, days=self._age / timedelta(days=1))
        self._gone, self._due = 0, now + EVERY
        return False

    def _batch(self, tx: Tx) -> int:
        tx.operating.forget_redeliveries(tx.now() - max(self._age, REDELIVERIES), BATCH)
        return tx.operating.prune(tx.now() - self._age, BATCH)
