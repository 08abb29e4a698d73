"""The schema on PostgreSQL: both ways to it give the same, and a filled database is brought forward."""

from collections.abc import Mapping
from typing import Any

import pytest

from bot.store import schema
from bot.store.postgresql import migrate, opening
from bot.store.postgresql.connections import Connection
from tests.kit.postgresql import Server

COLUMNS = (
    "SELECT table_name, column_name, data_type, collation_name, is_nullable, column_default "
    "FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, ordinal_position"
)
INDEXES = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1"
VALUES: Mapping[str, Any] = {"bigint": int, "integer": int, "bytea": lambda number: bytes([number])}


def rows(connection: Connection, query: str) -> list[tuple[Any, ...]]:
    return connection.execute(query).fetchall()


def test_the_migrations_and_the_direct_way_make_the_same_schema(server: Server, database: str) -> None:
    migrated = server.clone("template0")
    migrate.run(server.url(migrated))

    with server.connect(migrated) as one, server.connect(database) as other:
        assert rows(one, COLUMNS) == rows(other, COLUMNS)
        assert rows(one, INDEXES) == rows(other, INDEXES)
        texts = {collation for *_, kind, collation, _, _ in rows(other, COLUMNS) if kind == "text"}
    assert texts == {"C"}
    server.drop(migrated)


@pytest.mark.parametrize("older", schema.VERSIONS[:-1])
def test_a_filled_database_of_an_older_version_keeps_everything_when_it_is_upgraded(server: Server, older: str) -> None:
    name = server.clone("template0")
    migrate.run(server.url(name), older)
    with server.connect(name) as connection:
        queries = fill(connection)
        filled = [rows(connection, query) for query in queries]

    assert opening.upgrade(server.url(name)) == older

    with server.connect(name) as connection:
        assert all(len(table) == 2 for table in filled)
        assert [rows(connection, query) for query in queries] == filled
    assert opening.inspect(server.url(name)) == schema.VERSIONS[-1]
    assert opening.upgrade(server.url(name)) == schema.VERSIONS[-1]
    server.drop(name)


def fill(connection: Connection) -> list[str]:
    """Two rows in every table there is. What reads them: a later version may have more tables and columns."""
    tables: dict[str, list[tuple[str, str]]] = {}
    for table, column, kind, *_ in rows(connection, COLUMNS):
        if table != "alembic_version":
            tables.setdefault(table, []).append((column, kind))
    for table, columns in tables.items():
        for number in (7, 8):
            values = [VALUES.get(kind, f"{column}-{{}}".format)(number) for column, kind in columns]
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join(['%s'] * len(values))})", values)
    return [f"SELECT {', '.join(name for name, _ in columns)} FROM {table}" for table, columns in tables.items()]
