"""Numbers over whole tables, each read from an index alone, and the deletion of old deliveries in small bites."""

from datetime import datetime
from typing import Any

from sqlalchemy import Select, Table, bindparam, delete, func, select

from bot.ports.operating import Tally
from bot.store.moments import micros, moment
from bot.store.sql import Sql
from bot.store.sweep_tables import redeliveries
from bot.store.tables import deliveries, effects, records

_WAITING = deliveries.c.finished_at.is_(None)
_FINISHED = deliveries.c.finished_at.is_not(None)
#: What is told apart by its state when it is over. A failed delivery is over too, and is not old.
_PRUNED = ("applied", "no_op", "ignored")

_COUNT_WAITING = select(func.count()).select_from(deliveries).where(_WAITING)
_COUNT_WORKING = (
    select(func.count())
    .select_from(deliveries)
    .where(deliveries.c.until.is_not(None), deliveries.c.worker.is_not(None))
)
#: Lane by lane: asked for the least of all, SQLite would walk the table instead of the index.
_FIRSTS = select(func.min(deliveries.c.id).label("id")).where(_WAITING).group_by(deliveries.c.lane).subquery()
_FIRST = select(func.min(_FIRSTS.c.id)).scalar_subquery()
_WAITS_SINCE = select(deliveries.c.received_at).where(deliveries.c.id == _FIRST)
_UNSHOWN = select(func.count(), func.min(records.c.dirty_since)).where(records.c.dirty_since.is_not(None))


def _by(table: Table, column: str, finished: bool | None = None) -> Select[Any]:
    counted = select(table.c[column], func.count()).group_by(table.c[column])
    if finished is None:
        return counted
    return counted.where(table.c.finished_at.is_not(None) if finished else table.c.finished_at.is_(None))


_DELIVERIES = _by(deliveries, "state", finished=True)
_RECORDS = _by(records, "phase")
_MERGES = _by(records, "merge_state")
_EFFECTS_WAITING = _by(effects, "state", finished=False)
_EFFECTS_OVER = _by(effects, "state", finished=True)

_OLD = (
    select(deliveries.c.id)
    .where(_FINISHED, deliveries.c.state == bindparam("state"), deliveries.c.received_at < bindparam("before"))
    .limit(bindparam("limit"))
)
_DELETE = delete(deliveries).where(deliveries.c.id.in_(_OLD))
_ASKED = select(redeliveries.c.guid).where(redeliveries.c.asked_at < bindparam("before")).limit(bindparam("limit"))
_FORGET = delete(redeliveries).where(redeliveries.c.guid.in_(_ASKED))


class Operating:
    """See `bot.ports.operating.Operating`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def tally(self) -> Tally:
        (waiting,), (working,) = self._sql.row(_COUNT_WAITING), self._sql.row(_COUNT_WORKING)
        since = self._sql.row(_WAITS_SINCE)
        unshown, unshown_since = self._sql.row(_UNSHOWN)
        return Tally(
            deliveries={"received": waiting - working, "working": working, **self._numbers(_DELIVERIES)},
            waits_since=moment(since[0]) if since else None,
            records=self._numbers(_RECORDS),
            unshown=unshown,
            unshown_since=moment(unshown_since),
            merges=self._numbers(_MERGES),
            effects={**self._numbers(_EFFECTS_WAITING), **self._numbers(_EFFECTS_OVER)},
        )

    def prune(self, before: datetime, limit: int) -> int:
        gone = 0
        for state in _PRUNED:
            gone += self._sql.run(_DELETE, state=state, before=micros(before), limit=limit - gone)
        return gone

    def forget_redeliveries(self, before: datetime, limit: int) -> int:
        return self._sql.run(_FORGET, before=micros(before), limit=limit)

    def _numbers(self, statement: Select[Any]) -> dict[str, int]:
        return dict(self._sql.rows(statement))
