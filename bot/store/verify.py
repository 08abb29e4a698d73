"""Checking a record against its history, as it really lies in the database."""

import sqlite3

from bot.domain.model.ids import RecordKey
from bot.ports.store import Tx
from bot.store import chain
from bot.store.records import Records

_ALL = 2**31


def findings(tx: Tx, key: RecordKey) -> list[str]:
    """One sentence for everything that is wrong with a record's history; empty when it is sound."""
    records = tx.records
    assert isinstance(records, Records), "only a transaction of this package shows documents as stored"
    try:
        document = records.document(key)
        rows = records.history(key, limit=_ALL)
    except (ValueError, sqlite3.OperationalError) as error:  # not JSON, not a history row, not even text
        return [f"the record or its history cannot be read: {str(error).splitlines()[0]}"]
    if document is None:
        return [f"there is no record {key}, but it has history"] if rows else [f"there is no record {key}"]
    return chain.verify(rows, document)
