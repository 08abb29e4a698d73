"""Records that asked to be looked at again when nothing happens, and checks that a lost success may still come over."""

from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from bot.app import unheard
from bot.app.aside import Unit, set_aside
from bot.app.late import is_due, look_again
from bot.app.outside import Outside
from bot.app.transact import Transactor
from bot.app.turns import Turns
from bot.domain.lifecycle.results import as_long_again
from bot.domain.lifecycle.waking import earliest
from bot.domain.model.ids import SIGNALBOX, RecordKey
from bot.domain.model.own_signals import NewsWaits, TimeCame
from bot.ports.rows import Loaded
from bot.ports.store import Tx

#: How long a record whose look failed by a bug of ours is left alone.
SET_ASIDE = timedelta(minutes=10)
#: Among so many records that are due one of another installation is looked for.
MOST_DUE = 10_000


class Timers:
    def __init__(self, outside: Outside, transactor: Transactor) -> None:
        self._outside = outside
        self._store = outside.store
        self._transactor = transactor
        self._turns = Turns()
        self._unread: dict[RecordKey, datetime] = {}

    async def step(self) -> bool:
        """Look at one record whose time has come, or have checks looked at; False when nothing has."""
        if await self._store.read(is_due):
            await self._store.run(look_again)
            self._outside.nudge()
            return True
        taken = self._turns.taken
        due = await self._store.read(lambda tx: _due(tx, taken))
        if due is None:
            return False
        with self._turns.take(due.installation_id) as mine:
            if mine:
                await self._take(due.key)
        return True

    async def _take(self, key: RecordKey) -> None:
        try:
            await self._look(key)
        except Exception as error:  # noqa: BLE001 - our own bug with one record must not stop the others; it is logged
            fields = {"repository": key.repository_id, "issue": key.issue}
            unit = Unit("timers", str(key), "look_failed", SET_ASIDE, fields)
            await set_aside(self._outside, unit, error, partial(_not_before, key))

    async def _look(self, key: RecordKey) -> None:
        loaded, since = await self._store.read(lambda tx: _known(tx, key))
        if loaded is not None:
            if since is not None:  # first, since the look itself may need what cannot be read
                await self._transactor.apply(loaded.record.repo, key, NewsWaits(key="", actor=SIGNALBOX))
            outcome = await self._transactor.apply(loaded.record.repo, key, TimeCame(key="", actor=SIGNALBOX))
            if outcome.kind == "later":
                await self._store.run(lambda tx: self._ask_later(tx, key))
            else:
                self._unread.pop(key, None)

    def _ask_later(self, tx: Tx, key: RecordKey) -> None:
        """Where GitHub could not say: since when is known to this process alone, and a new one begins anew."""
        since = self._unread.setdefault(key, tx.now())
        _not_before(key, tx, tx.now() + as_long_again(since, tx.now()))


def _known(tx: Tx, key: RecordKey) -> tuple[Loaded | None, datetime | None]:
    """The record, and since when something that may concern it could not be worked on."""
    loaded = tx.records.load(key)
    return loaded, unheard.of(tx, loaded.record if loaded is not None else None).since


class _Due(NamedTuple):
    key: RecordKey
    installation_id: int


def _due(tx: Tx, without: frozenset[int]) -> _Due | None:
    """The record that is due longest, of other installations than these; 0 = of one that is not known."""
    known: dict[int, int] = {}
    for key in tx.records.due(tx.now(), MOST_DUE if without else 1):
        if key.repository_id not in known:
            repo = tx.repositories.get(key.repository_id)
            known[key.repository_id] = repo.installation_id if repo else 0
        if known[key.repository_id] not in without:
            return _Due(key, known[key.repository_id])
    return None


def _not_before(key: RecordKey, tx: Tx, at: datetime) -> None:
    """Not at once; but a look that somebody asked for meanwhile, and that comes sooner, stays."""
    asked = tx.records.wakes_at(key)
    tx.records.wake_at(key, at if asked is None or asked <= tx.now() else earliest(asked, at))
