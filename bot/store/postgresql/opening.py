"""Opening a PostgreSQL database, with the checks of a start: any number of processes may do it at once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from uuid import uuid4

import psycopg

from bot.ports.runtime import Clock
from bot.store import schema as known
from bot.store.failures import StoreDown, StoreRefused
from bot.store.postgresql import schema
from bot.store.postgresql.address import conninfo, place
from bot.store.postgresql.connections import Connection, connect
from bot.store.postgresql.failures import is_outage, said
from bot.store.postgresql.session import NOW
from bot.store.postgresql.store import PostgresqlStore

#: The oldest server that this is meant for.
OLDEST = 14
#: What a note says of a transaction is asked for within seconds.
_FORGET = (
    "DELETE FROM meta WHERE name LIKE 'operation:%' AND "  # noqa: S608 - NOW is our own text
    f"split_part(value, ' ', 2)::bigint < {NOW} - 86400000000"
)


def open(  # noqa: A001 - as `bot.store.engine.open`
    url: str,
    monotonic: Callable[[], float],
    took: Callable[[float], None] = lambda _seconds: None,
    clock: Clock | None = None,
) -> PostgresqlStore:
    """Check and migrate the database, then serve it. `clock` None = the database's. Raises StoreRefused; StoreDown where
    nobody answers there."""
    info = conninfo(url)
    with politely(info):
        with connect(info) as connection:
            if inspected(connection, place(info)) != known.VERSIONS[-1]:
                upgrade(info)
            instance = schema.instance(connection, uuid4().hex)
            connection.execute(_FORGET)
        return PostgresqlStore(partial(connect, info), instance, monotonic, clock, took)


def migrated(url: str) -> str | None:
    """Brought to the present schema; the one before. Raises as `open`."""
    info = conninfo(url)
    with politely(info):
        return upgrade(info)


def looking(url: str, monotonic: Callable[[], float]) -> PostgresqlStore:
    """For looks alone: nothing is made or migrated, or asked before the first look."""
    return PostgresqlStore(partial(connect, conninfo(url)), "", monotonic)


def is_current(url: str) -> bool | None:
    """Whether it has this version's schema; None for an empty one. Raises as `open`."""
    info = conninfo(url)
    with politely(info):
        found = inspect(info)
    return None if found is None else found == known.VERSIONS[-1]


def inspect(info: str) -> str | None:
    """The schema of the database, None for an empty one. Raises StoreRefused, and the driver's errors."""
    with connect(info) as connection:
        return inspected(connection, place(info))


def upgrade(info: str) -> str | None:
    """Make what is missing, after whoever does it already; the schema before. Raises as `inspect`."""
    with connect(info) as connection:
        connection.execute("BEGIN")
        connection.execute(schema.LOCK)
        before = inspected(connection, place(info))
        if before is None:
            schema.create(connection)
        connection.execute("COMMIT")
    if before not in {None, known.VERSIONS[-1]}:
        from bot.store.postgresql import migrate  # noqa: PLC0415 - Alembic takes long to import and is rarely needed

        migrate.run(info)
    return before


@contextmanager
def politely(info: str) -> Iterator[None]:
    """What the driver raises, as a refusal. Raises StoreDown where the database does not answer, StoreRefused else."""
    try:
        yield
    except psycopg.Error as error:
        if is_outage(error):
            raise StoreDown(f"The database {place(info)} does not answer: {said(error)}.") from error
        raise StoreRefused(f"The database {place(info)} cannot be used: {said(error)}.") from error


def inspected(connection: Connection, name: str) -> str | None:
    """Raises StoreRefused for a database that this version cannot use."""
    if connection.info.server_version < OLDEST * 10000:
        raise StoreRefused(
            f"{name} is PostgreSQL {connection.info.server_version // 10000}; {OLDEST} or newer is needed."
        )
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreRefused(f"{name} keeps texts as {encoding}. Make a database with: CREATE DATABASE … ENCODING 'UTF8'")
    try:
        found = schema.version(connection)
    except ValueError as error:
        raise StoreRefused(f"{name} is not a Signalbox database: {error}.") from error
    known.refuse_newer(name, found)
    return found
