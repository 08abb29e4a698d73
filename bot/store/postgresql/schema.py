"""The schema of a PostgreSQL database: which one it has, and making the present one."""

from bot.store import schema
from bot.store.postgresql.connections import Connection
from bot.store.postgresql.statements import MAKING

#: Held while a schema is looked at and changed, so that processes that start together wait for each other.
LOCK = "SELECT pg_advisory_xact_lock(7305843009213693951)"
_TABLES = "SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = current_schema()"


def version(connection: Connection) -> str | None:
    """The revision Alembic noted, None for an empty database. Raises ValueError for a foreign one."""
    return schema.noted(connection.execute(_TABLES).fetchall(), lambda: connection.execute(schema.NOTED).fetchall())


def create(connection: Connection) -> None:
    """Make the present schema in an empty database, in the transaction that is open."""
    for statement in schema.statements(MAKING):
        connection.execute(statement)
    key = "CONSTRAINT alembic_version_pkc PRIMARY KEY"  # as Alembic calls it
    connection.execute(f"CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL {key})")
    connection.execute("INSERT INTO alembic_version VALUES (%s)", (schema.VERSIONS[-1],))


def instance(connection: Connection, fresh: str) -> str:
    """The name of this database for ever; `fresh` on the first call."""
    connection.execute("INSERT INTO meta (name, value) VALUES ('instance', %s) ON CONFLICT DO NOTHING", (fresh,))
    row = connection.execute("SELECT value FROM meta WHERE name = 'instance'").fetchone()
    assert row is not None, "it was just written"
    return str(row[0])
