"""Which records GitHub does not show yet, and the lease under which one of them is published.

`touched` answers "was it marked again since the publisher looked?" without a clock: taking the publisher's lease clears
it, every mark sets it. Records whose lease is held, whose pause lasts or whose changes are being collected are passed over;
of those with a check run that may stand as success or neutral nothing is collected: it may have to go (I24).
"""

import re
from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import BindParameter, and_, bindparam, exists, func, literal, or_, select, update

from bot.domain.model.ids import RecordKey
from bot.ports.policies import UNGOVERNED
from bot.store.moments import micros
from bot.store.policy_tables import policy_reports as reports
from bot.store.sql import Sql, belongs, named
from bot.store.tables import leases, repositories, slots
from bot.store.tables import records as table

#: Whether a record has a check run that may stand as success.
MAY_BE_SUCCESS = exists().where(
    slots.c.repository_id == table.c.repository_id, slots.c.issue == table.c.issue, slots.c.extra == "success"
)
#: Whether the head of a record has, or may have, the check of a commit without a record: it may be neutral, and passes.
_MAY_BE_NEUTRAL = exists().where(
    reports.c.repository_id == table.c.repository_id, reports.c.place == literal(UNGOVERNED).concat(table.c.head)
)
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


_NOW: BindParameter[int] = bindparam("now")
_NAME = literal("publish:").concat(table.c.repository_id).concat(literal("#")).concat(table.c.issue)
_HELD = exists().where(leases.c.name == _NAME, or_(leases.c.until.is_(None), leases.c.until > _NOW))
_PAUSED = and_(table.c.publish_not_before.is_not(None), table.c.publish_not_before > _NOW)
#: A mark from the future is of a clock that was set back since, and waits for nothing.
_JUST_CHANGED = and_(table.c.dirty_since > bindparam("since"), table.c.dirty_since <= _NOW)
_COLLECTED = and_(_JUST_CHANGED, ~MAY_BE_SUCCESS, ~_MAY_BE_NEUTRAL)
_THROUGH = select(repositories.c.installation_id).where(repositories.c.id == table.c.repository_id).scalar_subquery()
_NEXT = (
    select(table.c.repository_id, table.c.issue, func.coalesce(_THROUGH, 0))
    .where(table.c.dirty_since.is_not(None), ~_PAUSED, ~_HELD, ~_COLLECTED)
    .order_by(table.c.dirty_since, table.c.repository_id, table.c.issue)
    .limit(bindparam("limit"))
)
_ALL = 2**62


def lease_name(key: RecordKey) -> str:
    """The lease that makes publishing a record single."""
    return f"publish:{key}"


def lease_taken(sql: Sql, name: str) -> None:
    """If it is a publisher's: what is marked from now on is marked since."""
    if match := _LEASE.fullmatch(name):
        sql.run(_BEGIN, **named(RecordKey(int(match[1]), int(match[2]))))


def mark(sql: Sql, key: RecordKey, now: datetime) -> None:
    sql.run(_MARK, now=micros(now), **named(key))


def next_dirty(sql: Sql, collecting: timedelta, now: datetime, without: Collection[int]) -> RecordKey | None:
    rows = sql.rows(_NEXT, now=micros(now), since=micros(now - collecting), limit=_ALL if without else 1)
    return next((RecordKey(*row[:2]) for row in rows if row[2] not in without), None)


def published(sql: Sql, key: RecordKey, version: int, now: datetime) -> None:
    """A record that was changed or marked meanwhile queues up again behind the others."""
    if not sql.run(_DONE, shown=version, **named(key)):
        sql.run(_AGAIN, now=micros(now), **named(key))


def postpone(sql: Sql, key: RecordKey, until: datetime) -> None:
    sql.run(_POSTPONE, until=micros(until), **named(key))
