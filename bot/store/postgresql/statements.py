"""The shared statements in PostgreSQL's words."""

from typing import Any

from sqlalchemy.dialects.postgresql.base import PGTypeCompiler
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.sql.expression import Executable

from bot.store.postgresql.connections import Connection
from bot.store.sql import Compilations, Sql, compile_into, for_people


class _Types(PGTypeCompiler):
    def visit_TEXT(self, type_: Any, **_kw: Any) -> str:  # noqa: ARG002, N802 - SQLAlchemy's name
        """Texts are ordered and compared byte by byte, as SQLite does it, whatever language the database was made for."""
        return 'TEXT COLLATE "C"'


class Dialect(PGDialect_psycopg):
    """For making tables; statements need no other words than SQLAlchemy's."""

    type_compiler_cls = _Types
    supports_statement_cache = True


DIALECT = PGDialect_psycopg()  # type: ignore[no-untyped-call]  # SQLAlchemy gives it no types
MAKING = Dialect()  # type: ignore[no-untyped-call]  # see above
_compiled: Compilations = {}


class PostgresqlSql(Sql):
    shared = True

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def _execute(self, statement: Executable, values: dict[str, Any]) -> Any:
        values = {name: _kept(value) for name, value in values.items()}
        text, defaults = _compiled.get(statement) or compile_into(_compiled, statement, values, DIALECT)
        return self._connection.execute(text, {**defaults, **values} if defaults else values, binary=True)


def _kept(value: Any) -> Any:
    """PostgreSQL has no NUL in a text. Documents have it as an escape; a name that people ask for with one is nobody's."""
    return for_people(value) if isinstance(value, str) else value
