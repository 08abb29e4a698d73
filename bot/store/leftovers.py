"""Looking for what a process that is gone has left."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import or_, select

from bot.domain.model.ids import RecordKey
from bot.ports.leftovers import Claimed, Unshown
from bot.ports.rows import EffectRow
from bot.store import outbox
from bot.store.leases import ABANDONED
from bot.store.moments import moment
from bot.store.sql import Sql
from bot.store.sweep_tables import sweeps
from bot.store.tables import deliveries, effects, leases, records, repositories

_DELIVERIES = (
    select(deliveries.c.guid, deliveries.c.until).where(deliveries.c.until.is_not(None)).order_by(deliveries.c.id)
)
_SWEEPS = (
    select(repositories.c.owner.concat("/").concat(repositories.c.name), sweeps.c.claimed_until)
    .join(sweeps, sweeps.c.id == repositories.c.id)
    .where(sweeps.c.claimed_until.is_not(None))
    .order_by(repositories.c.id)
)
_HOLDS = select(leases.c.name, leases.c.until).where(ABANDONED).order_by(leases.c.name)
_EFFECTS = (
    select(*outbox.COLUMNS).where(or_(effects.c.state == "sent", effects.c.state == "unknown")).order_by(effects.c.id)
)
_UNSHOWN = (
    select(records.c.repository_id, records.c.issue, records.c.dirty_since)
    .where(records.c.dirty_since.is_not(None))
    .order_by(records.c.dirty_since, records.c.repository_id, records.c.issue)
)


class Leftovers:
    """See `bot.ports.leftovers.Leftovers`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def deliveries(self) -> Sequence[Claimed]:
        return self._claimed(_DELIVERIES)

    def sweeps(self) -> Sequence[Claimed]:
        return self._claimed(_SWEEPS)

    def holds(self) -> Sequence[Claimed]:
        return self._claimed(_HOLDS)

    def effects(self) -> Sequence[EffectRow]:
        return list(outbox.readable(self._sql.rows(_EFFECTS)))

    def unshown(self) -> Sequence[Unshown]:
        return [Unshown(RecordKey(*key), moment(since)) for *key, since in self._sql.rows(_UNSHOWN)]

    def _claimed(self, statement: Any) -> Sequence[Claimed]:
        return [Claimed(name, moment(until)) for name, until in self._sql.rows(statement)]
