"""The store on PostgreSQL: pools of threads, for as many processes as there are.

Nothing here decides anything: who works on what stands in the database, whose clock is the clock.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar
from uuid import uuid4

from bot.ports.runtime import Clock
from bot.ports.store import CommitUnknown, StoreUnavailable, Tx
from bot.store.jobs import Job, hand_out
from bot.store.postgresql.bell import Bell
from bot.store.postgresql.connections import Connection
from bot.store.postgresql.pool import Pool
from bot.store.postgresql.session import Session

T = TypeVar("T")

#: Connections of one process: for deliveries that arrive, for what is decided, for looks; and one that listens.
INTAKE, WORK, READ = 2, 6, 4


class PostgresqlStore:
    """See `bot.ports.store.Store`. The database must have the present schema. A cancelled caller's transaction still commits;
    `close` commits all that waits."""

    shared = True

    def __init__(
        self,
        connect: Callable[[], Connection],
        instance: str,
        monotonic: Callable[[], float],
        clock: Clock | None = None,
        took: Callable[[float], None] = lambda _seconds: None,
    ) -> None:
        """`instance` names the database. `clock` None = the database's. `took` is told what each writing transaction took."""
        self.instance_id = instance
        self.trouble: str | None = None
        self._monotonic = monotonic
        self._took = took
        self._ahead = 0.0
        self.exchanges = 0
        self._timeline: str | None = None
        self._exchanging = threading.Lock()
        process = uuid4().hex[:16]
        make = partial(self._session, connect, process, clock)
        self._intake = Pool("intake", INTAKE, make)
        self._work = Pool("work", WORK, make)
        self._read = Pool("read", READ, make)
        self._bell = Bell(connect, process)

    @property
    def healthy(self) -> bool:
        """False since an outage, until something succeeded."""
        return self.trouble is None

    def wall(self) -> float:
        """The database's time, in seconds since 1970, as it was told last; never ahead of it."""
        return self._ahead + self._monotonic()

    async def run(self, work: Callable[[Tx], T], first: bool = False) -> T:
        def timed(session: Session) -> T:
            began = self._monotonic()
            value = session.run(work)
            self._took(self._monotonic() - began)
            return value

        return await self._in(self._intake if first else self._work, timed)

    async def read(self, work: Callable[[Tx], T]) -> T:
        return await self._in(self._read, lambda session: session.read(work))

    def listen(self, heard: Callable[[], None]) -> None:
        """`heard` is called, in some thread, after another process rang."""
        self._bell.listen(heard)

    def ring(self) -> None:
        """Tells the other processes that there is something to do. A hint, which may be lost."""
        if self._bell.may_ring(self._monotonic()):
            with suppress(RuntimeError):  # closed
                self._work.submit(self._bell.ring)

    async def close(self) -> None:
        loop = asyncio.get_running_loop()
        for pool in (self._intake, self._work, self._read):
            await loop.run_in_executor(None, pool.close)
        await loop.run_in_executor(None, self._bell.close)

    async def _in(self, pool: Pool, ask: Callable[[Session], T]) -> T:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        try:
            pool.submit(partial(self._answer, future, ask))
        except RuntimeError:
            raise StoreUnavailable("the store is closed") from None
        return await future  # cancelling the caller cancels this future, not the job

    def _answer(self, future: asyncio.Future[T], ask: Callable[[Session], T], session: Session) -> None:
        """Nobody may wait for ever: whatever happens is told to the caller."""
        job = Job(ask, future)
        try:
            job.value = ask(session)
        except BaseException as error:  # noqa: BLE001 - the thread must outlive everything; the caller gets it
            job.error = error
        self.trouble = str(job.error) if isinstance(job.error, StoreUnavailable | CommitUnknown) else None
        hand_out([job])

    def _session(self, connect: Callable[[], Connection], process: str, clock: Clock | None, name: str) -> Session:
        return Session(connect, f"{process}/{name}", clock, self._heard)

    def _heard(self, micros: int, timeline: str | None = None) -> None:
        self._ahead = micros / 1e6 - self._monotonic()
        if timeline is None or timeline == self._timeline:
            return
        with self._exchanging:
            self.exchanges += self._timeline not in {None, timeline}
            self._timeline = timeline
