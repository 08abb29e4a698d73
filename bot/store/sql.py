"""Core statements on a driver's connection.

A statement is a module constant, compiled once per dialect and then handed to the driver as text: three times as fast
as executing it through SQLAlchemy, and there is no session whose end could roll a neighbour's savepoint back.
"""

import sqlite3
from abc import ABC, abstractmethod
from typing import Any

from sqlalchemy import ColumnElement, Table, and_, bindparam
from sqlalchemy.dialects.sqlite import dialect as sqlite_dialect
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.expression import Executable

from bot.domain.model.ids import RecordKey

DIALECT = sqlite_dialect(paramstyle="named")
Compiled = tuple[str, dict[str, Any]]
#: Statements as the driver takes them, each with the values that stand in it.
Compilations = dict[Executable, Compiled]
_compiled: Compilations = {}


class Sql(ABC):
    """Runs statements in whatever transaction the connection has open. Raises the driver's errors. `shared`: other processes
    may be at the same rows."""

    shared = False

    def rows(self, statement: Executable, **values: Any) -> list[Any]:
        """All rows, read at once: an open cursor would stand in the way of a rollback."""
        found: list[Any] = self._execute(statement, values).fetchall()
        return found

    def row(self, statement: Executable, **values: Any) -> Any:
        """The first row, or None."""
        found = self.rows(statement, **values)
        return found[0] if found else None

    def run(self, statement: Executable, **values: Any) -> int:
        """Write; how many rows it touched."""
        touched: int = self._execute(statement, values).rowcount
        return touched

    @abstractmethod
    def _execute(self, statement: Executable, values: dict[str, Any]) -> Any:
        """The driver's cursor."""


class SqliteSql(Sql):
    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def _execute(self, statement: Executable, values: dict[str, Any]) -> sqlite3.Cursor:
        text, defaults = _compiled.get(statement) or compile_into(_compiled, statement, values, DIALECT)
        return self.connection.execute(text, {**defaults, **values} if defaults else values)


def compile_into(known: Compilations, statement: Executable, values: dict[str, Any], dialect: Dialect) -> Compiled:
    """As SQLAlchemy does it: an INSERT or UPDATE without explicit values sets the columns named by the parameters."""
    compiled = statement.compile(dialect=dialect, column_keys=list(values))  # type: ignore[attr-defined]  # all are
    defaults = {name: value for name, value in compiled.params.items() if name not in values}
    return known.setdefault(statement, (str(compiled), defaults))


def belongs(table: Table) -> ColumnElement[bool]:
    """The rows of one record; its parameters are `named(key)`."""
    return and_(
        table.c.repository_id == bindparam("key_repository"),
        table.c.issue == bindparam("key_issue"),
    )


def named(key: RecordKey) -> dict[str, int]:
    return {"key_repository": key.repository_id, "key_issue": key.issue}


def for_people(text: str | None) -> str | None:
    """Notes are only ever shown. PostgreSQL cannot keep NUL in a text, so no database gets one."""
    return None if text is None else text.replace("\0", "\N{REPLACEMENT CHARACTER}")
