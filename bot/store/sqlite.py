"""The store on one SQLite file: a writer thread with group commit, and readers beside it.

One process owns the file (bot.store.engine holds its lock), so the clock port given here is the database clock.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from bot.ports.runtime import Clock
from bot.ports.store import StoreUnavailable, Tx
from bot.store import connections, schema
from bot.store.committer import Committer
from bot.store.jobs import Job, hand_out
from bot.store.readers import Readers
from bot.store.waiting import Waiting

T = TypeVar("T")

#: Groups between two checkpoints under load: small and frequent ones keep the tail of the latency short.
_GROUPS_PER_CHECKPOINT = 32
#: Seconds without work after which the WAL is copied back.
_IDLE_SECONDS = 0.1


class SqliteStore:
    """See `bot.ports.store.Store`. The file must have the present schema. A cancelled caller's transaction still
    commits; `close` commits all that waits."""

    shared = False
    exchanges = 0

    def __init__(
        self,
        path: str,
        clock: Clock,
        connect: Callable[[str], sqlite3.Connection] = connections.writing,
        release: Callable[[], None] = lambda: None,
        took: Callable[[float], None] = lambda _seconds: None,
    ) -> None:
        """`release` is called when the file is no longer in use; `took` with the seconds of each group of transactions."""
        connection = connect(path)
        self.instance_id = schema.instance(connection)
        connection.close()
        self._committer = Committer(partial(connect, path), clock, took)
        self._readers = Readers(path, clock)
        self._release = release
        self._waiting = Waiting()
        self._failure: str | None = None
        self._thread = threading.Thread(target=self._write, name="store-writer", daemon=True)
        self._thread.start()

    @property
    def healthy(self) -> bool:
        """False while writing fails, or for good when the writer is gone."""
        return self.trouble is None

    @property
    def trouble(self) -> str | None:
        """What is wrong, for operators; None when all is well."""
        return self._failure or self._committer.trouble

    async def run(self, work: Callable[[Tx], T], first: bool = False) -> T:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        if not self._waiting.put(Job(work, future), first):
            raise StoreUnavailable("the store is closed")
        return await future  # cancelling the caller cancels this future, not the job

    async def read(self, work: Callable[[Tx], T]) -> T:
        return await self._readers.run(work)

    async def close(self) -> None:
        """The writer leaves last: only the last connection, and only a writing one, takes the WAL away."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, self._readers.close)
        self._waiting.close()
        await loop.run_in_executor(None, self._thread.join)
        self._release()

    def _write(self) -> None:
        """Nobody may wait for a thread that is gone: whatever ends it early is told to every caller, then shown."""
        try:
            self._serve()
        except BaseException as error:
            self._failure = f"the writer stopped: {error!r}"
            self._waiting.close()
            while group := self._waiting.take(0):
                for job in group:
                    job.error = StoreUnavailable(self._failure)
                hand_out(group)
            raise
        else:
            self._failure = "the store is closed"

    def _serve(self) -> None:
        groups = 0  # since the last checkpoint
        while (group := self._waiting.take(_IDLE_SECONDS if groups else None)) is not None:
            if group:
                taken = self._committer.commit(group)
                self._waiting.put_back(group[taken:])
                hand_out(group[:taken])
                groups += 1
            if not group or groups >= _GROUPS_PER_CHECKPOINT:
                self._committer.checkpoint()
                groups = 0
        self._committer.close()
