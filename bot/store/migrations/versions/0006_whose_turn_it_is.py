"""Whose turn it is

Effects that wait, by installation and kind: a reply goes before reactions that were planned earlier.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

WAITING = sa.text("finished_at IS NULL")


def upgrade() -> None:
    columns = ["installation_id", "kind", "id"]
    op.create_index("effects_lanes", "effects", columns, sqlite_where=WAITING, postgresql_where=WAITING)
