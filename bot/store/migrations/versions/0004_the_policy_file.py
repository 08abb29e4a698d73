"""The policy file

Which rules are in force in each repository and since when, how its file is watched, and what was said of it where.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "policies",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("commit_sha", sa.Text(), nullable=True),
        sa.Column("blob_sha", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("tell_at", sa.BigInteger(), nullable=True),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("policies_newest", "policies", ["repository_id", "id"])
    _waiting("policies_untold", "policies", ["tell_at", "id"], "tell_at")
    op.create_table(
        "policy_watches",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    _waiting("policy_watches_due", "policy_watches", ["due_at"], "due_at")
    op.create_table(
        "policy_reports",
        sa.Column("repository_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("repository_id", "place"),
    )
    _waiting("policy_reports_due", "policy_reports", ["due_at"], "due_at")


def _waiting(name: str, table: str, columns: list[str], set_: str) -> None:
    where = sa.text(f"{set_} IS NOT NULL")
    op.create_index(name, table, columns, sqlite_where=where, postgresql_where=where)
