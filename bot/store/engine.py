"""Opening the store that a database URL names, with the checks of a start."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from bot.ports.runtime import Clock
from bot.store import connections, schema
from bot.store.failures import StoreRefused
from bot.store.lock import FileLock
from bot.store.sqlite import SqliteStore

__all__ = ["StoreRefused", "inspect", "locate", "open"]

_RESTORE = (
    "Stop Signalbox, put a backup of the file in its place, without the -wal and -shm files beside it, and start again: "
    "what happened on GitHub since then is read from there."
)


def open(url: str, clock: Clock, took: Callable[[float], None] = lambda _seconds: None) -> SqliteStore:  # noqa: A001 - `engine.open` is how it reads
    """Lock, check and migrate the file, then serve it. `took` is told what each group of transactions took, in seconds.
    Raises StoreRefused."""
    path = locate(url)
    lock = FileLock(path)
    try:
        _bring_to_the_present(path, inspect(path))
        with _readable(path):
            return SqliteStore(str(path), clock, release=lock.release, took=took)
    except BaseException:
        lock.release()
        raise


def _bring_to_the_present(path: Path, found: str | None) -> None:
    if found is None:
        with _readable(path), closing(connections.writing(str(path))) as connection:
            schema.create(connection)
    elif found != schema.VERSIONS[-1]:
        from bot.store import migrate  # noqa: PLC0415 - Alembic takes long to import and is rarely needed

        migrate.upgrade_locked(path)


def locate(url: str) -> Path:
    """The file of `sqlite:///relative` or `sqlite:////absolute`; in a URL, % ? and # of a path are written as %25 %3F
    and %23. Raises StoreRefused for any other URL, without repeating it: it may hold a password."""
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise StoreRefused("DATABASE_URL is not a database URL, like sqlite:///signalbox.db") from error
    if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:"):
        raise StoreRefused(
            "DATABASE_URL must name an SQLite file, like sqlite:///signalbox.db, or a PostgreSQL database, like "
            "postgresql://user@host:5432/database"
        )
    path = Path(str(parsed.database)).absolute()
    if not path.parent.is_dir():
        raise StoreRefused(f"{path.parent} is not a directory, so {path.name} cannot be kept there.")
    return path


def inspect(path: Path) -> str | None:
    """The schema of a sound database, None for an empty one; the caller holds the lock. Raises StoreRefused."""
    with _readable(path):
        connection = connections.writing(str(path))
        try:
            damage = [text for (text,) in connection.execute("PRAGMA quick_check(3)") if text != "ok"]
            if damage:
                raise StoreRefused(f"{path} is damaged ({damage[0]}). {_RESTORE}")
            found = schema.version(connection)
        except ValueError as error:
            raise StoreRefused(f"{path} is not a Signalbox database: {error}.") from error
        finally:
            connection.close()
    schema.refuse_newer(path, found)
    return found


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StoreRefused(f"{path} cannot be opened: {error}.") from error
    except sqlite3.DatabaseError as error:
        raise StoreRefused(f"{path} is damaged ({error}). {_RESTORE}") from error
