"""Real connections that fail where a test says so."""

import sqlite3
from collections.abc import Callable
from typing import Any


class Faults:
    """What goes wrong next, and what was seen."""

    def __init__(self) -> None:
        self.error: Callable[[], BaseException] = lambda: sqlite3.OperationalError("disk I/O error")
        self.commits = 0
        self._planned: list[str] = []
        self._late = False
        self._skip = 0
        self._opened: list[sqlite3.Connection] = []
        self._most_pages = 2**31

    def fail(self, statement: str, times: int = 1, skip: int = 0, late: bool = False, then: str = "") -> None:
        """The next statements that begin so fail (connecting is called `connect`), after `skip` that do not; `late`
        ones fail after having worked. `then` fails next."""
        self._planned, self._skip, self._late = [statement] * times + ([then] if then else []), skip, late

    def connect(self, path: str) -> sqlite3.Connection:
        if self.due("connect"):
            raise self.error()
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=_Connection)
        assert isinstance(connection, _Connection)
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "wal_autocheckpoint = 0"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute(f"PRAGMA max_page_count = {self._most_pages}")
        connection.faults = self
        self._opened.append(connection)
        return connection

    def limit(self, pages: int) -> None:
        """The disk has room for that many pages more (0: for any)."""
        connection = self._opened[-1]
        (used,) = connection.execute("PRAGMA page_count").fetchone()
        self._most_pages = used + pages if pages else 2**31
        connection.execute(f"PRAGMA max_page_count = {self._most_pages}")

    def due(self, statement: str) -> bool:
        self.commits += statement == "COMMIT"
        if not self._planned or not statement.startswith(self._planned[0]):
            return False
        if self._skip:
            self._skip -= 1
            return False
        self._planned.pop(0)
        return True

    def late(self) -> bool:
        return self._late


class _Connection(sqlite3.Connection):
    faults: Faults | None = None

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        if self.faults is None or not self.faults.due(sql):
            return super().execute(sql, *parameters)
        if self.faults.late():
            super().execute(sql, *parameters)
        raise self.faults.error()
