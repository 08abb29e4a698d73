"""Connections to one SQLite file.

SQLite before 3.51.3 can corrupt a WAL that several connections write or checkpoint at once. Here one connection writes
and checkpoints, all others are read-only, so every version will do. Memory-mapped reads are never switched on.
"""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

#: Only the owner may open what holds the private words of repositories.
MODE = 0o600


def writing(path: str) -> sqlite3.Connection:
    """The only writing connection. Transactions are begun and ended by hand; nothing checkpoints by itself."""
    _close_to_others(path)
    connection = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False, cached_statements=256)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")  # NORMAL may lose the last commits with the power
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    return connection


def _close_to_others(path: str) -> None:
    """The file and what SQLite lays beside it; new ones get the mode of the database. One that is somebody else's is left
    as it is: who keeps it so has decided who may read it."""
    if path == ":memory:":
        return
    # Only where there was none: closing a file that SQLite has open in this process would end its locks. A path that
    # cannot be opened is SQLite's to refuse, in its own words.
    with suppress(OSError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, MODE))
    for name in (path, f"{path}-wal", f"{path}-shm"):
        with suppress(FileNotFoundError, PermissionError):
            Path(name).chmod(MODE)


def reading(path: str) -> sqlite3.Connection:
    uri = f"{Path(path).absolute().as_uri()}?mode=ro"
    return sqlite3.connect(
        uri, uri=True, timeout=10, isolation_level=None, check_same_thread=False, cached_statements=256
    )
