"""Databases of older versions: a new program takes them over with everything that is in them."""

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import create_engine

from bot.store import migrate, schema
from tests.store.test_opening import url


@pytest.mark.parametrize("older", schema.VERSIONS[:-1])
def test_a_filled_database_of_an_older_version_keeps_everything_when_it_is_upgraded(older: str, tmp_path: Path) -> None:
    config = migrate.configuration()
    made = create_engine(url(tmp_path))
    with made.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, older)
    made.dispose()
    path = tmp_path / "signalbox.db"
    columns = fill(path)
    filled = rows(path, columns)

    assert migrate.upgrade(url(tmp_path)) == (older, schema.VERSIONS[-1])

    assert filled["records"]
    assert rows(path, columns) == filled


def fill(path: Path) -> dict[str, list[str]]:
    """Two rows in every table there is. The tables and their columns: a later version may have more of both."""
    connection = sqlite3.connect(path)
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    made: dict[str, list[str]] = {}
    for table in [name for name in names if name not in {"alembic_version", "sqlite_sequence"}]:
        columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
        made[table] = [name for _, name, *_ in columns]
        for number in (7, 8):
            values = [number if kind in {"BIGINT", "INTEGER"} else f"{name}-{number}" for _, name, kind, *_ in columns]
            connection.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(columns))})", values)
    connection.commit()
    connection.close()
    return made


def rows(path: Path, columns: Mapping[str, list[str]]) -> dict[str, list[Any]]:
    connection = sqlite3.connect(path)
    found = {
        table: connection.execute(f"SELECT {', '.join(names)} FROM {table}").fetchall()
        for table, names in columns.items()
    }
    connection.close()
    return found
