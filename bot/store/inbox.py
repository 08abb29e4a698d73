"""Deliveries: stored raw, claimed one at a time per lane, oldest first."""

from collections.abc import Collection, Sequence
from datetime import datetime
from hashlib import sha256
from threading import local
from typing import Any, Literal, get_args

import zstandard
from sqlalchemy import ColumnElement, Select, bindparam, exists, func, select, update
from sqlalchemy.dialects.postgresql import insert

from bot.domain.model.delivery import (
    SWEPT,
    Delivery,
    DeliveryRow,
    DeliveryState,
    ended,
    put_back_note,
)
from bot.ports.deliveries import About, Arrival, Unheard
from bot.store.moments import micros, moment
from bot.store.sql import Sql, for_people
from bot.store.tables import deliveries as table
from bot.store.unheard import beside, of_events, unheard

_SHOWN = (
    table.c.guid,
    table.c.event,
    table.c.action,
    table.c.lane,
    table.c.repository,
    table.c.received_at,
    table.c.state,
    table.c.attempts,
    table.c.finished_at,
    table.c.detail,
)
_WHOLE = (*_SHOWN, table.c.installation_id, table.c.body)
_WAITING = table.c.finished_at.is_(None)
_THIS = table.c.guid == bindparam("this")
_STATES: tuple[str, ...] = get_args(DeliveryState)

_ADD = insert(table).on_conflict_do_nothing()
_HASH = select(table.c.sha256).where(_THIS)
_GET = select(*_WHOLE).where(_THIS)
_SET = update(table).where(_THIS)
_SHOW = select(*_SHOWN).where(_THIS)
_PUT_BACK = _SET.values(state="received", attempts=0, finished_at=None, worker=None, until=None)
_PUTS_OFF = _SET.values(state="received", worker=None, detail=func.coalesce(table.c.detail, bindparam("why")))
_CLAIM = (
    update(table)
    .where(table.c.id == bindparam("row"))
    .values(attempts=table.c.attempts + 1, state="working", worker=bindparam("by"), until=bindparam("ends"))
)
#: What another process is claiming at this moment is passed over.
_MINE = select(table.c.id).where(table.c.id == bindparam("row")).with_for_update(skip_locked=True)
_CLAIMED = select(*_WHOLE).where(table.c.id == bindparam("row"))
_REOPEN = update(table).where(table.c.until.is_not(None)).values(state="received", worker=None, until=None)
_GIVE_BACK = _REOPEN.where(table.c.worker == bindparam("by"))
_LATE = (
    select(table.c.guid, table.c.event)
    .where(_WAITING, table.c.received_at > bindparam("after"), table.c.received_at <= bindparam("before"))
    .order_by(table.c.id)
)
_HERE = (table.c.lane == bindparam("lane"), table.c.received_at >= bindparam("since"))
_FAILED = (table.c.state == "failed", table.c.finished_at.is_not(None))
_WAITS = select(exists().where(_WAITING, *_HERE))


_SWEPT = select(*_WHOLE).where(
    *_FAILED, table.c.lane == bindparam("lane"), table.c.received_at <= bindparam("before"), of_events(SWEPT)
)
_ANY = select(table.c.id).where(_WAITING).limit(1)
_BACKLOG = select(func.count()).select_from(table).where(_WAITING)
_ARRIVAL = select(
    select(table.c.id).where(_THIS).scalar_subquery(), func.coalesce(select(func.max(table.c.id)).scalar_subquery(), 0)
)


def _free() -> Select[Any]:
    """The oldest waiting delivery of each free lane. Lanes are skipped through along the index, so the cost grows with
    the number of waiting lanes, not with a backlog that sits behind one busy lane."""
    first = select(func.min(table.c.lane).label("lane")).where(_WAITING)
    lanes = first.cte("lanes", recursive=True)
    following = select(func.min(table.c.lane)).where(_WAITING, table.c.lane > lanes.c.lane).scalar_subquery()
    lanes = lanes.union_all(select(following).where(lanes.c.lane.is_not(None)))
    head = select(func.min(table.c.id)).where(_WAITING, table.c.lane == lanes.c.lane).scalar_subquery()
    busy = exists().where(table.c.lane == lanes.c.lane, table.c.until > bindparam("now"))
    return select(head.label("id")).where(lanes.c.lane.is_not(None), ~busy)


def _page(state: bool) -> Select[Any]:
    wanted: list[ColumnElement[bool]] = [table.c.received_at < bindparam("before")]
    if state:
        wanted.append(table.c.state == bindparam("state"))
    return (
        select(*_SHOWN).where(*wanted).order_by(table.c.received_at.desc(), table.c.id.desc()).limit(bindparam("limit"))
    )


_FREE = _free().subquery()
_FREE_OF = (
    select(table.c.id, func.coalesce(table.c.installation_id, 0))
    .where(table.c.id.in_(select(_FREE.c.id)))
    .order_by(table.c.id)
)
_ALL, _IN_STATE = _page(state=False), _page(state=True)
_FOREVER, _NEVER = 2**62, -1


#: A compressor is made by each thread that writes, once: to make one costs more than to use it.
_by_thread = local()


def _compressed(body: bytes) -> bytes:
    if not hasattr(_by_thread, "compressor"):
        _by_thread.compressor = zstandard.ZstdCompressor(level=1)
    done: bytes = _by_thread.compressor.compress(body)
    return done


class Deliveries:
    """See `bot.ports.deliveries.Deliveries`. Bodies are kept zstd-compressed, with the SHA-256 of what was received."""

    def __init__(self, sql: Sql, now: datetime) -> None:
        self._sql = sql
        self._now = micros(now)

    def add(self, delivery: Delivery) -> Literal["accepted", "duplicate", "conflict"]:
        digest = sha256(delivery.body).hexdigest()
        fields = delivery.model_dump(exclude={"received_at", "body"})
        added = self._sql.run(
            _ADD,
            **fields,
            received_at=micros(delivery.received_at),
            state="received",
            attempts=0,
            sha256=digest,
            body=_compressed(delivery.body),
        )
        if added:
            return "accepted"
        known = self._sql.row(_HASH, this=delivery.guid)
        return "duplicate" if known == (digest,) else "conflict"

    def next_of(self, without: Collection[int]) -> int | None:
        if self._sql.row(_ANY) is None:  # nearly always, and however many are behind: they are not counted
            return None
        found = (installation for _, installation in self._free())
        return next((installation for installation in found if installation not in without), None)

    def claim(self, worker: str, until: datetime, of: int | None = None) -> Delivery | None:
        row = self._next(of)
        if row is None:
            return None
        self._sql.run(_CLAIM, row=row, by=worker, ends=micros(until))
        return _delivery(self._sql.row(_CLAIMED, row=row))

    def _next(self, of: int | None) -> int | None:
        mine = (row for row, installation in self._free() if of is None or installation == of)
        return next((row for row in mine if not self._sql.shared or self._sql.row(_MINE, row=row)), None)

    def _free(self) -> Sequence[tuple[int, int]]:
        """Those that can be claimed, oldest first, each with its installation."""
        found = [(row, installation) for row, installation in self._sql.rows(_FREE_OF, now=self._now)]
        return sorted([*found, *beside(self._sql, self._now)])

    def waiting(self, before: datetime, after: datetime | None = None) -> Sequence[tuple[str, str]]:
        bounds = {"before": micros(before), "after": _NEVER if after is None else micros(after)}
        return [(guid, event) for guid, event in self._sql.rows(_LATE, **bounds)]

    def finish(self, guid: str, state: DeliveryState, detail: str | None) -> None:
        over = None if state in ("received", "working") else self._now
        known = self._sql.row(_SHOW, this=guid)
        state, detail = ended(known[-1] if known else None, state, for_people(detail))
        self._sql.run(_SET, this=guid, state=state, detail=detail, finished_at=over, worker=None, until=None)

    def puts_off(self, guid: str, why: str) -> None:
        self._sql.run(_PUTS_OFF, this=guid, why=for_people(why))

    def unheard(self, about: About, but: str | None) -> Unheard:
        return unheard(self._sql, about, but)

    def swept(self, lane: int, before: datetime) -> Sequence[Delivery]:
        return [_delivery(row) for row in self._sql.rows(_SWEPT, lane=lane, before=micros(before))]

    def settle(self, guids: Sequence[str], how: str) -> None:
        for guid in guids:
            detail = self._sql.row(_SHOW, this=guid)[-1]
            self.finish(guid, "no_op", f"{how}; it had failed: {detail}")

    def get(self, guid: str) -> tuple[Delivery, DeliveryRow] | None:
        row = self._sql.row(_GET, this=guid)
        return None if row is None else (_delivery(row), _listed(row[:10]))

    def list(self, state: DeliveryState | None, limit: int, before: datetime | None) -> Sequence[DeliveryRow]:
        """Newest first."""
        page: dict[str, Any] = {"limit": limit, "before": micros(before) if before else _FOREVER}
        rows = self._sql.rows(_IN_STATE, state=state, **page) if state else self._sql.rows(_ALL, **page)
        return [_listed(row) for row in rows]

    def put_back(self, guid: str) -> bool:
        """With all its tries before it. That it was applied is kept."""
        known = self._sql.row(_SHOW, this=guid)
        if known is None:
            return False
        return self._sql.run(_PUT_BACK, this=guid, detail=put_back_note(_listed(known), moment(self._now))) == 1

    def give_back(self, worker: str) -> int:
        return self._sql.run(_GIVE_BACK, by=worker)

    def reopen_abandoned(self) -> int:
        return self._sql.run(_REOPEN)

    def backlog(self) -> int:
        count: int = self._sql.row(_BACKLOG)[0]
        return count

    def arrival(self, guid: str | None) -> Arrival:
        return Arrival(*self._sql.row(_ARRIVAL, this=guid))

    def waits(self, lane: int, since: datetime) -> bool:
        return bool(self._sql.row(_WAITS, lane=lane, since=micros(since))[0])


def _listed(row: Sequence[Any]) -> DeliveryRow:
    guid, event, action, lane, repository, received_at, state, attempts, finished_at, detail = row
    assert state in _STATES, f"delivery {guid} is in a state this version does not know: {state}"
    return DeliveryRow(
        guid=guid,
        event=event,
        action=action,
        lane=lane,
        repository=repository,
        received_at=moment(received_at),
        state=state,
        attempts=attempts,
        finished_at=moment(finished_at),
        detail=detail,
    )


def _delivery(row: Sequence[Any]) -> Delivery:
    guid, event, action, lane, repository, received_at = row[:6]
    installation_id, body = row[10:]
    return Delivery(
        guid=guid,
        event=event,
        action=action,
        lane=lane,
        installation_id=installation_id,
        repository=repository,
        body=zstandard.decompress(body),
        received_at=moment(received_at),
    )
