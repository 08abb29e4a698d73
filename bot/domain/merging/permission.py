"""A permission of the App without which this merge is not carried out, as far as the record shows it."""

from collections.abc import Mapping

from bot.domain.model.facts import WorkflowFiles
from bot.domain.model.merge import Merge
from bot.domain.model.needs import CORE, OPTIONAL, Need
from bot.domain.model.record import Record

_BY_NAME = {need.permission: need for need in (*CORE, *OPTIONAL)}
#: What GitHub says, and the permission that it asks for.
_SAID = (("without `workflows` permission", "workflows"), ("resource not accessible by integration", "contents"))
#: Why it waits for `workflows`, by what the files say.
WORKFLOWS: Mapping[WorkflowFiles, str] = {
    "touched": "it changes workflow files",
    "unlisted": "GitHub lists a part of its files only, and it may change workflow files",
}
AND_IT_MAY_NOT = "and the App may not merge those"
#: While GitHub may be merging nothing is known anew.
_UNDER_WAY = frozenset({"reserved", "requested", "confirming", "ambiguous"})


def lacking(record: Record) -> Need | None:
    """None where the merge waits for something else, or for nothing."""
    merge = record.merge
    if record.phase != "submit" or record.withdrawn:
        return None
    if merge.state == "none" and merge.reason_code == "needs_workflows_permission":
        return _BY_NAME["workflows"]
    if merge.state != "refused":
        return None
    said = (merge.reason or "").lower()
    return next((_BY_NAME[name] for text, name in _SAID if text in said), None)


def is_under_way(merge: Merge) -> bool:
    return merge.state in _UNDER_WAY


def still_lacking(record: Record, permission: str) -> bool:
    """Whether this one may still be what the merge waits for: a detour (a further try, blocked) ends nothing."""
    if record.withdrawn or record.phase not in {"submit", "blocked"}:
        return False
    need = lacking(record)
    return record.phase == "blocked" or is_under_way(record.merge) or bool(need and need.permission == permission)


def spelled(need: Need) -> str:
    """As GitHub's settings name it."""
    return f"{need.title}: {need.level}"
