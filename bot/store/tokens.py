"""API tokens, found by the SHA-256 of their secret; the secret itself is never here."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, select, update
from sqlalchemy.dialects.postgresql import insert

from bot.ports.rows import TokenRow
from bot.store import canonical
from bot.store.moments import micros, moment
from bot.store.sql import Sql
from bot.store.tables import tokens as table

_ROW = (table.c.document, table.c.revoked_at)
_ADD = insert(table).on_conflict_do_nothing(index_elements=["name"], index_where=table.c.revoked_at.is_(None))
_BY_DIGEST = select(*_ROW).where(table.c.digest == bindparam("digest"))
_LIST = select(*_ROW).order_by(table.c.created_at, table.c.id)
_REVOKE = (
    update(table)
    .where(table.c.name == bindparam("this"), table.c.revoked_at.is_(None))
    .values(revoked_at=bindparam("at"))
)


class Tokens:
    """See `bot.ports.store.Tokens`. Revoked and expired tokens are still found: the caller says why they are refused."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, row: TokenRow, digest: str) -> None:
        added = self._sql.run(
            _ADD,
            id=row.id,
            digest=digest,
            name=row.name,
            created_at=micros(row.created_at),
            revoked_at=micros(row.revoked_at),
            document=canonical.dumps(row.model_dump(mode="json", exclude={"revoked_at"})),
        )
        if not added:
            raise ValueError(f"there is a token named {row.name} already; revoke it first")

    def by_digest(self, digest: str) -> TokenRow | None:
        row = self._sql.row(_BY_DIGEST, digest=digest)
        return None if row is None else _token(*row)

    def list(self) -> Sequence[TokenRow]:
        """Oldest first."""
        return [_token(*row) for row in self._sql.rows(_LIST)]

    def revoke(self, name: str, at: datetime) -> bool:
        return self._sql.run(_REVOKE, this=name, at=micros(at)) == 1


def _token(document: str, revoked_at: int | None) -> TokenRow:
    return TokenRow.model_validate_json(document).model_copy(update={"revoked_at": moment(revoked_at)})
