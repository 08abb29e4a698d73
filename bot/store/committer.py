"""Group commit: many closures, one COMMIT, and nobody hurt by a neighbour.

Each closure has a savepoint; what it raises undoes only its own. Trouble of the database is another thing: some errors
throw the whole transaction away, released savepoints included. Then every closure runs again, alone. A COMMIT that
fails is looked up afterwards by the group's operation id, which is part of the transaction itself.
"""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from uuid import uuid4

from sqlalchemy import bindparam, select
from sqlalchemy.dialects.postgresql import insert

from bot.ports.runtime import Clock
from bot.ports.store import CommitUnknown, StoreUnavailable
from bot.store.failures import is_outage
from bot.store.jobs import Job, for_caller, unavailable
from bot.store.sql import SqliteSql
from bot.store.tables import meta
from bot.store.transaction import Transaction

#: Seconds after which a group takes no further closure.
GROUP_SECONDS = 0.02

_INSERT = insert(meta)
#: One row is enough: there is one writer, so only its last group can be in doubt.
_NOTE = _INSERT.on_conflict_do_update(index_elements=["name"], set_={"value": _INSERT.excluded.value})
_NOTED = select(meta.c.value).where(meta.c.name == bindparam("name"))


class _Lost(Exception):
    """The database threw the whole transaction away; nothing of it is stored."""


class Committer:
    """Owns the only writing connection; used by one thread. `trouble` is the last outage, None once a group succeeded."""

    def __init__(
        self,
        connect: Callable[[], sqlite3.Connection],
        clock: Clock,
        took: Callable[[float], None] = lambda _seconds: None,
    ) -> None:
        """`took` is told how many seconds each group took, with its COMMIT."""
        self.trouble: str | None = None
        self._took = took
        self._connect = connect
        self._clock = clock
        self._sql: SqliteSql | None = SqliteSql(connect())

    def commit(self, jobs: Sequence[Job]) -> int:
        """Run jobs from the front, commit, and give each a value or an error; how many were taken. Raises nothing."""
        try:
            taken = self._transaction(jobs)
        except _Lost:
            taken = len(jobs)
            for job in jobs:
                self._alone(job)
        except BaseException as error:  # noqa: BLE001 - the writer thread must outlive everything; the callers get it
            taken = len(jobs)
            _fail(jobs, error)
        outages = [str(job.error) for job in jobs[:taken] if isinstance(job.error, StoreUnavailable | CommitUnknown)]
        self.trouble = outages[-1] if outages else None
        return taken

    def checkpoint(self, mode: str = "PASSIVE") -> None:
        """Copy committed pages from the WAL into the database, without waiting for readers. Failing is no loss: the WAL
        keeps them, and the trouble shows."""
        try:
            if self._sql:
                self._sql.connection.execute(f"PRAGMA wal_checkpoint({mode})")
        except sqlite3.Error as error:
            self.trouble = str(error)

    def close(self) -> None:
        if self._sql:
            self.checkpoint("TRUNCATE")
            self._sql.connection.close()
            self._sql = None

    def _alone(self, job: Job) -> None:
        try:
            self._transaction([job])
        except BaseException as error:  # noqa: BLE001 - see commit
            _fail([job], error)

    def _transaction(self, jobs: Sequence[Job]) -> int:
        began = self._clock.monotonic()
        sql = self._sql or self._reopen()
        operation = uuid4().hex
        try:
            sql.connection.execute("BEGIN IMMEDIATE")
            sql.run(_NOTE, name="operation", value=operation)
            taken = self._closures(sql, jobs)
        except BaseException:
            self._abandon()
            raise
        self._commit(sql, operation)
        self._took(self._clock.monotonic() - began)
        return taken

    def _closures(self, sql: SqliteSql, jobs: Sequence[Job]) -> int:
        ends = self._clock.monotonic() + GROUP_SECONDS
        for taken, job in enumerate(jobs, start=1):
            self._closure(sql, job)
            if self._clock.monotonic() >= ends:
                return taken
        return len(jobs)

    def _closure(self, sql: SqliteSql, job: Job) -> None:
        sql.connection.execute("SAVEPOINT closure")
        job.value = job.error = None
        try:
            job.value = job.work(Transaction(sql, self._clock.now()))
        except BaseException as error:
            if not sql.connection.in_transaction:
                raise _Lost(str(error)) from error
            sql.connection.execute("ROLLBACK TO closure")
            job.error = for_caller(error, outage=is_outage(error))
        sql.connection.execute("RELEASE closure")

    def _commit(self, sql: SqliteSql, operation: str) -> None:
        try:
            sql.connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._abandon()
            try:
                noted = self._reopen().row(_NOTED, name="operation")
            except sqlite3.Error as second:
                raise CommitUnknown(f"COMMIT failed ({error}) and cannot be looked up ({second})") from error
            if noted != (operation,):
                raise StoreUnavailable(str(error)) from error

    def _abandon(self) -> None:
        """After trouble nothing about the old connection is trusted. Closing it rolls back."""
        sql, self._sql = self._sql, None
        if sql:
            with suppress(sqlite3.Error):
                sql.connection.close()

    def _reopen(self) -> SqliteSql:
        self._sql = SqliteSql(self._connect())
        return self._sql


def _fail(jobs: Sequence[Job], error: BaseException) -> None:
    """Nothing of the group is stored. Outside a closure every error of the database is an outage."""
    for job in jobs:
        job.error = unavailable(error) if isinstance(error, sqlite3.Error | _Lost) else error
