"""Which records GitHub does not show yet, and the lease under which one of them is published.

`touched` answers "was it marked again since the publisher looked?" without a clock: taking the publisher's lease clears
it, every mark sets it. Records whose lease is held or whose pause lasts are passed over.
"""

import re
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import BindParameter, Select, and_, bindparam, exists, func, literal, or_, select, update

from bot.domain.model.ids import RecordKey
from bot.store.moments import micros
from bot.store.sql import Sql, belongs, named
from bot.store.tables import leases
from bot.store.tables import records as table

_LEASE = re.compile(r"publish:(\d+)#(\d+)")

_MARK = (
    update(table)
    .where(belongs(table))
    .values(dirty_since=func.coalesce(table.c.dirty_since, bindparam("now")), touched=1)
)
_BEGIN = update(table).where(belongs(table)).values(touched=None)
_DONE = (
    update(table)
    .where(belongs(table), table.c.version == bindparam("shown"), table.c.touched.is_(None))
    .values(dirty_since=None, publish_not_before=None)
)
_AGAIN = update(table).where(belongs(table), table.c.dirty_since.is_not(None)).values(dirty_since=bindparam("now"))
_POSTPONE = update(table).where(belongs(table)).values(publish_not_before=bindparam("until"))


def _next() -> Select[tuple[int, int]]:
    now: BindParameter[int] = bindparam("now")
    name = literal("publish:").concat(table.c.repository_id).concat(literal("#")).concat(table.c.issue)
    held = exists().where(leases.c.name == name, or_(leases.c.until.is_(None), leases.c.until > now))
    paused = and_(table.c.publish_not_before.is_not(None), table.c.publish_not_before > now)
    return (
        select(table.c.repository_id, table.c.issue)
        .where(table.c.dirty_since.is_not(None), ~paused, ~held)
        .order_by(table.c.dirty_since, table.c.repository_id, table.c.issue)
        .limit(bindparam("limit"))
    )


_NEXT = _next()


def lease_name(key: RecordKey) -> str:
    """The lease that makes publishing a record single."""
    return f"publish:{key}"


def lease_taken(sql: Sql, name: str) -> None:
    """If it is a publisher's: what is marked from now on is marked since."""
    if match := _LEASE.fullmatch(name):
        sql.run(_BEGIN, **named(RecordKey(int(match[1]), int(match[2]))))


def mark(sql: Sql, key: RecordKey, now: datetime) -> None:
    sql.run(_MARK, now=micros(now), **named(key))


def next_dirty(sql: Sql, skip: Iterable[RecordKey], now: datetime) -> RecordKey | None:
    skipped = set(skip)
    for row in sql.rows(_NEXT, now=micros(now), limit=len(skipped) + 1):  # one of so many is not skipped
        if (key := RecordKey(*row)) not in skipped:
            return key
    return None


def published(sql: Sql, key: RecordKey, version: int, now: datetime) -> None:
    """A record that was changed or marked meanwhile queues up again behind the others."""
    if not sql.run(_DONE, shown=version, **named(key)):
        sql.run(_AGAIN, now=micros(now), **named(key))


def postpone(sql: Sql, key: RecordKey, until: datetime) -> None:
    sql.run(_POSTPONE, until=micros(until), **named(key))
