"""The schema of a database: which one it has, and making the present one."""

import sqlite3
from functools import cache
from uuid import uuid4

from sqlalchemy.schema import CreateIndex, CreateTable

from bot.store.metadata import METADATA
from bot.store.sql import DIALECT

#: Every revision there ever was, oldest first. A database with another one was written by newer code.
VERSIONS = ("0001", "0002", "0003", "0004", "0005")


def version(connection: sqlite3.Connection) -> str | None:
    """The revision Alembic noted, None for an empty database. Raises ValueError for a foreign one."""
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not names:
        return None
    if "alembic_version" not in names:
        raise ValueError("it holds tables of something else")
    rows = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    return rows[0][0] if rows else None


def create(connection: sqlite3.Connection) -> None:
    """Make the present schema in an empty database without Alembic, which takes longer to import than this to run."""
    connection.execute("BEGIN IMMEDIATE")
    for statement in _statements():
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
def _statements() -> tuple[str, ...]:
    tables = METADATA.sorted_tables
    indexes = [index for table in tables for index in sorted(table.indexes, key=lambda index: str(index.name))]
    made: list[CreateTable | CreateIndex] = [
        *(CreateTable(table) for table in tables),
        *(CreateIndex(index) for index in indexes),
    ]
    return tuple(str(one.compile(dialect=DIALECT)) for one in made)
