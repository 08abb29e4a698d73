"""What Signalbox asks GitHub to do, writes and one-shot effects; and what GitHub answers to a merge request.

A `Write` is one mutation on GitHub. Projections are diffed into writes; one-shot effects carry the write they
stand for and a `target`, so that order is kept per kind and target (I23).
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from bot.domain.model.ids import Value
from bot.domain.model.merge import MergeApi

ReactionContent = Literal["+1", "-1", "confused", "eyes"]
CheckStatus = Literal["in_progress", "completed"]
#: The names of our check runs: on a head that is judged, and where a policy file was changed.
OWN_CHECK, POLICY_CHECK = "signalbox", "signalbox policy"
CheckConclusion = Literal["success", "failure", "action_required", "cancelled", "neutral"]


class CreateComment(Value):
    """`marker` is an HTML comment that stands in the body, by which a lost answer is found again."""

    kind: Literal["create_comment"] = "create_comment"
    number: int
    body: str
    marker: str


class UpdateComment(Value):
    kind: Literal["update_comment"] = "update_comment"
    comment_id: int
    body: str


class MinimizeComment(Value):
    """Hide a comment as resolved (GraphQL). `node_id` empty = it is looked up first."""

    kind: Literal["minimize_comment"] = "minimize_comment"
    comment_id: int
    node_id: str = ""


class AddLabels(Value):
    kind: Literal["add_labels"] = "add_labels"
    number: int
    names: tuple[str, ...]


class RemoveLabel(Value):
    kind: Literal["remove_label"] = "remove_label"
    number: int
    name: str


class EnsureLabel(Value):
    """Create the label, or do nothing if it exists (422 already_exists)."""

    kind: Literal["ensure_label"] = "ensure_label"
    name: str
    color: str
    description: str


class Annotation(Value):
    """What a check run says at one line of a file."""

    path: str
    line: int
    level: Literal["notice", "warning", "failure"]
    title: str
    message: str


class CreateCheckRun(Value):
    """GitHub adds the annotations of an update to those that stand, so they are given once, with the run."""

    kind: Literal["create_check_run"] = "create_check_run"
    name: str = OWN_CHECK
    head: str
    status: CheckStatus
    conclusion: CheckConclusion | None = None
    title: str
    summary: str
    text: str = ""
    details_url: str = ""
    external_id: str
    annotations: tuple[Annotation, ...] = ()


class UpdateCheckRun(Value):
    kind: Literal["update_check_run"] = "update_check_run"
    id: int
    status: CheckStatus
    conclusion: CheckConclusion | None = None
    title: str
    summary: str
    text: str = ""
    details_url: str = ""
    external_id: str


class React(Value):
    """A reaction on a comment, or (GraphQL) on a review."""

    kind: Literal["react"] = "react"
    comment_kind: Literal["issue", "review_comment", "review"] = "issue"
    comment_id: int
    node_id: str = ""
    content: ReactionContent


class MarkReady(Value):
    kind: Literal["mark_ready"] = "mark_ready"
    pull: int
    node_id: str


class DeleteBranch(Value):
    """Only after done: same repository, tip = merged head, not protected, no open pull request needs it."""

    kind: Literal["delete_branch"] = "delete_branch"
    ref: str
    expected_head: str


class RequestReview(Value):
    """`teams` by their slugs, of the owner of the repository."""

    kind: Literal["request_review"] = "request_review"
    pull: int
    logins: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()


Write = Annotated[
    CreateComment
    | UpdateComment
    | MinimizeComment
    | AddLabels
    | RemoveLabel
    | EnsureLabel
    | CreateCheckRun
    | UpdateCheckRun
    | React
    | MarkReady
    | DeleteBranch
    | RequestReview,
    Field(discriminator="kind"),
]


class CallOperators(Value):
    """What the address in `NOTIFY_URL` is told, once: our own words and numbers, nothing that somebody wrote. `cause` as of
    `Blocked.cause`, or `suspended`, `database_behind`, `instance_conflict`, `ambiguous`, `permission`, `unread`."""

    kind: Literal["call_operators"] = "call_operators"
    cause: str
    phase: str
    version: int
    pull_request: int | None = None
    at: datetime
    text: str


class Written(Value):
    """What a write answered: the thing's id, GitHub's `updated_at` where it has one, and the `Date` header."""

    id: int | None = None
    updated_at: datetime | None = None
    url: str | None = None
    date: datetime


EffectState = Literal["planned", "sent", "ok", "refused", "unknown"]
EffectKind = Literal[
    "reply",
    "reaction",
    "notice",
    "minimize",
    "ready",
    "delete_branch",
    "review_request",
    "put_back_label",
    "merge_group",
    "call",
]


class Effect(Value):
    """Something to do once. `once` is unique in the store: planning it twice plans it once."""

    kind: EffectKind
    target: str
    once: str
    write: Write | CallOperators


class MergeReply(Value):
    """GitHub's raw answer to a merge request, unjudged (bot.domain.merging.outcome judges it).

    `sent` False = not one byte of the request left (refused connection, failed TLS, or the lease rule).
    `status` None with `sent` True = the answer is missing or unreadable. `body` is the decoded JSON object, or {}.
    `direct`: what runs goes into no merge queue. `not_before` is when GitHub allows the next request (retry-after, rate limit).
    """

    api: MergeApi
    sent: bool
    status: int | None = None
    message: str = ""
    body_status: str | None = None
    sha: str | None = None
    merged: bool | None = None
    uuid: str | None = None
    expected_head: str | None = None
    merge_method: str | None = None
    direct: bool = False
    not_before: datetime | None = None
    why: str = ""
