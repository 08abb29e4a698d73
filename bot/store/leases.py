"""Named exclusive holds, decided by the database clock alone. At the very moment it ends, a hold is over."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, bindparam, delete, or_, select
from sqlalchemy.dialects.postgresql import insert

from bot.ports.store import ASIDE, EDITED, Held
from bot.store import publishing
from bot.store.moments import micros, moment
from bot.store.sql import Sql
from bot.store.tables import leases as table

_THIS = table.c.name == bindparam("this")
_GET = select(table.c.holder, table.c.until).where(_THIS)
_LOCK = _GET.with_for_update()
_HELD = (
    select(table.c.name, table.c.holder, table.c.until)
    .where(table.c.name >= bindparam("low"), table.c.name < bindparam("high"))
    .where(or_(table.c.until.is_(None), table.c.until > bindparam("now")))
    .order_by(table.c.name)
)
_INSERT = insert(table)
_TAKE = _INSERT.on_conflict_do_update(
    index_elements=["name"], set_={"holder": _INSERT.excluded.holder, "until": _INSERT.excluded.until}
)
#: Of those that end by themselves, what a process had. What only tells of something goes on telling.
ABANDONED = and_(table.c.until.is_not(None), ~table.c.name.startswith(ASIDE), ~table.c.name.startswith(EDITED))
_LEFT = select(table.c.name).where(ABANDONED)
_END = delete(table).where(ABANDONED)
_DROP = delete(table).where(_THIS, table.c.holder == bindparam("by"))


class Leases:
    """See `bot.ports.store.Leases`."""

    def __init__(self, sql: Sql, now: datetime) -> None:
        self._sql = sql
        self._now = micros(now)

    def take(self, name: str, holder: str, until: datetime | None) -> bool:
        row = self._sql.row(_LOCK, this=name)
        present = self._live(row)
        if present not in (None, holder):
            return False
        self._sql.run(_TAKE, name=name, holder=holder, until=micros(until))
        if present is None:
            publishing.lease_taken(self._sql, name)
        return True

    def drop(self, name: str, holder: str) -> None:
        self._sql.run(_DROP, this=name, by=holder)

    def holder(self, name: str) -> str | None:
        return self._live(self._sql.row(_GET, this=name))

    def held(self, prefix: str) -> Sequence[Held]:
        high = prefix[:-1] + chr(ord(prefix[-1]) + 1)
        rows = self._sql.rows(_HELD, low=prefix, high=high, now=self._now)
        return [Held(name, holder, moment(until)) for name, holder, until in rows]

    def end_abandoned(self) -> Sequence[str]:
        left = [name for (name,) in self._sql.rows(_LEFT)]
        self._sql.run(_END)
        return left

    def _live(self, row: tuple[str, int | None] | None) -> str | None:
        if row is None:
            return None
        holder, until = row
        return holder if until is None or until > self._now else None
