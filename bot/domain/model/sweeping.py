"""What the sweep asks GitHub: what changed, and who did it (LIFECYCLE.md 5).

Lists are polled with the ETag of the last answer: nothing changed costs nothing.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Literal, TypeVar

from bot.domain.model.facts import CommentKind
from bot.domain.model.ids import Actor, Value
from bot.domain.model.questions import Question

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Polled(Generic[T_co]):
    """A list. `etag` to ask with the next time; None where it would not tell of every change. `unchanged`: nothing did
    since the ETag that was asked with, and `items` is empty. `until`: only what was changed before is all here, there is
    more; None = all of it is."""

    items: tuple[T_co, ...] = ()
    etag: str | None = None
    unchanged: bool = False
    until: datetime | None = None


class FoundComment(Value):
    """A comment as it is now; `author` None = the account is gone. `edited`: its body is not what was created.
    `unsaid`: GitHub did not say whether it is."""

    id: int
    kind: CommentKind
    node_id: str = ""
    number: int
    is_pull: bool
    body: str
    author: Actor | None
    app_id: int | None = None
    created_at: datetime
    updated_at: datetime
    edited: bool
    unsaid: bool = False
    url: str = ""
    commit: str | None = None


class FoundReview(Value):
    """A review; `state` in lower case. Its body is a comment beside it where it is not blank."""

    id: int
    state: str
    author: Actor | None
    commit: str | None
    submitted_at: datetime
    url: str = ""
    body: FoundComment | None = None


class FoundPull(Value):
    number: int
    open: bool
    head_sha: str
    updated_at: datetime


class FoundLabel(Value):
    id: int
    name: str


class FoundIssue(Value):
    """An open issue; pull requests are left out."""

    id: int
    number: int
    title: str
    updated_at: datetime
    labels: tuple[FoundLabel, ...] = ()


EventKind = Literal["labeled", "unlabeled", "closed", "reopened", "head_ref_force_pushed", "base_ref_changed"]


class ThreadEvent(Value):
    """One entry of a thread's own log, by the name GitHub gives it. Events of other kinds are left out."""

    id: int
    kind: EventKind
    actor: Actor | None
    at: datetime
    label: str | None = None


@dataclass(frozen=True, slots=True)
class CommentsSince(Question[Polled[FoundComment]]):
    """Issue comments of the whole repository, those of pull requests too, updated at or after `since`, oldest first."""

    since: datetime
    etag: str | None = None


@dataclass(frozen=True, slots=True)
class LineCommentsSince(Question[tuple[FoundComment, ...]]):
    """Comments on lines of one pull request, updated at or after `since`."""

    pull: int
    since: datetime


@dataclass(frozen=True, slots=True)
class ReviewsOf(Question[Polled[FoundReview]]):
    """All reviews of a pull request that were submitted, oldest first."""

    pull: int
    etag: str | None = None


@dataclass(frozen=True, slots=True)
class PullsSince(Question[Polled[FoundPull]]):
    """Pull requests updated at or after `since` (None = all that are open), newest first."""

    since: datetime | None
    etag: str | None = None


@dataclass(frozen=True, slots=True)
class LabelledIssues(Question[Polled[FoundIssue]]):
    """Open issues that wear this label."""

    label: str
    etag: str | None = None


@dataclass(frozen=True, slots=True)
class EventsOf(Question[tuple[ThreadEvent, ...]]):
    """The log of an issue or pull request, oldest first."""

    number: int


class Installed(Value):
    """One installation of our App. A suspended one answers nothing."""

    id: int
    suspended: bool = False


class HookAttempt(Value):
    """One attempt to deliver a webhook. `guid` is that of the delivery, `id` that of the attempt. `status` is what we
    answered; 0 = there was no answer."""

    id: int
    guid: str
    at: datetime
    status: int
