"""Merge requests: what was asked, who owns the answer, and every answer that ever came."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, insert, select, update

from bot.domain.model.effects import MergeReply
from bot.domain.model.ids import RecordKey
from bot.ports.rows import AttemptRow, AttemptState
from bot.store import canonical
from bot.store.moments import micros
from bot.store.sql import Sql, belongs, named
from bot.store.tables import attempts as table

_THIS = table.c.id == bindparam("this")
_ADD = insert(table)
_GET = select(table.c.document).where(_THIS)
_LOCK = _GET.with_for_update()
_SET = update(table).where(_THIS)
_OF = select(table.c.document).where(belongs(table)).order_by(table.c.created_at, table.c.id)


class Attempts:
    """See `bot.ports.store.Attempts`. Changing an attempt that was never added raises LookupError."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, row: AttemptRow) -> None:
        self._sql.run(
            _ADD,
            id=row.id,
            repository_id=row.key.repository_id,
            issue=row.key.issue,
            created_at=micros(row.created_at),
            document=_text(row),
        )

    def get(self, id: str) -> AttemptRow | None:
        row = self._sql.row(_GET, this=id)
        return None if row is None else AttemptRow.model_validate_json(row[0])

    def set(self, id: str, state: AttemptState, uuid: str | None = None) -> None:
        """`uuid` None keeps the one that is known."""
        self._change(id, {"state": state} | ({} if uuid is None else {"uuid": uuid}))

    def reply(self, id: str, reply: MergeReply) -> None:
        self._change(id, {}, reply)

    def of(self, key: RecordKey) -> Sequence[AttemptRow]:
        """Oldest first."""
        return [AttemptRow.model_validate_json(text) for (text,) in self._sql.rows(_OF, **named(key))]

    def _change(self, id: str, changes: dict[str, Any], *replies: MergeReply) -> None:
        found = self._sql.row(_LOCK, this=id)
        if found is None:
            raise LookupError(f"there is no merge attempt {id}")
        old = AttemptRow.model_validate_json(found[0])
        new = AttemptRow.model_validate({**dict(old), **changes, "replies": (*old.replies, *replies)})
        self._sql.run(_SET, this=id, document=_text(new))


def _text(row: AttemptRow) -> str:
    return canonical.dumps(row.model_dump(mode="json"))
