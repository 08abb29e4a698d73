"""The columns beside a record's document: copies of what records are searched by, and nothing that is not in it."""

from typing import Any

from bot.domain.model.record import Record
from bot.store.moments import micros

#: Their names, in the order in which they are read back.
NAMES = (
    "version",
    "name",
    "phase",
    "phase_since",
    "open",
    "waits_for_base",
    "pull",
    "head",
    "branch",
    "base",
    "merge_state",
)


def columns(record: Record) -> dict[str, Any]:
    """Open = neither done nor withdrawn. A fork's branch is no branch of this repository, so it is not searched for."""
    pull = record.pull
    is_open = record.phase != "done" and not record.withdrawn
    return {
        "version": record.version,
        "name": record.repository.lower(),
        "phase": record.phase,
        "phase_since": micros(record.phase_since),
        "open": 1 if is_open else None,
        "waits_for_base": 1 if is_open and record.phase == "submit" else None,
        "pull": record.pull_request,
        "head": record.head,
        "branch": pull.head_ref if pull and pull.same_repository and pull.head_ref else None,
        "base": record.base,
        "merge_state": record.merge.state,
    }
