"""Issues, pull requests and what is written on them."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from bot.simulator.model.people import App, Team, User

if TYPE_CHECKING:
    from bot.simulator.model.repositories import Label, Repository

ReviewState = Literal["APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED"]
MergeStatus = Literal["pending", "merged", "enqueued", "failed"]


@dataclass(eq=False)
class Reaction:
    id: int
    user: User
    content: str
    created_at: datetime


@dataclass(eq=False)
class Comment:
    """A comment on a thread, or on a line of a diff (`path` is set). `app` wrote it, if an App did. `minimized` is the
    reason for which it is hidden."""

    id: int
    thread: "Thread"
    author: User
    body: str
    created_at: datetime
    updated_at: datetime
    app: App | None = None
    reactions: list[Reaction] = field(default_factory=list)
    path: str | None = None
    commit: str | None = None
    review: "Review | None" = None
    minimized: str | None = None
    edited_at: datetime | None = None
    editor: User | None = None

    @property
    def node_id(self) -> str:
        return f"{'PRRC' if self.path else 'IC'}_{self.id}"


@dataclass(frozen=True, eq=False)
class Happening:
    """One entry of a thread's own log, as its events endpoint lists it."""

    id: int
    event: str
    user: User
    at: datetime
    label: str | None = None


@dataclass(eq=False)
class Thread:
    """An issue; `Pull` adds what only a pull request has. Both share one row of numbers, labels and comments."""

    id: int
    repository: "Repository"
    number: int
    title: str
    body: str
    author: User
    created_at: datetime
    updated_at: datetime
    app: App | None = None
    closed_at: datetime | None = None
    closed_by: User | None = None
    state_reason: str | None = None
    locked: bool = False
    labels: list["Label"] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    reactions: list[Reaction] = field(default_factory=list)
    log: list[Happening] = field(default_factory=list)
    edited_at: datetime | None = None

    @property
    def open(self) -> bool:
        return self.closed_at is None

    @property
    def node_id(self) -> str:
        return f"I_{self.id}"


@dataclass(eq=False)
class Review:
    id: int
    pull: "Pull"
    author: User
    state: ReviewState
    body: str
    commit: str
    submitted_at: datetime
    updated_at: datetime
    edited_at: datetime | None = None
    app: App | None = None
    reactions: list[Reaction] = field(default_factory=list)

    @property
    def node_id(self) -> str:
        return f"PRR_{self.id}"


@dataclass(eq=False)
class MergeRequest:
    """One merge-async request. `uuid` is GitHub's name for it."""

    uuid: str
    head: str
    method: str
    action: str
    title: str | None
    body: str | None
    created_at: datetime
    updated_at: datetime
    status: MergeStatus = "pending"
    message: str = "Merge request enqueued"
    sha: str | None = None


@dataclass(eq=False)
class Pull(Thread):
    """`head_repository` None = the fork was deleted. `in_flight` counts accepted merges that have not ended yet."""

    pull_id: int = 0
    head_repository: "Repository | None" = None
    head_owner: User | None = None
    head_ref: str = ""
    head: str = ""
    base_ref: str = ""
    base_sha: str = ""
    draft: bool = False
    merged_at: datetime | None = None
    merged_by: User | None = None
    merge_commit: str | None = None
    conflicting: bool = False
    mergeable_unknown_for: int = 0
    reviews: list[Review] = field(default_factory=list)
    review_comments: list[Comment] = field(default_factory=list)
    reviewers: list[User] = field(default_factory=list)
    team_reviewers: list[Team] = field(default_factory=list)
    stack: list["Pull"] = field(default_factory=list)
    stack_unlisted: bool = False
    auto_merge: User | None = None
    requests: dict[str, MergeRequest] = field(default_factory=dict)
    in_flight: int = 0

    @property
    def node_id(self) -> str:
        return f"PR_{self.pull_id}"

    @property
    def merged(self) -> bool:
        return self.merged_at is not None
