"""The store without threads: every transaction runs to its end inside the call, on one connection.

For the simulation, where a seeded scheduler decides what happens when. It never suspends.
"""

import sqlite3
from collections.abc import Callable
from functools import cache
from typing import TypeVar

from bot.ports.runtime import Clock
from bot.ports.store import StoreUnavailable, Tx
from bot.store import connections, schema
from bot.store.failures import is_outage
from bot.store.sql import SqliteSql
from bot.store.transaction import Transaction

T = TypeVar("T")


class InlineStore:
    """See `bot.ports.store.Store`. `before_commit` and `after_commit` are called around COMMIT: what they raise is a
    crash there, with the transaction gone, or durable. The clock given is the database clock."""

    shared = False
    exchanges = 0

    def __init__(self, path: str, clock: Clock, instance: str = "inline") -> None:
        self.before_commit: Callable[[], None] | None = None
        self.after_commit: Callable[[], None] | None = None
        self._clock = clock
        self._connection = connections.writing(path)
        if path == ":memory:":
            self._connection.deserialize(_empty())
        elif schema.version(self._connection) is None:
            schema.create(self._connection)
        self.instance_id = schema.instance(self._connection, instance)
        self._sql = SqliteSql(self._connection)

    @property
    def changes(self) -> int:
        """Rows written so far."""
        return self._connection.total_changes

    async def run(self, work: Callable[[Tx], T], first: bool = False) -> T:  # noqa: ARG002 - nothing queues here
        try:
            return self._run(work)
        except sqlite3.Error as error:
            if is_outage(error):
                raise StoreUnavailable(str(error)) from error
            raise

    async def read(self, work: Callable[[Tx], T]) -> T:
        before = self.changes
        self._connection.execute("BEGIN")
        try:
            result = work(Transaction(self._sql, self._clock.now()))
            if self.changes != before:
                raise RuntimeError("a closure given to read() tried to write")
            return result
        finally:
            self._connection.execute("ROLLBACK")

    async def close(self) -> None:
        self._connection.close()

    def _run(self, work: Callable[[Tx], T]) -> T:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            result = work(Transaction(self._sql, self._clock.now()))
            if self.before_commit:
                self.before_commit()
            self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        if self.after_commit:
            self.after_commit()
        return result


@cache
def _empty() -> bytes:
    """The present schema, made once: every story begins with it."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    schema.create(connection)
    made = connection.serialize()
    connection.close()
    return made
