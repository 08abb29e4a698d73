"""One connection and the transactions on it: raced ones run again, and a COMMIT that nobody answered is looked up.

Everything is SERIALIZABLE, so that closures may think, as on SQLite, that they run one after the other. What that costs
are races: a transaction that lost one runs again, while nobody else writes.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any, LiteralString, TypeVar
from uuid import uuid4

import psycopg
from psycopg.errors import Diagnostic

from bot.ports.runtime import Clock
from bot.ports.store import CommitUnknown, StoreUnavailable, Tx
from bot.store.jobs import for_caller
from bot.store.moments import moment
from bot.store.postgresql.connections import Connection, Cursor
from bot.store.postgresql.failures import is_outage, is_race, said, wrote_in_read
from bot.store.postgresql.statements import PostgresqlSql
from bot.store.transaction import Transaction

T = TypeVar("T")
#: Tries of one transaction: so many beside all others, the rest without them. Whoever lost a race mostly loses the next one too.
BESIDE, MOST_TRIES = 1, 9
#: Seconds before each try to look an unanswered COMMIT up: a server that restarts, or hands over, takes a moment.
LOOKS = (0.0, 0.2, 1.0, 2.0, 4.0)

NOW = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
_READ = f"BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY; SELECT {NOW}"
_READ_UNTROUBLED = f"BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE; SELECT {NOW}"
#: The first lock is shared by all that write, the second by nobody: it waits for them, and they for it. A lock takes no snapshot,
#: so whoever waited sees what was done meanwhile.
_WRITE = "BEGIN ISOLATION LEVEL SERIALIZABLE; LOCK TABLE meta IN"
_BESIDE, _ALONE = f"{_WRITE} ROW EXCLUSIVE MODE", f"{_WRITE} SHARE ROW EXCLUSIVE MODE"
#: Another one after each failover and each restore to a point in time; of a standby it cannot be asked.
_TIMELINE = "left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)"
#: One row for each connection of each process: only its last transaction can be in doubt.
_NOTE = (
    f"INSERT INTO meta (name, value) VALUES (%s, %s || ' ' || {NOW}) "  # noqa: S608 - NOW is our own text
    f"ON CONFLICT (name) DO UPDATE SET value = excluded.value RETURNING {NOW}, {_TIMELINE}"
)
#: Waits for a transaction that still holds the row: once this answers, it has happened or never will.
_NOTED = (
    f"INSERT INTO meta (name, value) VALUES (%s, '- ' || {NOW}) "  # noqa: S608 - see above
    "ON CONFLICT (name) DO UPDATE SET value = meta.value RETURNING split_part(meta.value, ' ', 1)"
)


class Raced(Exception):
    """Somebody else was first; nothing of it is stored, and it may run again."""


class Session:
    """Used by one thread at a time. `connect` opens a connection, `name` is its own among all of all processes; `clock` None =
    the database's; `heard` is told what that one says, and with writes on which timeline the database is."""

    def __init__(
        self,
        connect: Callable[[], Connection],
        name: str,
        clock: Clock | None = None,
        heard: Callable[..., None] = lambda *_told: None,
    ) -> None:
        self._connect = connect
        self._name = f"operation:{name}"
        self._clock = clock
        self._heard = heard
        self._open: Connection | None = None
        self._closing = threading.Event()
        self._warnings: list[str] = []

    def run(self, work: Callable[[Tx], T]) -> T:
        """See `bot.ports.store.Store.run`."""
        return self._repeated(lambda tries: self._write(work, alone=tries >= BESIDE))

    def read(self, work: Callable[[Tx], T]) -> T:
        """See `bot.ports.store.Store.read`."""
        return self._repeated(lambda tries: self._read(work, untroubled=tries >= BESIDE))

    def execute(self, statement: str, *values: str) -> None:
        """One statement of its own."""
        with self._outages():
            self._connection().execute(statement, values)

    def close(self) -> None:
        """From any thread: a look at an unanswered COMMIT is given up."""
        self._closing.set()
        self._abandon()

    def _repeated(self, once: Callable[[int], T]) -> T:
        last: BaseException | None = None
        for tries in range(MOST_TRIES):
            try:
                return once(tries)
            except Raced as raced:
                last = raced.__cause__
        raise StoreUnavailable("other transactions always came first") from last

    def _write(self, work: Callable[[Tx], T], *, alone: bool) -> T:
        operation = uuid4().hex
        with self._outages(alone=alone):
            connection, _ = self._begun(_ALONE if alone else _BESIDE)
            noted = connection.execute(_NOTE, (self._name, operation)).fetchone()
            value = work(Transaction(PostgresqlSql(connection), self._now(noted)))
        self._commit(connection, operation)
        return value

    def _read(self, work: Callable[[Tx], T], *, untroubled: bool) -> T:
        with self._outages():
            connection, cursor = self._begun(_READ_UNTROUBLED if untroubled else _READ)
            cursor.nextset()
            try:
                value = work(Transaction(PostgresqlSql(connection), self._now(cursor.fetchone())))
            except psycopg.Error as error:
                if wrote_in_read(error):
                    raise RuntimeError("a closure given to read() tried to write") from error
                raise
            connection.execute("COMMIT")
        return value

    def _commit(self, connection: Connection, operation: str) -> None:
        self._warnings.clear()
        try:
            became = connection.execute("COMMIT").statusmessage
        except psycopg.Error as error:
            if is_race(error):
                raise Raced from error
            self._abandon()
            if not self._happened(operation, error):
                raise StoreUnavailable(said(error)) from error
        else:
            if became != "COMMIT":
                raise StoreUnavailable(f"the database answered COMMIT with {became}")
            self._heed_warnings()

    def _happened(self, operation: str, why: psycopg.Error) -> bool:
        """Raises CommitUnknown while nobody can say."""
        last = said(why)
        for seconds in LOOKS:
            if self._closing.wait(seconds):
                break
            self._warnings.clear()
            try:
                row = self._connection().execute(_NOTED, (self._name,)).fetchone()
            except psycopg.Error as error:
                self._abandon()
                last = said(error)
            else:
                self._heed_warnings()
                return row == (operation,)
        raise CommitUnknown(f"COMMIT was not answered ({said(why)}) and cannot be looked up ({last})") from why

    @contextmanager
    def _outages(self, *, alone: bool = False) -> Iterator[None]:
        """Nothing stays open after an error; a connection that met an outage is not used again."""
        try:
            yield
        except BaseException as error:
            outage = is_outage(error)
            self._roll_back(trusted=not outage)
            if isinstance(error, psycopg.Error):
                if is_race(error, alone=alone):
                    raise Raced from error
                if outage:
                    raise StoreUnavailable(said(error)) from error
            raise for_caller(error, outage=False) from error.__cause__

    def _now(self, row: tuple[Any, ...] | None) -> datetime:
        assert row is not None, "the database tells its time"
        self._heard(*row)
        return moment(row[0]) if self._clock is None else self._clock.now()

    def _begun(self, statement: LiteralString) -> tuple[Connection, Cursor]:
        """A connection that was lost since the last transaction is known by the first statement of this one: a new one is as
        good, and nothing has happened yet."""
        fresh = self._open is None
        connection = self._connection()
        try:
            return connection, connection.execute(statement)
        except psycopg.Error as error:
            if fresh or not is_outage(error):
                raise
        self._abandon()
        connection = self._connection()
        return connection, connection.execute(statement)

    def _connection(self) -> Connection:
        if self._open is None or self._open.closed:
            self._open = self._connect()
            self._open.add_notice_handler(self._noticed)
        return self._open

    def _heed_warnings(self) -> None:
        """After a COMMIT: it is done here, and no standby is known to have it."""
        if self._warnings:
            raise CommitUnknown(f"the database committed with a warning: {self._warnings[0]}")

    def _noticed(self, notice: Diagnostic) -> None:
        if notice.severity_nonlocalized == "WARNING":
            self._warnings.append(notice.message_primary or "")

    def _roll_back(self, *, trusted: bool) -> None:
        if self._open is None:
            return
        try:
            if trusted:
                self._open.execute("ROLLBACK")
                return
        except psycopg.Error:
            pass
        self._abandon()

    def _abandon(self) -> None:
        """Closing it rolls back."""
        connection, self._open = self._open, None
        if connection is not None:
            with suppress(psycopg.Error):
                connection.close()
