"""Deliveries that are not worked on: what they are about, and who may be worked on beside one that was put off."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, case, func, literal, or_, select, union_all

from bot.domain.model.delivery import MAY_STOP
from bot.ports.deliveries import About, Unheard
from bot.store.moments import micros, moment
from bot.store.sql import Sql
from bot.store.tables import deliveries as table

#: Of one lane so many are looked through for one that may go by.
MOST_BESIDE = 500


def of_events(names: frozenset[str]) -> ColumnElement[bool]:
    return or_(*(table.c.event == name for name in sorted(names)))


_HERE = table.c.lane == bindparam("lane")
_ALL_OF_IT = and_(table.c.thread.is_(None), table.c.head.is_(None))
_THREADS = [table.c.thread == bindparam(name) for name in ("issue", "pull")]
_HEAD = table.c.head == bindparam("head")
_TRIED = and_(table.c.attempts > 0, table.c.detail.is_not(None))
_ABOUT_IT = or_(*_THREADS, _HEAD, _ALL_OF_IT)
#: Of no repository that could be read: of the installation, or of any where that could not be read either.
_ANYWHERE = and_(
    table.c.lane == literal(0),
    or_(table.c.installation_id.is_(None), table.c.installation_id == bindparam("installation_id")),
    _ABOUT_IT,
)
_WAITING = union_all(
    *(
        select(table.c.received_at, _TRIED.label("tried")).where(
            table.c.finished_at.is_(None), where, table.c.guid != bindparam("but")
        )
        for where in (*(and_(_HERE, about) for about in (*_THREADS, _HEAD, _ALL_OF_IT)), _ANYWHERE)
    )
).subquery()
_WAITS = select(func.count(), func.min(case((_WAITING.c.tried, _WAITING.c.received_at)))).select_from(_WAITING)
#: A sweep ends what failed in the lane of its repository; what has none is over when each has been swept.
_FAILED = union_all(
    *(
        select(table.c.received_at).where(
            table.c.finished_at.is_not(None),
            table.c.state == "failed",
            where,
            of_events(MAY_STOP),
            table.c.guid != bindparam("but"),
        )
        for where in (and_(_HERE, _ABOUT_IT), and_(_ANYWHERE, table.c.received_at > bindparam("found_until")))
    )
)


def unheard(sql: Sql, about: About, but: str | None) -> Unheard:
    """See `bot.ports.deliveries.Deliveries`."""
    until = micros(about.found_until) if about.found_until is not None else 0
    asked = {**about._asdict(), "but": but or ""}
    asked.pop("found_until")
    waiting, tried = sql.row(_WAITS, **asked)
    times = [tried, *(time for (time,) in sql.rows(_FAILED, **asked, found_until=until))]
    return Unheard(waiting > 0, moment(min((time for time in times if time is not None), default=None)))


class _Waiting(NamedTuple):
    """One that is not over. `until`: worked on or put off until then; `worker` None = put off."""

    id: int
    installation: int
    thread: int | None
    head: str | None
    until: int | None
    worker: str | None

    @property
    def is_about_all(self) -> bool:
        return self.thread is None and self.head is None


_PUT_OFF = select(table.c.lane).where(table.c.until > bindparam("now"), table.c.worker.is_(None)).distinct()
_IN_LANE = (
    select(
        table.c.id,
        func.coalesce(table.c.installation_id, 0),
        table.c.thread,
        table.c.head,
        table.c.until,
        table.c.worker,
    )
    .where(table.c.finished_at.is_(None), _HERE)
    .order_by(table.c.id)
    .limit(MOST_BESIDE)
)


def beside(sql: Sql, now: int) -> Sequence[tuple[int, int]]:
    """Of each lane the oldest one that waits behind one that was put off, and is about something else; with its installation.
    What is put off for one person or one pull request holds nobody else's words up."""
    lanes = [sql.rows(_IN_LANE, lane=lane) for (lane,) in sql.rows(_PUT_OFF, now=now)]
    found = [_beside([_Waiting(*row) for row in lane], now) for lane in lanes]
    return [(one.id, one.installation) for one in found if one is not None]


def _beside(lane: list[_Waiting], now: int) -> _Waiting | None:
    later = [one for one in lane if one.until is not None and one.until > now]
    if any(one.worker is not None for one in later):
        return None
    ahead: list[_Waiting] = []
    for one in lane:
        if one not in later and not any(_is_behind(one, other) for other in ahead):
            return one
        ahead.append(one)
    return None


def _is_behind(one: _Waiting, other: _Waiting) -> bool:
    """Whether they are about the same, so that their order stays."""
    same_thread = bool(one.thread) and one.thread == other.thread
    return other.is_about_all or same_thread or (one.head is not None and one.head == other.head)
