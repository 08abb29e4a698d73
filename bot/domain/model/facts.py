"""What GitHub can be asked, and what it answers.

A question is a small frozen value; its type parameter is the answer's type. One class here and one reader in
`bot.github.facts` (and one in the simulator) make one fact. A question that could not be answered is `Unknown`,
which is never yes.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Literal, TypeVar

from bot.domain.model.ids import Person, Value

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Unknown:
    """GitHub did not answer. `why` is for operators; people are told only that it is not known."""

    why: str


@dataclass(frozen=True, slots=True)
class Answer(Generic[T_co]):
    """A value and the `Date` header of the response it came from (GitHub's clock, whole seconds). `requests` counted
    against the limit for it; `limit` is GitHub's for an hour and `remaining` what is left of it, where it said so."""

    value: T_co
    date: datetime
    requests: int = 1
    limit: int | None = None
    remaining: int | None = None


WorkflowFiles = Literal["none", "touched", "unlisted"]
Level = Literal["none", "read", "triage", "write", "maintain", "admin"]
LEVELS: tuple[Level, ...] = ("none", "read", "triage", "write", "maintain", "admin")


class Permission(Value):
    """The base level of somebody, from the booleans of the answer (the names of custom roles tell it not).
    `user_id` is the id in the answer: another id than the one asked for is a renamed login and means no."""

    user_id: int
    login: str
    level: Level
    role_name: str | None = None
    is_bot: bool = False


class IssueFacts(Value):
    id: int
    number: int
    title: str
    body: str = ""
    open: bool
    author: Person | None
    labels: tuple[str, ...] = ()
    locked: bool = False
    is_pull: bool = False


class PullFacts(Value):
    """One pull request from `GET /pulls/{n}`: the only source of heads, bases, drafts and `merged`. `stack`: the open members
    of its stack, bottom first; None where GitHub does not show all of them up to this one."""

    number: int
    node_id: str
    title: str
    body: str = ""
    url: str = ""
    author: Person | None
    author_is_bot: bool = False
    open: bool
    draft: bool = False
    merged: bool = False
    merged_at: datetime | None = None
    merged_by: Person | None = None
    merge_sha: str | None = None
    head_sha: str
    head_ref: str
    head_repository_id: int | None
    base_ref: str
    base_sha: str
    base_repository_id: int
    updated_at: datetime
    stack: tuple[int, ...] | None = ()
    locked: bool = False
    labels: tuple[str, ...] = ()
    auto_merge: bool = False


class Push(Value):
    """A branch got another tip, whatever did it: a push, a merge, its making (`before` all zeros) or its end (`after`
    all zeros). `actor` is None where GitHub does not say who."""

    before: str
    after: str
    actor: Person | None


#: In the place of all moves that are older than what was read: they lead to no commit, and nobody knows who made them.
UNTOLD = Push(before="", after="", actor=None)


CommentKind = Literal["issue", "review", "review_comment"]


class CommentFacts(Value):
    """A comment as it is now. `mine` = written by our own App, whoever edited it since. Times are GitHub's, whole seconds."""

    id: int
    node_id: str = ""
    kind: CommentKind = "issue"
    body: str
    author: Person | None
    mine: bool = False
    created_at: datetime
    updated_at: datetime
    url: str = ""


class RequiredCheck(Value):
    """A check that must be green. `app` None = any source (a status may satisfy it)."""

    name: str
    """What the check is called on GitHub."""
    app: int | None = None
    """The number of the App that must report it; without it anybody's report counts, also a status."""


class CheckRunFacts(Value):
    id: int
    name: str
    app: int
    suite: int | None = None
    status: str
    conclusion: str | None = None
    external_id: str | None = None
    url: str | None = None
    started_at: datetime | None = None
    completed_at: datetime | None = None
    mine: bool = False


class StatusFacts(Value):
    """One commit status. `creator` is the numeric id of whoever posted it."""

    id: int
    context: str
    creator: int | None
    state: str
    url: str | None = None
    created_at: datetime
    updated_at: datetime


class SuiteFacts(Value):
    id: int
    app: int
    status: str
    conclusion: str | None = None
    runs: int = 0
    created_at: datetime | None = None
    updated_at: datetime | None = None


class CheckFacts(Value):
    """Everything reported on a head. Runs and statuses are all that GitHub lists, newest not yet chosen."""

    head: str
    runs: tuple[CheckRunFacts, ...] = ()
    statuses: tuple[StatusFacts, ...] = ()
    suites: tuple[SuiteFacts, ...] = ()


class BaseRules(Value):
    """What guards a base branch, from `GET /rules/branches/{b}` and, where readable, its protection.
    `bypass` is True when a ruleset or its protection lets our App bypass it, None when that of a ruleset could not be read.
    `classic_unread`: classic protection guards it too, and its own list of who may bypass, which is for administrators,
    could not be read. `tip`: the base's newest commit."""

    required: tuple[RequiredCheck, ...] = ()
    merge_queue: bool = False
    strict: bool = False
    bypass: bool | None = False
    protected: bool = False
    classic_unread: bool = False
    tip: str = ""
    methods: tuple[str, ...] = ("merge", "squash", "rebase")


class MergeEvidence(Value):
    """Both sides of a merge. `pull_merged` from the pull request; `on_base` True when the base contains a commit that
    is this merge (its parents name the head, or it names our pull request); None = that side could not be read. `base` is
    the branch that was looked at: of a merged pull request the one it was merged into, whatever was asked for. `whole`: the
    commit on the base has the head in its history; what only names the pull request may be a part of it. `too_long`: so much
    came to the base that not all of it was looked through."""

    pull_merged: bool | None
    pull_open: bool | None
    head: str | None
    merge_sha: str | None = None
    merged_by: Person | None = None
    merged_by_us: bool = False
    merged_at: datetime | None = None
    base: str | None = None
    on_base: bool | None
    whole: bool = False
    too_long: bool = False
    began_at: datetime


class AsyncMergeFacts(Value):
    """State of a merge-async request. `status` `gone` = GitHub does not show it (404), which it does of
    every request that it has forgotten."""

    status: Literal["pending", "merged", "enqueued", "failed", "gone", "unknown"]
    sha: str | None = None
    message: str | None = None
    expected_head: str | None = None


class OwnCheck(Value):
    """Our check run on a head, read back. `external_id` is instance:record:version:epoch:path."""

    id: int
    head: str
    status: str
    conclusion: str | None
    title: str = ""
    external_id: str | None = None
    started_at: datetime | None = None
    updated_at: datetime | None = None


class PullSummary(Value):
    number: int
    head_sha: str
    base_ref: str
    draft: bool = False
