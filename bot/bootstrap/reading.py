"""The database for commands that only look: read-only, beside whoever writes, and refused when it has another schema."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import NoReturn

from bot.bootstrap.runtime import SystemClock
from bot.cli.operations import Refused
from bot.store import connections, schema
from bot.store.engine import locate
from bot.store.readers import Readers


@asynccontextmanager
async def reading(url: str) -> AsyncIterator[Readers]:
    """Raises Refused or StoreRefused."""
    path = locate(url)
    if not path.is_file():
        raise Refused(f"There is no database at {path} yet. Make one with: signalbox migrate")
    if not is_current(path):
        raise Refused(f"{path} has the schema of an older Signalbox. Bring it up to date: signalbox migrate")
    readers = Readers(str(path), SystemClock())
    try:
        yield readers
    finally:
        readers.close()


def is_current(path: Path) -> bool:
    """Whether the database has this version's schema. Needs no lock. Raises Refused when the file is something else, and
    StoreRefused when a newer version wrote it."""
    try:
        with closing(connections.reading(str(path))) as connection:
            found = schema.version(connection)
    except ValueError as foreign:
        _refuse(path, foreign)
    except sqlite3.Error as failed:
        _refuse(path, failed)
    schema.refuse_newer(path, found)
    return found == schema.VERSIONS[-1]


def _refuse(path: Path, why: Exception) -> NoReturn:
    raise Refused(f"{path} cannot be read: {why}.") from None
