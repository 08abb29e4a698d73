"""The statements of a transaction, to be run again without anything of ours around them."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bot.ports.runtime import Clock
from bot.ports.store import Tx
from bot.store import connections, schema
from bot.store.sql import SqliteSql
from bot.store.transaction import Transaction

Statement = tuple[str, Any]


class _Recording:
    """A connection that keeps what it was asked."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.asked: list[Statement] = []

    def execute(self, text: str, values: Any = ()) -> sqlite3.Cursor:
        self.asked.append((text, values))
        return self._connection.execute(text, values)


def recorded(path: Path, clock: Clock, works: Sequence[Callable[[Tx], object]]) -> list[list[Statement]]:
    """What each closure asks of the database, which is as it was before afterwards."""
    connection = connections.writing(str(path))
    recording = _Recording(connection)
    connection.execute("BEGIN IMMEDIATE")
    found = []
    for work in works:
        recording.asked = []
        work(Transaction(SqliteSql(recording), clock.now()))  # type: ignore[arg-type]  # all that is asked of it
        found.append(recording.asked)
    connection.execute("ROLLBACK")
    connection.close()
    return found


@contextmanager
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    """As the store opens it: WAL, FULL; checkpoints by hand."""
    connection = connections.writing(str(path))
    try:
        yield connection
    finally:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()


def one_commit_each(connection: sqlite3.Connection, transactions: Sequence[Sequence[Statement]]) -> None:
    for place, statements in enumerate(transactions):
        connection.execute("BEGIN IMMEDIATE")
        for text, values in statements:
            connection.execute(text, values).fetchall()
        connection.execute("COMMIT")
        if place % 32 == 31:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


def empty(path: Path) -> None:
    """A database of the present schema."""
    connection = connections.writing(str(path))
    schema.create(connection)
    connection.close()
