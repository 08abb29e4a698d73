"""Runs revisions on the connection that `bot.store.migrate` hands over."""

from alembic import context

from bot.store.metadata import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite cannot alter most of a table in place
    transactional_ddl=True,  # SQLite can, unlike Alembic thinks: all or nothing
)
with context.begin_transaction():
    context.run_migrations()
