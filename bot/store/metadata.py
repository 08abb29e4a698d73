"""All tables together, as they are made and migrated. A module of tables that is not named here would be forgotten."""

from bot.store import policy_tables, sweep_tables, tables
from bot.store.column_types import Base

MODULES = (tables, sweep_tables, policy_tables)
METADATA = Base.metadata
