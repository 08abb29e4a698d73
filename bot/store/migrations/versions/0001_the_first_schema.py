"""The first schema

Everything there was at the start.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _partial(name: str, table: str, *columns: str, where: str, unique: bool = False) -> None:
    condition = sa.text(where)
    op.create_index(name, table, list(columns), unique=unique, sqlite_where=condition, postgresql_where=condition)


def upgrade() -> None:
    op.create_table(
        "applied",
        sa.Column("repository_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("repository_id", "key"),
    )
    op.create_table(
        "attempts",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("issue", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("attempts_record", "attempts", ["repository_id", "issue", "created_at"])

    op.create_table(
        "deliveries",
        sa.Column("id", _SERIAL, nullable=False),
        sa.Column("guid", sa.Text(), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=True),
        sa.Column("lane", sa.BigInteger(), nullable=False),
        sa.Column("installation_id", sa.BigInteger(), nullable=True),
        sa.Column("repository", sa.Text(), nullable=True),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("worker", sa.Text(), nullable=True),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("guid"),
    )
    op.create_index("deliveries_received", "deliveries", ["received_at"])
    _partial("deliveries_waiting", "deliveries", "lane", "id", where="finished_at IS NULL")
    _partial("deliveries_working", "deliveries", "lane", "until", where="until IS NOT NULL")

    op.create_table(
        "effects",
        sa.Column("id", _SERIAL, nullable=False),
        sa.Column("once", sa.Text(), nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("issue", sa.BigInteger(), nullable=True),
        sa.Column("installation_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("repo", sa.Text(), nullable=False),
        sa.Column("effect", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("not_before", sa.BigInteger(), nullable=True),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("once"),
    )
    _partial("effects_order", "effects", "repository_id", "kind", "target", "id", where="finished_at IS NULL")
    op.create_index("effects_record", "effects", ["repository_id", "issue", "id"])
    _partial("effects_waiting", "effects", "id", where="finished_at IS NULL")

    op.create_table(
        "history",
        sa.Column("repository_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("issue", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("repository_id", "issue", "version"),
    )
    op.create_table(
        "installations",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("not_before", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "meta",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "records",
        sa.Column("repository_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("issue", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("last_refusal", sa.Text(), nullable=True),
        sa.Column("dirty_since", sa.BigInteger(), nullable=True),
        sa.Column("touched", sa.Integer(), nullable=True),
        sa.Column("publish_not_before", sa.BigInteger(), nullable=True),
        sa.Column("wake_at", sa.BigInteger(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("phase_since", sa.BigInteger(), nullable=False),
        sa.Column("open", sa.Integer(), nullable=True),
        sa.Column("waits_for_base", sa.Integer(), nullable=True),
        sa.Column("pull", sa.BigInteger(), nullable=True),
        sa.Column("head", sa.Text(), nullable=True),
        sa.Column("branch", sa.Text(), nullable=True),
        sa.Column("base", sa.Text(), nullable=True),
        sa.Column("merge_state", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("repository_id", "issue"),
    )
    _partial("records_branch", "records", "repository_id", "branch", "issue", where="branch IS NOT NULL")
    _partial("records_dirty", "records", "dirty_since", "repository_id", "issue", where="dirty_since IS NOT NULL")
    _partial("records_head", "records", "repository_id", "head", "issue", where="head IS NOT NULL")
    op.create_index("records_merge", "records", ["merge_state"])
    op.create_index("records_name", "records", ["name", "issue"])
    _partial("records_open", "records", "repository_id", "issue", where="open IS NOT NULL")
    op.create_index("records_phase", "records", ["phase", "repository_id", "issue"])
    _partial("records_pull", "records", "repository_id", "pull", where="pull IS NOT NULL")
    _partial("records_submit", "records", "repository_id", "base", "phase_since", where="waits_for_base IS NOT NULL")
    _partial("records_wake", "records", "wake_at", "repository_id", "issue", where="wake_at IS NOT NULL")

    op.create_table(
        "repositories",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("installation_id", sa.BigInteger(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("folded", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_repositories_installation_id", "repositories", ["installation_id"])
    _partial("repositories_folded", "repositories", "folded", where="folded IS NOT NULL")

    op.create_table(
        "shown",
        sa.Column("id", _SERIAL, nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("issue", sa.BigInteger(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("shown_record", "shown", ["repository_id", "issue", "id"])

    op.create_table(
        "slots",
        sa.Column("repository_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("issue", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("remote_id", sa.BigInteger(), nullable=True),
        sa.Column("digest", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("extra", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("repository_id", "issue", "name"),
    )
    op.create_index("slots_name", "slots", ["repository_id", "name"])

    op.create_table(
        "tokens",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    _partial("tokens_name", "tokens", "name", where="revoked_at IS NULL", unique=True)
