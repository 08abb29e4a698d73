"""Records that asked to be looked at again when nothing happens."""

from datetime import timedelta

from bot.app.transact import Transactor
from bot.domain.model.ids import SIGNALBOX, RecordKey
from bot.domain.model.signals import TimeCame
from bot.ports.store import Store, Tx


class Timers:
    def __init__(self, store: Store, transactor: Transactor) -> None:
        self._store = store
        self._transactor = transactor

    async def step(self) -> bool:
        """Look at one record whose time has come; False when none has."""
        due = await self._store.read(lambda tx: tx.records.due(tx.now(), 1))
        if not due:
            return False
        key = due[0]
        loaded = await self._store.read(lambda tx: tx.records.load(key))
        if loaded is not None:
            outcome = await self._transactor.apply(loaded.record.repo, key, TimeCame(key="", actor=SIGNALBOX))
            if outcome.kind == "later":
                await self._store.run(lambda tx: _later(tx, key))
        return True


def _later(tx: Tx, key: RecordKey) -> None:
    """GitHub could not say: look again in half a minute, not at once."""
    tx.records.wake_at(key, tx.now() + timedelta(seconds=30))
