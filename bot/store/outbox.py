"""One-shot effects: planned in the transaction that decides them, carried out by priority in the lane of an installation, and in
order per repository, kind and target."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Select,
    bindparam,
    exists,
    false,
    literal,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from bot.domain.model.effects import Effect, EffectState
from bot.domain.model.ids import RecordKey, Repo
from bot.ports.rows import EffectRow
from bot.ports.store import Unreadable
from bot.store import canonical
from bot.store.moments import micros, moment
from bot.store.sql import Sql, belongs, for_people, named
from bot.store.tables import effects as table
from bot.store.tables import installations

COLUMNS = [
    table.c[name]
    for name in ("id", "repository_id", "issue", "repo", "effect", "state", "attempts", "not_before", "note")
]
_PLAN = insert(table).on_conflict_do_nothing()
_OF = select(*COLUMNS).where(belongs(table)).order_by(table.c.id)
_ENDED = (
    select(*COLUMNS)
    .where(table.c.finished_at.is_not(None), table.c.state == bindparam("state"))
    .order_by(table.c.id.desc())
    .limit(bindparam("limit"))
)
_BETWEEN = select(table.c.once).where(table.c.once > bindparam("after"), table.c.once < bindparam("before")).limit(1)
_SET = update(table).where(table.c.id == bindparam("this"))
_SENT = _SET.values(
    state="sent",
    attempts=table.c.attempts + 1,
    note=bindparam("why"),
    not_before=bindparam("later"),
    finished_at=None,
)
_EXTEND = _SET.where(table.c.state == "sent", table.c.attempts == bindparam("attempt")).values(
    not_before=bindparam("later")
)
_REST = _SET.where(table.c.state == "sent", table.c.attempts == bindparam("attempt")).values(
    state=bindparam("before"), attempts=bindparam("counted"), note=bindparam("why"), not_before=bindparam("later")
)
_MOVE = (
    update(table)
    .where(table.c.repository_id == bindparam("of"), table.c.finished_at.is_(None))
    .values(installation_id=bindparam("through"), repo=bindparam("seen"))
)
_WITHDRAW = (
    update(table)
    .where(table.c.once == bindparam("this"), table.c.finished_at.is_(None))
    .values(state="ok", note=bindparam("why"), not_before=None, finished_at=bindparam("now"))
)


#: Nothing can be written there, and that is no refusal: it waits.
_SHUT_OUT = or_(installations.c.state == "suspended", installations.c.state == "gone")

#: Priority of writes (LIFECYCLE.md 4): so many that were planned later may go first, of the kinds above it and of the same
#: installation. None waits for ever behind them; those of one kind keep their order.
PATIENCE: dict[str, int] = {
    "merge_group": 0,
    "reply": 400,
    "notice": 400,
    "minimize": 800,
    "ready": 800,
    "review_request": 800,
    "put_back_label": 800,
    "delete_branch": 800,
    "reaction": 1600,
}


def _may_run(*, calls: bool = False) -> list[ColumnElement[bool]]:
    """Calls of operators go another way than everything else; a pause that GitHub asked for is none of theirs."""
    now: BindParameter[int] = bindparam("now")
    older = table.alias("older")
    behind = exists().where(
        older.c.finished_at.is_(None),
        older.c.repository_id == table.c.repository_id,
        older.c.kind == table.c.kind,
        older.c.target == table.c.target,
        older.c.id < table.c.id,
    )
    mine = table.c.kind == "call" if calls else table.c.kind != "call"
    shut = or_(installations.c.not_before > now, _SHUT_OUT)
    paused = false() if calls else exists().where(installations.c.id == table.c.installation_id, shut)
    may_run = or_(table.c.not_before.is_(None), table.c.not_before <= now)
    return [table.c.finished_at.is_(None), mine, may_run, ~behind, ~paused]


def _first_of(*wanted: ColumnElement[bool]) -> Select[Any]:
    """The one whose turn it is. Each kind is looked through along its own index, however many of another kind wait."""
    firsts = (
        select(table.c.id, literal(patience).label("patience"))
        .where(*wanted, table.c.kind == kind)
        .order_by(table.c.id)
        .limit(1)
        .subquery()
        for kind, patience in PATIENCE.items()
    )
    found = union_all(*(select(one.c.id, one.c.patience) for one in firsts)).subquery()
    return select(found.c.id).order_by(found.c.id + found.c.patience).limit(1)


_NEXT_CALL = select(*COLUMNS).where(*_may_run(calls=True)).order_by(table.c.id).limit(1)
_LANES = select(table.c.installation_id).where(table.c.finished_at.is_(None)).distinct()
_FIRST_IN_LANE = _first_of(table.c.installation_id == bindparam("lane"), *_may_run())
_WAITING = select(table.c.installation_id, table.c.id, table.c.kind, table.c.repository_id, table.c.issue).where(
    *_may_run()
)
_GET = select(*COLUMNS).where(table.c.id == bindparam("this"))


class Effects:
    """See `bot.ports.store.Effects`. An effect of an installation that is paused, suspended or gone may not run now."""

    def __init__(self, sql: Sql, now: datetime) -> None:
        self._sql = sql
        self._now = micros(now)

    def plan(self, key: RecordKey | None, repo: Repo, effect: Effect) -> bool:
        planned = self._sql.run(
            _PLAN,
            once=effect.once,
            repository_id=repo.id,
            issue=key.issue if key else None,
            installation_id=repo.installation_id,
            kind=effect.kind,
            target=effect.target,
            repo=canonical.dumps(repo.model_dump(mode="json")),
            effect=canonical.dumps(effect.model_dump(mode="json")),
            state="planned",
            attempts=0,
        )
        return planned == 1

    def next(self, now: datetime, without: Collection[int] = (), but: Collection[RecordKey] = ()) -> EffectRow | None:
        firsts = self._firsts_but(now, but) if but else self._firsts(now)
        oldest = min((first for lane, first in firsts if lane not in without), default=None)
        return None if oldest is None else _read(self._sql.row(_GET, this=oldest))

    def next_call(self, now: datetime) -> EffectRow | None:
        return _read(self._sql.row(_NEXT_CALL, now=micros(now)))

    def _firsts(self, now: datetime) -> Iterator[tuple[int, int]]:
        """Of each installation, whose turn it is there."""
        for (lane,) in self._sql.rows(_LANES):
            first = self._sql.row(_FIRST_IN_LANE, now=micros(now), lane=lane)
            if first is not None:
                yield lane, first[0]

    def _firsts_but(self, now: datetime, but: Collection[RecordKey]) -> Iterator[tuple[int, int]]:
        """The same without these records, which is rarely asked."""
        turns: dict[int, list[tuple[int, int]]] = {}
        for lane, number, kind, repository_id, issue in self._sql.rows(_WAITING, now=micros(now)):
            if RecordKey(repository_id, issue) not in but:
                turns.setdefault(lane, []).append((number + PATIENCE[kind], number))
        yield from ((lane, min(waiting)[1]) for lane, waiting in turns.items())

    def set(self, id: int, state: EffectState, note: str | None, not_before: datetime | None = None) -> None:
        """Raises LookupError for an effect that was never planned."""
        later = micros(not_before)
        if state == "sent":
            found = self._sql.run(_SENT, this=id, why=for_people(note), later=later)
        else:
            over = None if state == "planned" else self._now
            found = self._sql.run(_SET, this=id, state=state, note=for_people(note), not_before=later, finished_at=over)
        if not found:
            raise LookupError(f"there is no effect {id}")

    def rest(
        self, id: int, attempt: int, state: EffectState, note: str | None, until: datetime, *, tried: bool = True
    ) -> None:
        values = {"before": state, "counted": attempt if tried else attempt - 1, "why": for_people(note)}
        self._sql.run(_REST, this=id, attempt=attempt, later=micros(until), **values)

    def extend(self, id: int, attempt: int, until: datetime) -> bool:
        return self._sql.run(_EXTEND, this=id, attempt=attempt, later=micros(until)) == 1

    def withdraw(self, once: str, note: str) -> None:
        self._sql.run(_WITHDRAW, this=once, why=for_people(note), now=self._now)

    def any_between(self, after: str, before: str) -> bool:
        return self._sql.row(_BETWEEN, after=after, before=before) is not None

    def of(self, key: RecordKey) -> Sequence[EffectRow]:
        return list(readable(self._sql.rows(_OF, **named(key))))

    def ended(self, state: EffectState, limit: int) -> Sequence[EffectRow]:
        return list(readable(self._sql.rows(_ENDED, state=state, limit=limit)))


def move(sql: Sql, repo: Repo) -> None:
    """What is not over is carried out through the installation that the repository has now."""
    seen = canonical.dumps(repo.model_dump(mode="json"))
    sql.run(_MOVE, of=repo.id, through=repo.installation_id, seen=seen)


def readable(rows: Iterable[Sequence[Any]]) -> Iterator[EffectRow]:
    """One that cannot be read is told of where it would be carried out."""
    for row in rows:
        with suppress(ValidationError):
            yield row_from(row)


def _read(row: Sequence[Any] | None) -> EffectRow | None:
    if row is None:
        return None
    try:
        return row_from(row)
    except ValidationError as error:
        raise Unreadable(row[0], f"effect {row[0]}: {error.title} cannot be read") from error


def row_from(row: Sequence[Any]) -> EffectRow:
    id_, repository_id, issue, repo, effect, state, attempts, not_before, note = row
    return EffectRow(
        id=id_,
        key=None if issue is None else RecordKey(repository_id, issue),
        repo=Repo.model_validate_json(repo),
        effect=Effect.model_validate_json(effect),
        state=state,
        attempts=attempts,
        not_before=moment(not_before),
        note=note,
    )
