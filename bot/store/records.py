"""Records: compare-and-replace of the document together with its history, and finding them again."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import Update, bindparam, select, update
from sqlalchemy.dialects.postgresql import insert

from bot.domain.model.ids import RecordKey
from bot.domain.model.merge import IN_FLIGHT, MergeState
from bot.domain.model.record import Record
from bot.ports.rows import HistoryRow, Loaded, NewRow, RecordFilter
from bot.ports.store import HistoryDamaged, VersionConflict
from bot.store import canonical, chain, history, lookups, publishing
from bot.store.columns import NAMES, columns
from bot.store.moments import micros, moment
from bot.store.sql import Sql, belongs, named
from bot.store.tables import records as table

_LOAD = select(*lookups.LOADED).where(belongs(table))
_BEFORE = select(table.c.document, table.c.dirty_since, *(table.c[name] for name in NAMES)).where(belongs(table))
_LOCK = _BEFORE.with_for_update()
_CREATE = insert(table).on_conflict_do_nothing()
_REFUSE = update(table).where(belongs(table)).values(last_refusal=bindparam("refusal"), updated_at=bindparam("now"))
_WAKES = select(table.c.wake_at).where(belongs(table))
_WAKE = update(table).where(belongs(table)).values(wake_at=bindparam("at"))
_WAKE_FOR_MERGE = _WAKE.where(
    table.c.waits_for_base.is_not(None), *(table.c.merge_state != state for state in sorted(IN_FLIGHT))
)


@cache
def _replacing(changed: frozenset[str]) -> Update:
    """Sets only what changed: an index whose columns are not named costs nothing."""
    return (
        update(table)
        .where(belongs(table), table.c.version == bindparam("expected"))
        .values({name: bindparam(f"new_{name}") for name in changed})
    )


class Records:
    """See `bot.ports.store.Records`. Lists of keys are ordered by issue unless they say otherwise."""

    def __init__(self, sql: Sql, now: datetime) -> None:
        self._sql = sql
        self._now = now

    def load(self, key: RecordKey) -> Loaded | None:
        row = self._sql.row(_LOAD, **named(key))
        return None if row is None else _loaded(row)

    def document(self, key: RecordKey) -> dict[str, Any] | None:
        """The document exactly as stored, for verifying it: a loaded record may have gained defaults since."""
        row = self._sql.row(_LOAD, **named(key))
        return None if row is None else json.loads(row[0])

    def every(self) -> list[RecordKey]:
        """Whatever is stored, read or not: history without its record is as wrong as a record without history."""
        return self._keys(lookups.EVERY)

    def replace(self, key: RecordKey, expected: int, rows: Sequence[NewRow]) -> None:
        versions = [(row.record.key, row.record.version) for row in rows]
        if not rows or versions != [(key, expected + 1 + index) for index in range(len(rows))]:
            raise ValueError(f"rows of {key} must be the versions after {expected}, not {versions}")
        before = self._sql.row(_LOCK, **named(key))
        if (before[2] if before else 0) != expected:
            raise VersionConflict(f"{key} is no longer at version {expected}")
        document = history.append(self._sql, key, json.loads(before[0]) if before else {}, rows)
        self._store(key, expected, before, {"document": document, **columns(rows[-1].record)})

    def _store(self, key: RecordKey, expected: int, before: Sequence[Any] | None, after: dict[str, Any]) -> None:
        now = micros(self._now)
        if before is None:
            fresh = {"repository_id": key.repository_id, "issue": key.issue, "updated_at": now, "dirty_since": now}
            won = self._sql.run(_CREATE, **fresh, **after)
        else:
            old = dict(zip(("document", "dirty_since", *NAMES), before, strict=True))
            changed = {name: value for name, value in after.items() if value != old[name]} | {"updated_at": now}
            if old["dirty_since"] is None:
                changed["dirty_since"] = now
            values = {f"new_{name}": value for name, value in changed.items()}
            won = self._sql.run(_replacing(frozenset(changed)), expected=expected, **named(key), **values)
        if not won:
            raise VersionConflict(f"{key} is no longer at version {expected}")

    def refuse(self, key: RecordKey, refusal: dict[str, Any]) -> None:
        self._sql.run(_REFUSE, refusal=canonical.dumps(refusal), now=micros(self._now), **named(key))
        self.mark_dirty(key)

    def by_pull(self, repository_id: int, pull: int) -> RecordKey | None:
        return self._key(lookups.BY_PULL, repository_id=repository_id, pull=pull)

    def by_head(self, repository_id: int, head: str) -> Sequence[RecordKey]:
        return self._keys(lookups.BY_HEAD, repository_id=repository_id, head=head)

    def by_branch(self, repository_id: int, branch: str) -> Sequence[RecordKey]:
        return self._keys(lookups.BY_BRANCH, repository_id=repository_id, branch=branch)

    def by_name(self, full_name: str, issue: int) -> RecordKey | None:
        """Names are compared without case, as GitHub does."""
        asked = {"name": full_name.lower(), "issue": issue}
        return self._key(lookups.BY_PRESENT_NAME, **asked) or self._key(lookups.BY_RECORDED_NAME, **asked)

    def of_repository(self, repository_id: int, open_only: bool) -> Sequence[RecordKey]:
        statement = lookups.OPEN_OF_REPOSITORY if open_only else lookups.OF_REPOSITORY
        return self._keys(statement, repository_id=repository_id)

    def history(self, key: RecordKey, after: int = 0, limit: int = 1000) -> Sequence[HistoryRow]:
        return history.page(self._sql, key, after, limit)

    def digests(self, key: RecordKey, versions: Collection[int]) -> Mapping[int, str]:
        return history.digests(self._sql, key, versions)

    def is_sound(self, key: RecordKey) -> bool:
        try:
            document, rows = self.document(key), self.history(key, limit=history.ALL)
        except (HistoryDamaged, *chain.UNREADABLE):
            return False
        return document is not None and not chain.verify(rows, document)

    def newest(self, limit: int) -> Sequence[RecordKey]:
        return self._keys(lookups.NEWEST, limit=limit)

    def find(self, query: RecordFilter) -> Sequence[Loaded]:
        """The newest key first. The cursor is the key of the last record of the page before."""
        asked: dict[str, Any] = query.model_dump(include={"phase"}, exclude_none=True)
        if query.repository is not None:
            asked["repository"] = query.repository.lower()
        if query.cursor is not None:
            asked |= dict(zip(("repository_id", "issue"), query.cursor, strict=True))
        parts = {"phase", "repository"} & asked.keys() | ({"cursor"} if query.cursor else set())
        statement = lookups.page(frozenset(parts | ({"open_only"} if query.open_only else set())))
        return [_loaded(row) for row in self._sql.rows(statement, limit=query.limit, **asked)]

    def over(self) -> Mapping[str, int]:
        going_on = dict(self._sql.rows(lookups.OPEN_BY_NAME))
        return {name: number - going_on.get(name, 0) for name, number in self._sql.rows(lookups.BY_NAME)}

    def mark_dirty(self, key: RecordKey) -> None:
        publishing.mark(self._sql, key, self._now)

    def next_dirty(self, collecting: timedelta, without: Collection[int] = ()) -> RecordKey | None:
        return publishing.next_dirty(self._sql, collecting, self._now, without)

    def published(self, key: RecordKey, version: int) -> None:
        publishing.published(self._sql, key, version, self._now)

    def postpone_publishing(self, key: RecordKey, until: datetime) -> None:
        publishing.postpone(self._sql, key, until)

    def merging(self, states: Sequence[MergeState]) -> Sequence[RecordKey]:
        return sorted({key for state in states for key in self._keys(lookups.MERGING, state=state)})

    def due(self, now: datetime, limit: int) -> Sequence[RecordKey]:
        """The longest due first."""
        return self._keys(lookups.DUE, now=micros(now), limit=limit)

    def wake_at(self, key: RecordKey, at: datetime | None) -> None:
        self._sql.run(_WAKE, at=micros(at), **named(key))

    def wake_for_merge(self, key: RecordKey) -> None:
        self._sql.run(_WAKE_FOR_MERGE, at=micros(self._now), **named(key))

    def wakes_at(self, key: RecordKey) -> datetime | None:
        row = self._sql.row(_WAKES, **named(key))
        return None if row is None or row[0] is None else moment(row[0])

    def waiting_for_base(self, repository_id: int, base: str) -> Sequence[RecordKey]:
        return self._keys(lookups.WAITING_FOR_BASE, repository_id=repository_id, base=base)

    def _keys(self, statement: Any, **values: Any) -> list[RecordKey]:
        return [RecordKey(*row) for row in self._sql.rows(statement, **values)]

    def _key(self, statement: Any, **values: Any) -> RecordKey | None:
        found = self._keys(statement, **values)
        return found[0] if found else None


def _loaded(row: Sequence[Any]) -> Loaded:
    document, refusal, updated_at, dirty_since = row
    return Loaded(
        record=_record(document),
        last_refusal=None if refusal is None else json.loads(refusal),
        updated_at=moment(updated_at),
        dirty=dirty_since is not None,
    )


@lru_cache(64)
def _record(document: str) -> Record:
    """A value that nobody can change, of a text that is read again and again while nothing is written."""
    return Record.model_validate_json(document)
