"""What every signal carries, and where a command was written."""

from datetime import datetime
from typing import Literal

from bot.domain.model.facts import CommentKind
from bot.domain.model.ids import Actor, Value


class Source(Value):
    """The comment or review a command came from. `index` counts commands of one comment from 0. `commit` is what a review or a
    comment on a line stands on."""

    comment_id: int
    comment_kind: CommentKind = "issue"
    node_id: str = ""
    index: int = 0
    thread: Literal["issue", "pull"]
    number: int
    url: str = ""
    created_at: datetime
    text: str = ""
    commit: str | None = None


class SignalBase(Value):
    """Base: content key, who caused it, the delivery it came from, GitHub's time of it."""

    key: str
    actor: Actor
    delivery: str | None = None
    at: datetime | None = None
