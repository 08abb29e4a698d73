"""The sweep

What the sweep remembers: where it stands in each repository, what it may cost, what it looked at, what it asked for again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sweeps",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("claimed_until", sa.BigInteger(), nullable=True),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("sweeps_due", "sweeps", ["due_at"])
    op.create_table(
        "allowances",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("rests_until", sa.BigInteger(), nullable=True),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "looks",
        sa.Column("repository_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("issue", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("read_at", sa.BigInteger(), nullable=True),
        sa.Column("compared_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("repository_id", "issue"),
    )
    op.create_table(
        "redeliveries",
        sa.Column("guid", sa.Text(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guid"),
    )
