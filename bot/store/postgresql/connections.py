"""Connections to PostgreSQL. Transactions are begun and ended by hand."""

from typing import Any

import psycopg

Connection = psycopg.Connection[tuple[Any, ...]]
Cursor = psycopg.Cursor[tuple[Any, ...]]
#: Seconds after which a server that does not answer is gone.
_CONNECT, _SILENT = 5, 30
#: A process that stalls inside a transaction keeps the others from writing for no longer than this: closures take milliseconds.
#: Nor does one statement, or one lock, last for ever.
BOUNDS = (
    "SET idle_in_transaction_session_timeout = '5s'",
    "SET statement_timeout = '60s'",
    "SET lock_timeout = '20s'",
    # Also small tables are read along an index: a transaction has looked at less then, and loses fewer races.
    "SET enable_seqscan = off",
    "SET default_transaction_isolation = 'read committed'",  # what is not said with BEGIN is one statement of our own
    # Acknowledged is durable, whatever the database was set to. Stricter settings (remote_apply) stay.
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
)


def connect(info: str) -> Connection:
    """Raises the driver's errors."""
    connection = psycopg.connect(
        info,
        autocommit=True,
        connect_timeout=_CONNECT,
        application_name="signalbox",
        keepalives_idle=_SILENT,
        tcp_user_timeout=_SILENT * 1000,
    )
    try:
        connection.execute(";".join(BOUNDS))
    except BaseException:
        connection.close()
        raise
    return connection
