"""Content keys: the same fact has the same key, however it was learned (LIFECYCLE.md 2.5).

A webhook, its redelivery under another GUID and the sweep give one key, so that what was applied is applied once.
"""

from datetime import UTC, datetime

from bot.domain.model.facts import CommentKind


def stamp(at: datetime | None) -> str:
    """A time as it stands in content keys; fractions of seconds and offsets do not make another fact."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if at else "-"


def comment_key(kind: CommentKind, id: int) -> str:
    return f"comment:{kind}:{id}"


def review_key(id: int, state: str) -> str:
    return f"review:{id}:{state}"


def label_key(issue_id: int, label_id: int, action: str, at: datetime) -> str:
    return f"issue:{issue_id}:{label_id}:{action}:{stamp(at)}"


def issue_key(issue_id: int, action: str, at: datetime) -> str:
    """Closed and reopened."""
    return f"issue:{issue_id}:{action}:{stamp(at)}"


def gone_key(issue_id: int, how: str) -> str:
    return f"issue:{issue_id}:{how}"
