"""Counting what is over

Deliveries and effects that are over, by state: for the numbers operators see, and for deleting what is old.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

OVER = sa.text("finished_at IS NOT NULL")


def upgrade() -> None:
    op.create_index("deliveries_over", "deliveries", ["state", "received_at"], sqlite_where=OVER, postgresql_where=OVER)
    op.create_index("effects_over", "effects", ["state"], sqlite_where=OVER, postgresql_where=OVER)
