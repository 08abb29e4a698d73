"""The tables of the sweep and of pacing: what was looked at, what may still be asked, what was asked for again."""

from sqlalchemy import Index, Table

from bot.store.column_types import Base, maybe_number, number, words
from bot.store.tables import METADATA


class SweepTable(Base, table=True):
    """Where the sweep of a repository stands. Being swept = `claimed_until` in the future; `due_at` is the next time."""

    __tablename__ = "sweeps"
    __table_args__ = (Index("sweeps_due", "due_at"),)
    id: int = number(primary_key=True)
    due_at: int = number()
    claimed_until: int | None = maybe_number()
    document: str = words()


class AllowanceTable(Base, table=True):
    """What sweeping may cost an installation, and its rest after trouble. `id` 0 is the App itself."""

    __tablename__ = "allowances"
    id: int = number(primary_key=True)
    rests_until: int | None = maybe_number()
    document: str = words()


class LookTable(Base, table=True):
    """When what moves a record was last read again, and when what we show of it was last compared."""

    __tablename__ = "looks"
    repository_id: int = number(primary_key=True)
    issue: int = number(primary_key=True)
    read_at: int | None = maybe_number()
    compared_at: int | None = maybe_number()


class RedeliveryTable(Base, table=True):
    """Deliveries that GitHub was asked to send again."""

    __tablename__ = "redeliveries"
    guid: str = words(primary_key=True)
    times: int
    asked_at: int = number()


sweeps: Table = METADATA.tables["sweeps"]


allowances: Table = METADATA.tables["allowances"]


looks: Table = METADATA.tables["looks"]


redeliveries: Table = METADATA.tables["redeliveries"]
