"""How PostgreSQL fails: races, which are run again, outages, which say nothing about the closure, and our own mistakes."""

import psycopg

#: Serialization failure, deadlock.
_RACES = frozenset({"40001", "40P01"})
#: A key is there already: taken by a transaction beside this one, as long as there is any; else it is a mistake of ours.
_TAKEN = "23505"
_READ_ONLY = "25006"
#: Classes of states: connection, transaction (read-only, idle for too long), resources (full), intervention, system, corrupt.
_OUTAGES = ("08", "25", "53", "55", "57", "58", "XX")


def is_race(error: psycopg.Error, *, alone: bool = False) -> bool:
    """`alone`: nobody else wrote."""
    return error.sqlstate in _RACES or (error.sqlstate == _TAKEN and not alone)


def is_outage(error: BaseException) -> bool:
    """True when the database is in trouble; False when a statement, so our own code, is wrong."""
    if not isinstance(error, psycopg.Error) or is_race(error):
        return False
    if error.sqlstate is None:  # the connection, not the server, says so
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return error.sqlstate.startswith(_OUTAGES)


def wrote_in_read(error: BaseException) -> bool:
    return isinstance(error, psycopg.Error) and error.sqlstate == _READ_ONLY


def said(error: psycopg.Error) -> str:
    """What the server said, in a line; of a read-only one, that it takes nothing."""
    lines = str(error).splitlines()
    text = lines[0] if lines else type(error).__name__
    return f"the database is read-only ({text})" if wrote_in_read(error) else text
