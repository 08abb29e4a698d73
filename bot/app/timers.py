"""Records that asked to be looked at again when nothing happens."""

from datetime import timedelta

from bot.app.outside import Outside
from bot.app.transact import Transactor
from bot.domain.model.ids import SIGNALBOX, RecordKey
from bot.domain.model.signals import TimeCame
from bot.ports.store import Tx

#: How long a record whose look failed by a bug of ours is left alone.
SET_ASIDE = timedelta(minutes=10)


class Timers:
    def __init__(self, outside: Outside, transactor: Transactor) -> None:
        self._store = outside.store
        self._log = outside.log
        self._transactor = transactor

    async def step(self) -> bool:
        """Look at one record whose time has come; False when none has."""
        due = await self._store.read(lambda tx: tx.records.due(tx.now(), 1))
        if not due:
            return False
        key = due[0]
        try:
            await self._look(key)
        except Exception as error:  # noqa: BLE001 - our own bug with one record must not stop the others; it is logged
            self._log("error", "look_failed", repository=key.repository_id, issue=key.issue, error=error)
            await self._store.run(lambda tx: tx.records.wake_at(key, tx.now() + SET_ASIDE))
        return True

    async def _look(self, key: RecordKey) -> None:
        loaded = await self._store.read(lambda tx: tx.records.load(key))
        if loaded is not None:
            outcome = await self._transactor.apply(loaded.record.repo, key, TimeCame(key="", actor=SIGNALBOX))
            if outcome.kind == "later":
                await self._store.run(lambda tx: _later(tx, key))


def _later(tx: Tx, key: RecordKey) -> None:
    """GitHub could not say: look again in half a minute, not at once."""
    tx.records.wake_at(key, tx.now() + timedelta(seconds=30))
