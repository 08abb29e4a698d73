"""A bell between processes: LISTEN and NOTIFY, so that one hears at once what another one has stored.

A hint and nothing more. It is not part of any transaction, may be lost, and tells nothing but that there is something to do;
whoever hears none looks all the same.
"""

import os
import select
import threading
from collections.abc import Callable
from contextlib import suppress

import psycopg

from bot.ports.store import StoreUnavailable
from bot.store.postgresql.connections import Connection
from bot.store.postgresql.session import Session

_CHANNEL = "signalbox"
#: Seconds between two rings; what happens in between is seen with what was rung for, or by the next look.
EACH = 0.05
#: Seconds after which a listener that lost its connection tries again.
_AGAIN = 1.0


class Bell:
    """`process` names this one, which does not hear itself."""

    def __init__(self, connect: Callable[[], Connection], process: str) -> None:
        self._connect = connect
        self._process = process
        self._rung = float("-inf")
        self._closed = threading.Event()
        self._wake, self._waker = os.pipe()
        self._thread: threading.Thread | None = None

    def may_ring(self, now: float) -> bool:
        """Whether the last time was long enough ago; `now` in monotonic seconds."""
        if now - self._rung < EACH:
            return False
        self._rung = now
        return True

    def ring(self, session: Session) -> None:
        with suppress(StoreUnavailable):
            session.execute("SELECT pg_notify(%s, %s)", _CHANNEL, self._process)

    def listen(self, heard: Callable[[], None]) -> None:
        self._thread = threading.Thread(target=self._listen, args=(heard,), name="store-listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Safe to repeat."""
        if self._closed.is_set():
            return
        self._closed.set()
        os.write(self._waker, b".")
        if self._thread is not None:
            self._thread.join()
        os.close(self._wake)
        os.close(self._waker)

    def _listen(self, heard: Callable[[], None]) -> None:
        while not self._closed.is_set():
            with suppress(psycopg.Error, OSError), self._connect() as connection:
                connection.execute(f"LISTEN {_CHANNEL}")
                heard()  # what was rung meanwhile is not known
                self._hear(connection, heard)
            self._closed.wait(_AGAIN)

    def _hear(self, connection: Connection, heard: Callable[[], None]) -> None:
        while not self._closed.is_set():
            select.select([connection.fileno(), self._wake], [], [])
            connection.pgconn.consume_input()
            rung = False
            while (note := connection.pgconn.notifies()) is not None:
                rung = rung or note.extra != self._process.encode()
            if rung:
                heard()
