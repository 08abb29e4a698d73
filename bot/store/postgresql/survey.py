"""What doctor wants to know of a PostgreSQL database."""

from typing import NamedTuple

from bot.store.postgresql.address import conninfo, place
from bot.store.postgresql.connections import connect
from bot.store.postgresql.opening import inspected, politely

_ASKED = (
    "SELECT current_setting('server_version'), "
    "pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on', "
    "array_remove(ARRAY[CASE current_setting('fsync') WHEN 'off' THEN 'fsync' END, "
    "CASE current_setting('full_page_writes') WHEN 'off' THEN 'full_page_writes' END], NULL), "
    "EXISTS (SELECT FROM pg_stat_replication WHERE application_name NOT LIKE 'pg_%backup%'), "
    "current_setting('synchronous_standby_names') <> ''"
)


class Surveyed(NamedTuple):
    """`version` None = empty. `unsafe`: settings that are off and should not be. `replicated`: a standby follows it."""

    place: str
    version: str | None
    server: str
    read_only: bool
    unsafe: tuple[str, ...]
    replicated: bool
    synchronous: bool


def survey(url: str) -> Surveyed:
    """Raises StoreRefused, and StoreDown where nobody answers."""
    info = conninfo(url)
    with politely(info), connect(info) as connection:
        version = inspected(connection, place(info))
        row = connection.execute(_ASKED).fetchone()
        assert row is not None, "one row is asked for"
        server, read_only, unsafe, replicated, synchronous = row
    return Surveyed(place(info), version, server, read_only, tuple(unsafe), replicated, synchronous)
