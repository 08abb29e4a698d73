"""The schema of a database: which one it has, and making the present one."""

import sqlite3
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any
from uuid import uuid4

from sqlalchemy.engine import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable

from bot.store.failures import StoreRefused
from bot.store.metadata import METADATA
from bot.store.sql import DIALECT

#: Every revision there ever was, oldest first. A database with another one was written by newer code.
VERSIONS = ("0001", "0002", "0003", "0004", "0005", "0006")

#: What Alembic noted.
NOTED = "SELECT version_num FROM alembic_version"


def version(connection: sqlite3.Connection) -> str | None:
    """The revision Alembic noted, None for an empty database. Raises ValueError for a foreign one."""
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return noted(tables, lambda: connection.execute(NOTED).fetchall())


def noted(tables: Sequence[tuple[Any, ...]], rows: Callable[[], Sequence[tuple[Any, ...]]]) -> str | None:
    """As `version`: `tables` by name, and what NOTED answers where there are any."""
    if not tables:
        return None
    if ("alembic_version",) not in tables:
        raise ValueError("it holds tables of something else")
    found = rows()
    return found[0][0] if found else None


def refuse_newer(name: object, found: str | None) -> None:
    """Raises StoreRefused for a schema that this version does not know: only a newer one can have written it."""
    if found is not None and found not in VERSIONS:
        raise StoreRefused(
            f"{name} was written by a newer Signalbox (schema {found}; this one knows {VERSIONS[-1]}). "
            "Start that version again, or restore a backup from before the upgrade."
        )


def create(connection: sqlite3.Connection) -> None:
    """Make the present schema in an empty database without Alembic, which takes longer to import than this to run."""
    connection.execute("BEGIN IMMEDIATE")
    for statement in statements(DIALECT):
        connection.execute(statement)
    connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
    connection.execute("INSERT INTO alembic_version VALUES (?)", (VERSIONS[-1],))
    connection.execute("COMMIT")


def instance(connection: sqlite3.Connection, fresh: str | None = None) -> str:
    """The name of this database for ever; given on the first call (`fresh`, else a random one)."""
    name = fresh or uuid4().hex
    connection.execute("INSERT INTO meta (name, value) VALUES ('instance', ?) ON CONFLICT DO NOTHING", (name,))
    found: str = connection.execute("SELECT value FROM meta WHERE name = 'instance'").fetchone()[0]
    return found


@cache
def statements(dialect: Dialect) -> tuple[str, ...]:
    """What makes the present tables and indexes, in this dialect."""
    tables = METADATA.sorted_tables
    indexes = [index for table in tables for index in sorted(table.indexes, key=lambda index: str(index.name))]
    made: list[CreateTable | CreateIndex] = [
        *(CreateTable(table) for table in tables),
        *(CreateIndex(index) for index in indexes),
    ]
    return tuple(str(one.compile(dialect=dialect)) for one in made)
