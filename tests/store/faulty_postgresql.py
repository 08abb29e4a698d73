"""Connections to a real PostgreSQL server whose COMMIT meets what a test says."""

import socket
from collections.abc import Callable
from typing import Any

import psycopg

from bot.store.postgresql import connections
from bot.store.postgresql.connections import Connection
from tests.kit.postgresql import Server

#: What happens at a COMMIT: the server ends this connection first; or answers nobody; or the link dies while it commits.
KILLED, UNANSWERED, CUT = "killed", "unanswered", "cut"


class Faults:
    """`next` is what the next COMMIT of a writing transaction meets. `down` makes connecting fail so many times."""

    def __init__(self, server: Server, name: str) -> None:
        self.server = server
        self.name = name
        self.next: str | None = None
        self.down = 0
        self.then_down = 0
        self.commits = 0

    def connect(self) -> Connection:
        if self.down:
            self.down -= 1
            raise psycopg.OperationalError("connection refused")
        return _Watched(connections.connect(self.server.url(self.name)), self)  # type: ignore[return-value]

    def meets(self, real: Connection, execute: Callable[[], Any]) -> Any:
        self.commits += 1
        fault, self.next = self.next, None
        if fault is not None:
            self.down, self.then_down = self.then_down, 0
        match fault:
            case "killed":
                self.server.kill_backends(self.name, f"pid = {real.info.backend_pid}")
                return execute()
            case "unanswered":
                execute()
                raise psycopg.OperationalError("the connection is lost")
            case "cut":
                real.pgconn.send_query(b"COMMIT")
                real.pgconn.flush()
                with socket.socket(fileno=real.fileno()) as link:
                    link.shutdown(socket.SHUT_RDWR)
                    link.detach()
                raise psycopg.OperationalError("the connection is lost")
        return execute()


class _Watched:
    """A connection, all of it, but for how COMMIT goes."""

    def __init__(self, real: Connection, faults: Faults) -> None:
        self._real = real
        self._faults = faults
        self._writes = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def execute(self, statement: str, *values: Any, **options: Any) -> Any:
        if statement.startswith("BEGIN"):
            self._writes = "READ ONLY" not in statement
        if statement == "COMMIT" and self._writes:
            return self._faults.meets(self._real, lambda: self._real.execute(statement))
        return self._real.execute(statement, *values, **options)
