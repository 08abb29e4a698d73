"""The database for commands that only look: read-only, beside whoever writes, and refused when it has another schema."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import NoReturn

from bot.app.browse import Snapshot
from bot.bootstrap.database import called, is_shared
from bot.bootstrap.runtime import SystemClock
from bot.cli.operations import Refused
from bot.store import connections, schema
from bot.store.engine import locate
from bot.store.readers import Readers


@asynccontextmanager
async def reading(url: str) -> AsyncIterator[Snapshot]:
    """Raises Refused or StoreRefused."""
    current = await asyncio.to_thread(is_current, url)
    if current is None:
        _none_yet(url)
    if not current:
        raise Refused(f"{_place(url)} has the schema of an older Signalbox. Bring it up to date: signalbox migrate")
    if is_shared(url):
        from bot.store.postgresql import opening  # noqa: PLC0415 - only where there is such a database

        store = opening.looking(url, time.monotonic)
        try:
            yield store.read
        finally:
            await store.close()
        return
    readers = Readers(str(locate(url)), SystemClock())
    try:
        yield readers.run
    finally:
        readers.close()


def is_current(url: str) -> bool | None:
    """Whether the database has this version's schema; None where there is none yet. Needs no lock. Raises Refused when it is
    something else, and StoreRefused when a newer version wrote it."""
    if is_shared(url):
        from bot.store.postgresql import opening  # noqa: PLC0415 - see above

        return opening.is_current(url)
    path = locate(url)
    return _file_is_current(path) if path.is_file() else None


def must_exist(url: str) -> None:
    """Whoever asks about something in a database that is not there is refused, and leaves none behind. Raises Refused."""
    if is_current(url) is None:
        _none_yet(url)


def _none_yet(url: str) -> NoReturn:
    raise Refused(
        f"There is no database at {_place(url)} yet. signalbox serve makes it when it starts, signalbox migrate without serving. "
        "If a server runs already, this needs its DATA_DIR or DATABASE_URL."
    )


def _file_is_current(path: Path) -> bool:
    try:
        with closing(connections.reading(str(path))) as connection:
            found = schema.version(connection)
    except ValueError as foreign:
        _refuse(path, foreign)
    except sqlite3.Error as failed:
        _refuse(path, failed)
    schema.refuse_newer(path, found)
    return found == schema.VERSIONS[-1]


def _place(url: str) -> str:
    return called(url) if is_shared(url) else str(locate(url))


def _refuse(path: Path, why: Exception) -> NoReturn:
    raise Refused(f"{path} cannot be read: {why}.") from None
