"""What GitHub shows of a record: what each comment showed when, and each projection as last written."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.domain.model.ids import RecordKey
from bot.domain.model.shown import ShownRow
from bot.domain.model.slot_name import SlotName
from bot.ports.rows import Slot
from bot.store import canonical, publishing
from bot.store.sql import Sql, belongs, named
from bot.store.tables import records, shown, slots

_SHOW = insert(shown)
_SHOWN = select(shown.c.document).where(belongs(shown)).order_by(shown.c.id)

_FIELDS = ("remote_id", "digest", "state", "extra")
_SLOTS = select(slots.c.name, *(slots.c[name] for name in _FIELDS)).where(belongs(slots)).order_by(slots.c.name)
_INSERT = upsert(slots)
_PUT = _INSERT.on_conflict_do_update(
    index_elements=["repository_id", "issue", "name"], set_={name: _INSERT.excluded[name] for name in _FIELDS}
)
#: What is on its way is looked at anyhow, and stays known as such.
_DISTRUST = update(slots).where(belongs(slots), slots.c.state == "clean").values(state="unsure")
_UNSHOWN_SUCCESS = select(records.c.repository_id, records.c.issue).where(
    records.c.dirty_since.is_not(None), publishing.MAY_BE_SUCCESS
)
_ON_HEAD = (
    select(slots.c.repository_id, slots.c.issue)
    .where(slots.c.repository_id == bindparam("repository_id"), slots.c.name == bindparam("name"))
    .order_by(slots.c.issue)
)


class Shown:
    """See `bot.ports.store.Shown`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, key: RecordKey, row: ShownRow) -> None:
        document = canonical.dumps(row.model_dump(mode="json"))
        self._sql.run(_SHOW, repository_id=key.repository_id, issue=key.issue, document=document)

    def rows(self, key: RecordKey) -> Sequence[ShownRow]:
        return [ShownRow.model_validate_json(text) for (text,) in self._sql.rows(_SHOWN, **named(key))]


class Slots:
    """See `bot.ports.store.Slots`."""

    def __init__(self, sql: Sql, now: datetime) -> None:
        self._sql = sql
        self._now = now

    def of(self, key: RecordKey) -> dict[str, Slot]:
        rows = self._sql.rows(_SLOTS, **named(key))
        return {row[0]: Slot(name=row[0], **dict(zip(_FIELDS, row[1:], strict=True))) for row in rows}

    def put(self, key: RecordKey, slot: Slot) -> None:
        self._sql.run(_PUT, repository_id=key.repository_id, issue=key.issue, **slot.model_dump())

    def distrust(self, key: RecordKey) -> None:
        self._sql.run(_DISTRUST, **named(key))
        publishing.mark(self._sql, key, self._now)

    def unshown_success(self) -> Sequence[RecordKey]:
        return [RecordKey(*row) for row in self._sql.rows(_UNSHOWN_SUCCESS)]

    def published_checks(self, repository_id: int, head: str) -> Sequence[RecordKey]:
        """Also those whose write may have happened: a slot exists before its bytes leave."""
        rows = self._sql.rows(_ON_HEAD, repository_id=repository_id, name=SlotName.check(head))
        return [RecordKey(*row) for row in rows]
