"""Bringing a database to the present schema. Imports Alembic, so it is imported late."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, event
from sqlalchemy.pool import StaticPool

from bot.store import connections, engine, schema
from bot.store.lock import FileLock


def upgrade(url: str) -> tuple[str | None, str]:
    """Migrate under the lock; the schema before (None: empty) and after. Safe to repeat. Raises StoreRefused."""
    path = engine.locate(url)
    lock = FileLock(path)
    try:
        before = engine.inspect(path)
        upgrade_locked(path)
    finally:
        lock.release()
    return before, schema.VERSIONS[-1]


def upgrade_locked(path: Path) -> None:
    """Run what is missing in one transaction: a crash in the middle leaves the schema that was."""
    made = create_engine("sqlite://", creator=lambda: connections.writing(str(path)), poolclass=StaticPool)
    event.listen(made, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    with made.connect() as connection:
        command.upgrade(configuration(connection=connection), "head")
    made.dispose()


def configuration(**attributes: object) -> Config:
    """Alembic's configuration without a file. `connection` is what the migrations run on."""
    config = Config(attributes=attributes)
    config.set_main_option("script_location", "bot.store:migrations")
    config.set_main_option("path_separator", "os")
    return config
