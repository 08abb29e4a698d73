"""The policy files: versions, watches and reports."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Column, Select, bindparam, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from bot.domain.model.ids import Repo
from bot.ports.policies import PolicyVersion, Report, Watch
from bot.store.moments import micros, moment
from bot.store.policy_tables import policies as table
from bot.store.policy_tables import policy_reports as reports
from bot.store.policy_tables import policy_watches as watches
from bot.store.sql import Sql
from bot.store.tables import installations, repositories

_OF = (
    select(table.c.id, table.c.since, table.c.document)
    .where(table.c.repository_id == bindparam("this"))
    .order_by(table.c.id.desc())
    .limit(bindparam("most"))
)
_UNTOLD = (
    select(table.c.id, table.c.since, table.c.document)
    .where(table.c.tell_at.is_not(None), table.c.tell_at <= bindparam("now"))
    .order_by(table.c.tell_at, table.c.id)
    .limit(1)
)
_ADD = insert(table).returning(table.c.id)
_TELL = update(table).where(table.c.id == bindparam("this")).values(tell_at=bindparam("at"))
_WATCH = select(watches.c.document).where(watches.c.id == bindparam("this"))
_INSERT = insert(watches)
_SET_WATCH = _INSERT.on_conflict_do_update(
    index_elements=["id"], set_={name: _INSERT.excluded[name] for name in ("due_at", "document")}
)
_REPO = (repositories.c.id, repositories.c.installation_id, repositories.c.owner, repositories.c.name)


def _waits(due_at: Column[Any], repository_id: Column[Any], *more: Column[Any]) -> Select[Any]:
    """The longest due, of an installation that is there and was not asked for a pause."""
    joined = repositories.join(installations, installations.c.id == repositories.c.installation_id)
    return (
        select(*_REPO, *more)
        .select_from(joined.join(due_at.table, repository_id == repositories.c.id))
        .where(
            due_at.is_not(None),
            due_at <= bindparam("now"),
            installations.c.state == "present",
            or_(installations.c.not_before.is_(None), installations.c.not_before <= bindparam("now")),
        )
        .order_by(due_at, repositories.c.id)
        .limit(1)
    )


_DUE = _waits(watches.c.due_at, watches.c.id)
_NEXT = _waits(reports.c.due_at, reports.c.repository_id, reports.c.document)
_REPORT = select(reports.c.document).where(
    reports.c.repository_id == bindparam("this"), reports.c.place == bindparam("at_place")
)
_ON_PULL = "pull:"
_PULLS = select(reports.c.place).where(
    reports.c.repository_id == bindparam("this"), reports.c.place.startswith(_ON_PULL, autoescape=True)
)
_PUT = insert(reports)
_PUT_REPORT = _PUT.on_conflict_do_update(
    index_elements=["repository_id", "place"],
    set_={name: _PUT.excluded[name] for name in ("due_at", "document")},
)


class Policies:
    """See `bot.ports.policies.Policies`."""

    def __init__(self, sql: Sql, now: datetime) -> None:
        self._sql = sql
        self._now = micros(now)

    def newest(self, repository_id: int) -> PolicyVersion | None:
        return next(iter(self.versions(repository_id, 1)), None)

    def add(self, version: PolicyVersion) -> int:
        values = {
            "repository_id": version.repository_id,
            "commit_sha": version.commit,
            "blob_sha": version.blob,
            "since": micros(version.since),
            "tell_at": self._now,
            "document": version.model_dump_json(exclude={"number", "since"}),
        }
        number: int = self._sql.row(_ADD, **values)[0]
        return number

    def versions(self, repository_id: int, limit: int = 20) -> Sequence[PolicyVersion]:
        return [_version(row) for row in self._sql.rows(_OF, this=repository_id, most=limit)]

    def untold(self) -> PolicyVersion | None:
        row = self._sql.row(_UNTOLD, now=self._now)
        return _version(row) if row else None

    def told(self, number: int) -> None:
        self._sql.run(_TELL, this=number, at=None)

    def rest(self, number: int, until: datetime) -> None:
        self._sql.run(_TELL, this=number, at=micros(until))

    def watch(self, repository_id: int) -> Watch:
        row = self._sql.row(_WATCH, this=repository_id)
        return Watch.model_validate_json(row[0]) if row else Watch()

    def set_watch(self, repository_id: int, watch: Watch, due_at: datetime | None) -> None:
        self._sql.run(_SET_WATCH, id=repository_id, due_at=micros(due_at), document=watch.model_dump_json())

    def due(self) -> Repo | None:
        row = self._sql.row(_DUE, now=self._now)
        return _repo(row) if row else None

    def expect(self, repository_id: int, place: str, pull: int | None) -> None:
        report = self.report(repository_id, place) or Report(place=place)
        self._put(repository_id, report.model_copy(update={"pull": pull, "asked": report.asked + 1}), self._now)

    def report(self, repository_id: int, place: str) -> Report | None:
        row = self._sql.row(_REPORT, this=repository_id, at_place=place)
        return Report.model_validate_json(row[0]) if row else None

    def put_report(self, repository_id: int, report: Report, due_at: datetime | None) -> None:
        self._put(repository_id, report, micros(due_at))

    def pulls(self, repository_id: int, most: int) -> Sequence[int]:
        known = [int(row[0].removeprefix(_ON_PULL)) for row in self._sql.rows(_PULLS, this=repository_id)]
        return sorted(known, reverse=True)[:most]

    def next_report(self) -> tuple[Repo, Report] | None:
        row = self._sql.row(_NEXT, now=self._now)
        return (_repo(row), Report.model_validate_json(row[4])) if row else None

    def _put(self, repository_id: int, report: Report, due_at: int | None) -> None:
        self._sql.run(
            _PUT_REPORT,
            repository_id=repository_id,
            place=report.place,
            due_at=due_at,
            document=report.model_dump_json(),
        )


def _version(row: Any) -> PolicyVersion:
    number, since, document = row
    return _read(document).model_copy(update={"number": number, "since": moment(since)})


@lru_cache(maxsize=256)
def _read(document: str) -> PolicyVersion:
    """Pages ask for the same few versions row by row."""
    return PolicyVersion.model_validate(json.loads(document) | {"since": datetime.min.replace(tzinfo=UTC)})


def _repo(row: Any) -> Repo:
    return Repo(id=row[0], installation_id=row[1], owner=row[2], name=row[3])
