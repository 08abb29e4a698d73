"""Everything that can happen to a record, one class each.

A signal is a hint with a name: whatever creates authority re-reads GitHub before it counts. `key` is the content
key: the same fact delivered twice, or replayed under another GUID, has the same key and is applied once.
Routing: `issue` names the record, or `pull` the linked pull request, or `head`/`branch` what it is about.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from bot.domain.model.effects import MergeReply
from bot.domain.model.facts import CommentKind
from bot.domain.model.ids import Actor, Value
from bot.domain.model.record import GateName


class Source(Value):
    """The comment or review a command came from. `index` counts commands of one comment from 0."""

    comment_id: int
    comment_kind: CommentKind = "issue"
    node_id: str = ""
    index: int = 0
    thread: Literal["issue", "pull"]
    number: int
    url: str = ""
    created_at: datetime
    text: str = ""


class SignalBase(Value):
    """Base: content key, who caused it, the delivery it came from, GitHub's time of it."""

    key: str
    actor: Actor
    delivery: str | None = None
    at: datetime | None = None


class CommentCreated(SignalBase):
    """A comment, review comment or review body, before the grammar has read it. Never edits. `app_id` is the App that
    wrote it, if one did."""

    kind: Literal["comment_created"] = "comment_created"
    number: int
    is_pull: bool
    comment_id: int
    comment_kind: CommentKind = "issue"
    node_id: str = ""
    body: str
    created_at: datetime
    updated_at: datetime | None = None
    url: str = ""
    app_id: int | None = None
    issue_author_id: int | None = None


class StartLabelAdded(SignalBase):
    """Some label was added; the domain compares `label` with the policy's start label. `title`, `issue_id` for a new record."""

    kind: Literal["start_label_added"] = "start_label_added"
    issue: int
    issue_id: int
    title: str
    label: str


class LabelRemoved(SignalBase):
    kind: Literal["label_removed"] = "label_removed"
    issue: int
    label: str


class LabelsTouched(SignalBase):
    """Somebody else changed a label of ours (or all were lost): the projection looks again."""

    kind: Literal["labels_touched"] = "labels_touched"
    issue: int | None = None
    pull: int | None = None


class IssueClosed(SignalBase):
    kind: Literal["issue_closed"] = "issue_closed"
    issue: int


class IssueReopened(SignalBase):
    kind: Literal["issue_reopened"] = "issue_reopened"
    issue: int


class IssueGone(SignalBase):
    """Transferred, deleted or converted to a discussion."""

    kind: Literal["issue_gone"] = "issue_gone"
    issue: int
    how: Literal["transferred", "deleted", "converted"]


class PullOpened(SignalBase):
    kind: Literal["pull_opened"] = "pull_opened"
    pull: int


class HeadPushed(SignalBase):
    """`pull_request.synchronize`: `before` and `after` as the event says; the head that counts is read."""

    kind: Literal["head_pushed"] = "head_pushed"
    pull: int
    before: str
    after: str


class BranchPushed(SignalBase):
    """A `push` event: only a hint to read the pull requests whose head is `branch`."""

    kind: Literal["branch_pushed"] = "branch_pushed"
    branch: str
    after: str


class PullRetargeted(SignalBase):
    kind: Literal["pull_retargeted"] = "pull_retargeted"
    pull: int
    before: str
    after: str


class PullClosed(SignalBase):
    """Closed, merged or not: the read says which."""

    kind: Literal["pull_closed"] = "pull_closed"
    pull: int


class PullReopened(SignalBase):
    kind: Literal["pull_reopened"] = "pull_reopened"
    pull: int


class DraftChanged(SignalBase):
    kind: Literal["draft_changed"] = "draft_changed"
    pull: int
    draft: bool


class ReviewSubmitted(SignalBase):
    """A native review. `commit` is what it was submitted on. Its body arrives as CommentCreated beside it."""

    kind: Literal["review_submitted"] = "review_submitted"
    pull: int
    review_id: int
    state: str
    commit: str
    url: str = ""
    submitted_at: datetime
    reason: str = ""


class ReviewDismissed(SignalBase):
    kind: Literal["review_dismissed"] = "review_dismissed"
    pull: int
    review_id: int


class ChecksChanged(SignalBase):
    """A check run, suite or status of `head` changed."""

    kind: Literal["checks_changed"] = "checks_changed"
    head: str
    name: str = ""
    mine: bool = False


class RerunRequested(SignalBase):
    """Somebody asked to re-run our own check: the same as `/status`."""

    kind: Literal["rerun_requested"] = "rerun_requested"
    head: str


class InstallationChanged(SignalBase):
    """`repositories` are the numeric ids touched; empty = all of the installation. `state` what is true since."""

    kind: Literal["installation_changed"] = "installation_changed"
    installation_id: int
    state: Literal["present", "suspended", "gone"]
    repositories: tuple[int, ...] = ()


class RepositoryRenamed(SignalBase):
    kind: Literal["repository_renamed"] = "repository_renamed"
    full_name: str


# Commands: made by bot.domain.commands from a CommentCreated.


class CommandBase(SignalBase):
    source: Source


ResumePhase = Literal["planning", "building", "testing", "submit"]


class SubmitPlan(CommandBase):
    kind: Literal["submit_plan"] = "submit_plan"
    text: str


class Approve(CommandBase):
    """`gate` and `sha` as written; both None is the short form, both set the explicit form. `revision` at the plan gate."""

    kind: Literal["approve"] = "approve"
    revision: int | None = None
    gate: GateName | None = None
    sha: str | None = None


class Reject(CommandBase):
    kind: Literal["reject"] = "reject"
    revision: int | None = None
    reason: str


class OpenGate(CommandBase):
    kind: Literal["open_gate"] = "open_gate"
    gate: GateName | None = None
    sha: str | None = None


class DeclareCandidate(CommandBase):
    kind: Literal["declare_candidate"] = "declare_candidate"
    sha: str | None = None


class Link(CommandBase):
    """`/link #N` on a pull request: `issue` is N."""

    kind: Literal["link"] = "link"
    issue: int


class BlockWork(CommandBase):
    """`/block QUESTION`."""

    kind: Literal["block_work"] = "block_work"
    question: str


class AnswerQuestion(CommandBase):
    """`/answer [qN] TEXT`; `question` None = the only open one."""

    kind: Literal["answer_question"] = "answer_question"
    question: str | None = None
    text: str


class Resume(CommandBase):
    """`/resume PHASE`; `phase` None lists the possible ones."""

    kind: Literal["resume"] = "resume"
    phase: ResumePhase | None = None


class Hold(CommandBase):
    kind: Literal["hold"] = "hold"
    why: str | None = None


class Unhold(CommandBase):
    kind: Literal["unhold"] = "unhold"


class Cancel(CommandBase):
    kind: Literal["cancel"] = "cancel"
    why: str


class Replan(CommandBase):
    kind: Literal["replan"] = "replan"
    why: str


class Rework(CommandBase):
    kind: Literal["rework"] = "rework"
    why: str


class Revoke(CommandBase):
    """`/revoke`: on the issue the writer's plan decisions, on the pull request those about the head."""

    kind: Literal["revoke"] = "revoke"


class Unlink(CommandBase):
    kind: Literal["unlink"] = "unlink"


class MergeNow(CommandBase):
    kind: Literal["merge_now"] = "merge_now"


class SettleMerged(CommandBase):
    """`sha` is the merge commit on the base, 40 hex digits."""

    kind: Literal["settle_merged"] = "settle_merged"
    sha: str


class SettleUnmerged(CommandBase):
    kind: Literal["settle_unmerged"] = "settle_unmerged"
    why: str


class SetPriority(CommandBase):
    """0 to 100; higher is offered first."""

    kind: Literal["set_priority"] = "set_priority"
    priority: int


class Retry(CommandBase):
    kind: Literal["retry"] = "retry"


class AskStatus(CommandBase):
    kind: Literal["ask_status"] = "ask_status"


class AskHelp(CommandBase):
    kind: Literal["ask_help"] = "ask_help"


# Signals of our own making.


class PolicyChanged(SignalBase):
    """The rules, roles or protection changed: open gates are evaluated anew under the newest ones."""

    kind: Literal["policy_changed"] = "policy_changed"


class HeadShared(SignalBase):
    """Another pull request was opened at, moved to or left a head that carries our check."""

    kind: Literal["head_shared"] = "head_shared"
    head: str


class VerificationReported(SignalBase):
    """A delegated verification of `head` ended. `name` is the policy's name for it."""

    kind: Literal["verification_reported"] = "verification_reported"
    head: str
    name: str
    passed: bool
    evidence: str | None = None


class TimeCame(SignalBase):
    """A time the record asked to be woken at has come, or somebody asked for a fresh look. Re-reads the pull request."""

    kind: Literal["time_came"] = "time_came"


class AskMerge(SignalBase):
    """The merging step wants to send: re-evaluates every prerequisite and stores `requested`, or releases."""

    kind: Literal["ask_merge"] = "ask_merge"
    reservation: str
    attempt: str
    lease_ends: datetime
    window_ends: datetime
    api: Literal["async", "sync"]


class ReleaseReservation(SignalBase):
    """The reservation cannot be carried on (the check could not be published, a restart)."""

    kind: Literal["release_reservation"] = "release_reservation"
    reservation: str
    why: str


class MergeNotSent(SignalBase):
    """The attempt's bytes never left: it can never land."""

    kind: Literal["merge_not_sent"] = "merge_not_sent"
    attempt: str
    why: str


class MergeAnswered(SignalBase):
    kind: Literal["merge_answered"] = "merge_answered"
    attempt: str
    reply: MergeReply


class MergeLeaseExpired(SignalBase):
    """The owner of the attempt's lease is gone: `requested` becomes `ambiguous`."""

    kind: Literal["merge_lease_expired"] = "merge_lease_expired"
    attempt: str


class MergeLooked(SignalBase):
    """Time to look at GitHub again while the outcome is open. The look itself is a fact."""

    kind: Literal["merge_looked"] = "merge_looked"
    reservation: str


Command = Annotated[
    SubmitPlan
    | Approve
    | Reject
    | OpenGate
    | DeclareCandidate
    | Link
    | BlockWork
    | AnswerQuestion
    | Resume
    | Hold
    | Unhold
    | Cancel
    | Replan
    | Rework
    | Revoke
    | Unlink
    | MergeNow
    | SettleMerged
    | SettleUnmerged
    | SetPriority
    | Retry
    | AskStatus
    | AskHelp,
    Field(discriminator="kind"),
]

Signal = Annotated[
    CommentCreated
    | StartLabelAdded
    | LabelRemoved
    | LabelsTouched
    | IssueClosed
    | IssueReopened
    | IssueGone
    | PullOpened
    | HeadPushed
    | BranchPushed
    | PullRetargeted
    | PullClosed
    | PullReopened
    | DraftChanged
    | ReviewSubmitted
    | ReviewDismissed
    | ChecksChanged
    | RerunRequested
    | InstallationChanged
    | RepositoryRenamed
    | SubmitPlan
    | Approve
    | Reject
    | OpenGate
    | DeclareCandidate
    | Link
    | BlockWork
    | AnswerQuestion
    | Resume
    | Hold
    | Unhold
    | Cancel
    | Replan
    | Rework
    | Revoke
    | Unlink
    | MergeNow
    | SettleMerged
    | SettleUnmerged
    | SetPriority
    | Retry
    | AskStatus
    | AskHelp
    | PolicyChanged
    | VerificationReported
    | HeadShared
    | TimeCame
    | AskMerge
    | ReleaseReservation
    | MergeNotSent
    | MergeAnswered
    | MergeLeaseExpired
    | MergeLooked,
    Field(discriminator="kind"),
]

SIGNAL: TypeAdapter[Signal] = TypeAdapter(Signal)
