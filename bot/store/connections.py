"""Connections to one SQLite file.

SQLite before 3.51.3 can corrupt a WAL that several connections write or checkpoint at once. Here one connection writes
and checkpoints, all others are read-only, so every version will do. Memory-mapped reads are never switched on.
"""

import sqlite3
from pathlib import Path


def writing(path: str) -> sqlite3.Connection:
    """The only writing connection. Transactions are begun and ended by hand; nothing checkpoints by itself."""
    connection = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False, cached_statements=256)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")  # NORMAL may lose the last commits with the power
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    return connection


def reading(path: str) -> sqlite3.Connection:
    uri = f"{Path(path).absolute().as_uri()}?mode=ro"
    return sqlite3.connect(
        uri, uri=True, timeout=10, isolation_level=None, check_same_thread=False, cached_statements=256
    )
