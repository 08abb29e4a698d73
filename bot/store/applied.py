"""Content keys: what a signal led to the first time, so that the same fact counts once."""

from sqlalchemy import bindparam, select
from sqlalchemy.dialects.postgresql import insert

from bot.ports.rows import Applied
from bot.ports.store import VersionConflict
from bot.store import canonical
from bot.store.sql import Sql
from bot.store.tables import applied as table

_GET = select(table.c.document).where(
    table.c.repository_id == bindparam("repository_id"), table.c.key == bindparam("key")
)
_PUT = insert(table).on_conflict_do_nothing()


class AppliedKeys:
    """See `bot.ports.store.AppliedKeys`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def get(self, repository_id: int, key: str) -> Applied | None:
        row = self._sql.row(_GET, repository_id=repository_id, key=key)
        return None if row is None else Applied.model_validate_json(row[0])

    def put(self, repository_id: int, applied: Applied) -> None:
        document = canonical.dumps(applied.model_dump(mode="json"))
        if not self._sql.run(_PUT, repository_id=repository_id, key=applied.key, document=document):
            raise VersionConflict(f"{applied.key} was applied already")
