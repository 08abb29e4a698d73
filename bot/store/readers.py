"""Reading: each closure sees one snapshot of what is committed, on a read-only connection of its own."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from queue import Empty, LifoQueue
from typing import TypeVar

from bot.ports.runtime import Clock
from bot.ports.store import StoreUnavailable, Tx
from bot.store import connections
from bot.store.failures import is_outage, wrote_in_read
from bot.store.sql import SqliteSql
from bot.store.transaction import Transaction

T = TypeVar("T")
_THREADS = 4


class Readers:
    """A few threads and as many connections, opened when they are first needed."""

    def __init__(self, path: str, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="store-reader")
        self._idle: LifoQueue[sqlite3.Connection] = LifoQueue()

    async def run(self, work: Callable[[Tx], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._read, work)

    def close(self) -> None:
        """Waits for running closures."""
        self._threads.shutdown()
        while not self._idle.empty():
            self._idle.get().close()

    def _read(self, work: Callable[[Tx], T]) -> T:
        try:
            with self._connection() as connection:
                return work(Transaction(SqliteSql(connection), self._clock.now()))
        except sqlite3.Error as error:
            if wrote_in_read(error):
                raise RuntimeError("a closure given to read() tried to write") from error
            if is_outage(error):
                raise StoreUnavailable(str(error)) from error
            raise

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """In a transaction. One that met an error of the database is not used again."""
        try:
            connection = self._idle.get_nowait()
        except Empty:
            connection = connections.reading(self._path)
        try:
            connection.execute("BEGIN")
            yield connection
        except sqlite3.Error:
            connection.close()
            raise
        except BaseException:
            self._give_back(connection)
            raise
        self._give_back(connection)

    def _give_back(self, connection: sqlite3.Connection) -> None:
        connection.execute("ROLLBACK")
        self._idle.put(connection)
