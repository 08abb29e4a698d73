"""How the database fails: outages, which say nothing about the closure, and databases that are refused at start."""

import sqlite3

_OUTAGES = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_READONLY,
    }
)


class StoreRefused(Exception):
    """The store cannot be opened, and `message` tells an operator why and what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class StoreDown(StoreRefused):
    """Nobody answers at the database now; later somebody may."""


def is_outage(error: BaseException) -> bool:
    """True when the database is in trouble; False when a statement, so our own code, is wrong."""
    if not isinstance(error, sqlite3.Error):
        return False
    code = getattr(error, "sqlite_errorcode", None)  # absent on errors of Python's own making
    return code is not None and code & 0xFF in _OUTAGES


def wrote_in_read(error: BaseException) -> bool:
    return isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_READONLY
