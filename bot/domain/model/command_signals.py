"""What people command: made by `bot.domain.commands` from a `CommentCreated`."""

from typing import Literal

from bot.domain.model.record import GateName
from bot.domain.model.signal_origin import SignalBase, Source

ResumePhase = Literal["planning", "building", "testing", "submit"]


class CommandBase(SignalBase):
    source: Source


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


CommandSignal = (
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
    | AskHelp
)
