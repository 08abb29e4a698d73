"""History rows: written once, chained, never changed."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import bindparam, insert, select

from bot.domain.model.ids import RecordKey
from bot.domain.model.record import Record
from bot.ports.rows import HistoryRow, NewRow
from bot.ports.store import HistoryDamaged
from bot.store import canonical, chain, patch
from bot.store.sql import Sql, belongs, named
from bot.store.tables import history as table

#: For a page that has every row.
ALL = 2**31
_ADD = insert(table)
_DIGEST = select(table.c.digest).where(belongs(table), table.c.version == bindparam("of"))
_PAGE = (
    select(table.c.document, table.c.digest)
    .where(belongs(table), table.c.version > bindparam("after"))
    .order_by(table.c.version)
    .limit(bindparam("limit"))
)


def document(record: Record) -> dict[str, Any]:
    """The record as JSON, which is what is stored, patched and hashed."""
    return record.model_dump(mode="json", by_alias=True)


def append(sql: Sql, key: RecordKey, before: dict[str, Any], rows: Sequence[NewRow]) -> str:
    """Chain rows behind the version that `before` is (empty: none) and return the last document, canonically."""
    found = sql.row(_DIGEST, of=before.get("version", 0), **named(key))
    previous: str = found[0] if found else chain.START
    for row in rows:
        whole, after = canonical.written(document(row.record))
        fields = _fields(row, patch.diff(before, after), previous)
        text = canonical.dumps(fields)
        previous = canonical.hashed(text)
        sql.run(
            _ADD,
            repository_id=key.repository_id,
            issue=key.issue,
            version=row.record.version,
            document=text,
            digest=previous,
        )
        before = after
    return whole


def digests(sql: Sql, key: RecordKey, versions: Collection[int]) -> dict[int, str]:
    found = ((version, sql.row(_DIGEST, of=version, **named(key))) for version in versions)
    return {version: row[0] for version, row in found if row is not None}


def page(sql: Sql, key: RecordKey, after: int, limit: int) -> list[HistoryRow]:
    try:
        return [
            chain.row_from(text, digest) for text, digest in sql.rows(_PAGE, after=after, limit=limit, **named(key))
        ]
    except chain.UNREADABLE as error:
        raise HistoryDamaged(str(error)) from error


def _fields(row: NewRow, changes: list[patch.Operation], previous: str) -> dict[str, Any]:
    record = row.record
    plain = row.model_dump(mode="json", exclude={"record", "from_"})
    return plain | {
        "version": record.version,
        "from": row.from_,
        "to": record.phase,
        "patch": changes,
        "policy_sha": record.policy_sha,
        "machine_hash": record.machine.hash,
        "previous_digest": previous,
    }
