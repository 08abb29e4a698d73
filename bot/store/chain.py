"""The hash chain over a record's history.

A row's digest is the SHA-256 (hex) over its canonical JSON without `digest`; that JSON has `previous_digest` in it, so
no earlier row can change unnoticed. The JSON is the row as the API shows it: `from_` is called `from`, times are RFC
3339 in UTC. Anybody with the API's answer and `sha256sum` can check it.
"""

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

from bot.ports.rows import HistoryRow
from bot.store import canonical, patch

#: The `previous_digest` of version 1.
START = "0" * 64
#: Raised by what is not JSON, not a history row, not even text.
UNREADABLE = (ValueError, sqlite3.OperationalError)
#: Places that one finding names.
MOST_PLACES = 5


def shown(row: HistoryRow) -> dict[str, Any]:
    """The row as JSON, digest included."""
    fields = row.model_dump(mode="json")
    fields["from"] = fields.pop("from_")
    return fields


def row_from(text: str, digest: str) -> HistoryRow:
    """The row from what is stored of it. Raises ValueError for anything that is not a row."""
    fields = json.loads(text)
    if not isinstance(fields, dict) or "from" not in fields:
        raise ValueError("a history row is not one")
    fields["from_"] = fields.pop("from")
    return HistoryRow.model_validate({**fields, "digest": digest})


def covered(row: HistoryRow) -> dict[str, Any]:
    """What the digest covers."""
    fields = shown(row)
    del fields["digest"]
    return fields


def verify(rows: Sequence[HistoryRow], document: dict[str, Any]) -> list[str]:
    """Every way in which all rows of a record, oldest first, and its stored document disagree; empty when sound."""
    findings: list[str] = []
    replayed: Any = {}
    previous = START
    for expected, row in enumerate(rows, start=1):
        if row.version != expected:
            findings.append(f"version {expected} is missing: version {row.version} stands in its place")
            return findings
        if row.previous_digest != previous:
            findings.append(f"version {row.version} does not continue the chain of version {row.version - 1}")
        if canonical.digest(covered(row)) != row.digest:
            findings.append(f"version {row.version} was changed after it was written: its digest does not fit")
        previous = row.digest
        try:
            replayed = patch.apply(replayed, row.patch)
        except ValueError as error:
            findings.append(f"version {row.version} cannot be replayed: {error}")
            return findings
    if canonical.dumps(replayed) != canonical.dumps(document):
        where = _places(patch.diff(replayed, document))
        findings.append(f"the record is not what replaying its {len(rows)} versions gives: {where}")
    return findings


def _places(differences: Sequence[patch.Operation]) -> str:
    """Where two documents differ, as JSON pointers; never with what stands there."""
    paths = list(dict.fromkeys(each["path"] or "the whole" for each in differences))
    more = f" and {len(paths) - MOST_PLACES} more" if len(paths) > MOST_PLACES else ""
    return f"{', '.join(paths[:MOST_PLACES])}{more} differ{'s' if len(paths) == 1 else ''}"
