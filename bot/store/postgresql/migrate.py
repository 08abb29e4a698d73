"""Bringing a PostgreSQL database to the present schema. Imports Alembic, so it is imported late."""

import psycopg
from alembic import command
from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

from bot.store.migrate import configuration
from bot.store.postgresql import schema
from bot.store.postgresql.statements import MAKING


def run(info: str, to: str = "head") -> None:
    """One after the other, each all or nothing: a crash in the middle leaves the schema that was."""
    made = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(info), poolclass=StaticPool)
    made.dialect.type_compiler_instance = MAKING.type_compiler_instance
    with made.begin() as connection:
        connection.exec_driver_sql(schema.LOCK)
        command.upgrade(configuration(connection=connection), to)
    made.dispose()
