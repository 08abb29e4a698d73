"""Checking records against their history, as they really lie in the database. Only reads."""

from typing import NamedTuple

from bot.domain.model.ids import RecordKey
from bot.ports.store import HistoryDamaged, Tx
from bot.store import chain, history
from bot.store.records import Records

#: The document, or a row.
UNREADABLE = (HistoryDamaged, *chain.UNREADABLE)


class Checked(NamedTuple):
    """One record: how people call it, how many versions it has, and one sentence for everything that is wrong."""

    name: str
    versions: int
    findings: tuple[str, ...]


def keys(tx: Tx) -> list[RecordKey]:
    """Every record, also one that cannot be read."""
    return _stored(tx).every()


def check(tx: Tx, key: RecordKey) -> Checked:
    repo = tx.repositories.get(key.repository_id)
    name = f"{repo.full_name}#{key.issue}" if repo else f"repository {key.repository_id}, issue {key.issue}"
    versions, found = _look(tx, key)
    return Checked(name, versions, tuple(found))


def findings(tx: Tx, key: RecordKey) -> list[str]:
    """One sentence for everything that is wrong with a record's history; empty when it is sound."""
    return _look(tx, key)[1]


def _look(tx: Tx, key: RecordKey) -> tuple[int, list[str]]:
    stored = _stored(tx)
    try:
        document = stored.document(key)
        rows = stored.history(key, limit=history.ALL)
    except UNREADABLE as error:
        return 0, [f"{_what(stored, key)} cannot be read: {str(error).splitlines()[0]}"]
    if document is None:
        return len(rows), [f"there is no record {key}, but it has history"] if rows else [f"there is no record {key}"]
    return len(rows), chain.verify(rows, document)


def _what(stored: Records, key: RecordKey) -> str:
    """The first part of a record that is not readable."""
    version = 0
    try:
        stored.document(key)
        while rows := stored.history(key, after=version, limit=1):
            version = rows[0].version
    except UNREADABLE:
        return f"what follows version {version}" if version else "the record or its first version"
    return "the record or its history"


def _stored(tx: Tx) -> Records:
    assert isinstance(tx.records, Records), "only a transaction of this package shows documents as stored"
    return tx.records
