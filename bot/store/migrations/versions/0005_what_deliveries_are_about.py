"""What deliveries are about

The thread and the commit that a delivery tells of: a merge waits for those that are about it. What came before tells of all of
its repository.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

WAITING, OVER = sa.text("finished_at IS NULL"), sa.text("finished_at IS NOT NULL")


def upgrade() -> None:
    op.add_column("deliveries", sa.Column("thread", sa.BigInteger(), nullable=True))
    op.add_column("deliveries", sa.Column("head", sa.Text(), nullable=True))
    for name, columns, where in (
        ("deliveries_over_here", ["lane", "state"], OVER),
        ("deliveries_of_thread", ["lane", "thread"], WAITING),
        ("deliveries_of_head", ["lane", "head"], WAITING),
    ):
        op.create_index(name, "deliveries", columns, sqlite_where=where, postgresql_where=where)
