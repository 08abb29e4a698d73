"""Threads of one kind of work, each with a connection while it works."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, LifoQueue
from threading import Lock

from bot.store.postgresql.session import Session


class Pool:
    """`size` threads, and as many connections, opened when they are first needed."""

    def __init__(self, name: str, size: int, make: Callable[[str], Session]) -> None:
        self._name = name
        self._make = make
        self._threads = ThreadPoolExecutor(size, thread_name_prefix=f"store-{name}")
        self._idle: LifoQueue[Session] = LifoQueue()
        self._made: list[Session] = []
        self._making = Lock()

    def submit(self, work: Callable[[Session], None]) -> None:
        """Raises RuntimeError once it is closed. `work` raises nothing."""
        self._threads.submit(self._with_a_session, work)

    def close(self) -> None:
        """Brings what was accepted to an end."""
        self._threads.shutdown()
        for session in self._made:
            session.close()

    def _with_a_session(self, work: Callable[[Session], None]) -> None:
        session = self._session()
        try:
            work(session)
        finally:
            self._idle.put(session)

    def _session(self) -> Session:
        try:
            return self._idle.get_nowait()
        except Empty:
            with self._making:
                session = self._make(f"{self._name}-{len(self._made)}")
                self._made.append(session)
            return session
