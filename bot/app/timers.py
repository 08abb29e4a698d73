"""Records that asked to be looked at again when nothing happens, and checks that a lost success may still come over."""

from datetime import datetime, timedelta
from functools import partial

from bot.app.aside import Unit, set_aside
from bot.app.base_lock import earlier
from bot.app.late import is_due, look_again
from bot.app.outside import Outside
from bot.app.transact import Transactor
from bot.domain.model.ids import SIGNALBOX, RecordKey
from bot.domain.model.signals import TimeCame
from bot.ports.store import Tx

#: How long a record whose look failed by a bug of ours is left alone.
SET_ASIDE = timedelta(minutes=10)
#: How soon GitHub is asked again where it could not say.
AGAIN = timedelta(seconds=30)


class Timers:
    def __init__(self, outside: Outside, transactor: Transactor) -> None:
        self._outside = outside
        self._store = outside.store
        self._transactor = transactor

    async def step(self) -> bool:
        """Look at one record whose time has come, or have checks looked at; False when nothing has."""
        if await self._store.read(is_due):
            await self._store.run(look_again)
            self._outside.nudge()
            return True
        due = await self._store.read(lambda tx: tx.records.due(tx.now(), 1))
        if not due:
            return False
        key = due[0]
        try:
            await self._look(key)
        except Exception as error:  # noqa: BLE001 - our own bug with one record must not stop the others; it is logged
            fields = {"repository": key.repository_id, "issue": key.issue}
            unit = Unit("timers", str(key), "look_failed", SET_ASIDE, fields)
            await set_aside(self._outside, unit, error, partial(_not_before, key))
        return True

    async def _look(self, key: RecordKey) -> None:
        loaded = await self._store.read(lambda tx: tx.records.load(key))
        if loaded is not None:
            outcome = await self._transactor.apply(loaded.record.repo, key, TimeCame(key="", actor=SIGNALBOX))
            if outcome.kind == "later":
                await self._store.run(lambda tx: _not_before(key, tx, tx.now() + AGAIN))


def _not_before(key: RecordKey, tx: Tx, at: datetime) -> None:
    """Not at once; but a look that somebody asked for meanwhile, and that comes sooner, stays."""
    asked = tx.records.wakes_at(key)
    tx.records.wake_at(key, at if asked is None or asked <= tx.now() else earlier(asked, at))
