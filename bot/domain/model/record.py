"""The record: one versioned document for one issue, the only authority about it.

The stored document has exactly these fields. `gates`, `counts`, `void_because` and `waiting_on` of the API are
derived from it (bot.domain.gates.gate); `last_refusal` and `updated_at` stand beside it in the store.
All times are aware datetimes in UTC; those named `opened_at`, `at` or `*_at` of comments and reviews are GitHub's clock.
"""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from bot.domain.model.ids import Person, RecordKey, Repo, Value
from bot.domain.model.linked import LinkedPull, RejectedAhead, TriedCandidate, UnexplainedHead
from bot.domain.model.merge import IN_FLIGHT, Merge
from bot.domain.model.traces import Doubt
from bot.domain.model.unverified import UnverifiedNo, UnverifiedStop

Phase = Literal["planning", "plan_ready", "plan_rejected", "building", "testing", "submit", "done", "blocked"]
GateName = Literal["plan", "testing", "submit"]
Frozen = Literal["suspended", "database_behind", "instance_conflict"]
CheckState = Literal["success", "pending", "failed", "missing"]
VerificationState = Literal["none", "pending", "passed", "failed"]


class Plan(Value):
    """One submitted plan revision. `digest` is `sha256:` and 64 hex digits of the UTF-8 text."""

    revision: int
    digest: str
    text: str
    author: Person
    submitted_at: datetime
    round: int
    url: str | None = None


class OpenedGate(Value):
    """The round in which a gate last opened, and GitHub's clock at the last read before the write that opened it."""

    round: int = 0
    opened_at: datetime | None = None


class OpenedGates(Value):
    plan: OpenedGate = OpenedGate()
    testing: OpenedGate = OpenedGate()
    submit: OpenedGate = OpenedGate()

    def of(self, gate: GateName) -> OpenedGate:
        match gate:
            case "plan":
                return self.plan
            case "testing":
                return self.testing
            case "submit":
                return self.submit


class Decision(Value):
    """A verdict of a person or agent, bound to what was judged. `void` names why it stopped counting for good;
    bindings that no longer fit are derived, never stored. `source` is the content key of the signal."""

    id: int
    gate: GateName
    kind: Literal["plan", "review", "operator"]
    verdict: Literal["approve", "reject"]
    by: Person
    by_agent: bool = False
    at: datetime
    revision: int
    digest: str
    round: int
    head: str | None = None
    epoch: int | None = None
    base: str | None = None
    pull_request: int | None = None
    source: str
    url: str | None = None
    reason: str | None = None
    native: bool = False
    review_id: int | None = None
    consumed: bool = False
    said_again: datetime | None = None
    void: str | None = None
    policy_sha: str = "builtin"


class TakenBack(Value):
    """A `/revoke` by `by` about the plan or the head, or a dismissed review: an earlier approval heard later does not count."""

    by: int | None = None
    about: Literal["plan", "head"] | None = None
    at: datetime | None = None
    review_id: int | None = None


class CheckEvidence(Value):
    """One check run, suite or status as it was read, copied because GitHub forgets. `app` is None for statuses."""

    name: str
    app: int | None = None
    source: Literal["run", "status", "suite", "none"] = "run"
    required: bool = True
    state: CheckState
    conclusion: str | None = None
    url: str | None = None
    external_id: int | None = None
    since: datetime | None = None


class Verification(Value):
    state: VerificationState = "none"
    head: str | None = None
    checks: tuple[CheckEvidence, ...] = ()
    read_at: datetime | None = None
    observed: bool = False
    settles_at: datetime | None = None
    note: str | None = None


class DelegatedEvidence(Value):
    """The result of one delegated verification of one head; it is evidence for no other."""

    name: str
    head: str
    passed: bool
    at: datetime
    evidence: str | None = None


class Held(Value):
    by: Person
    since: datetime
    why: str | None = None


class Proof(Value):
    """One thing that can be looked at, in plain words, and where."""

    what: str
    url: str | None = None


class Blocked(Value):
    """Why work stopped, the evidence, and the phase it stopped in. The question is in `Record.questions`. `evidence` is
    `proofs` in words. `version` is the version that blocked it: its history row shows the evidence."""

    reason: str
    evidence: str | None = None
    proofs: tuple[Proof, ...] = ()
    from_: Phase = Field(alias="from")
    since: datetime
    state: Literal["awaiting", "answered"] = "awaiting"
    cause: Literal["question", "budget", "checks", "issue_gone", "external_merge", "merge_refused"] = "question"
    by: Person | None = None
    version: int | None = None

    model_config = {"frozen": True, "extra": "forbid", "populate_by_name": True, "serialize_by_alias": True}


class Question(Value):
    id: str
    text: str
    asked_by: Person
    answer: str | None = None
    answered_by: Person | None = None


class Work(Value):
    task: dict[str, Any] | None = None
    workflow: dict[str, Any] | None = None
    requirement: dict[str, Any] | None = None
    board: str | None = None


class Budgets(Value):
    """Each pair is (used, allowed)."""

    check_retries: tuple[int, int] = (0, 20)
    review_cycles: tuple[int, int] = (0, 3)
    dispatches: tuple[int, int] = (0, 6)


class MachineRef(Value):
    name: str = "delivery"
    hash: str
    source: Literal["builtin", "json", "json_strict"] = "builtin"
    version: int = 1


class Record(Value):
    """`doubt` is what froze it, where that was a doubt about ourselves. `lost_to`: versions up to this one were shown and are
    lost, and an operator knows it. `epoch_at`: GitHub's clock at the read by which the epoch last rose.
    `unread_since`: since when each look by time lacked something that GitHub did not say.
    `complete_since`: since when it stands in line for its base: all that people and checks give is there, and nobody holds it."""

    repository: str
    repository_id: int
    installation_id: int
    issue: int
    issue_id: int
    title: str = ""
    version: int
    phase: Phase
    withdrawn: bool = False
    withdrawn_by: Person | None = None
    withdrawn_at: datetime | None = None
    frozen: Frozen | None = None
    doubt: Doubt | None = None
    lost_to: int = 0
    held: Held | None = None
    priority: int = 50
    requester: Person
    requester_is_agent: bool = False
    feedback: str | None = None
    feedback_by: Person | None = None
    feedback_url: str | None = None
    plan: Plan | None = None
    review_round: int = 0
    gates_opened: OpenedGates = OpenedGates()
    head: str | None = None
    head_epoch: int = 0
    epoch_at: datetime | None = None
    base: str | None = None
    pull_request: int | None = None
    pull: LinkedPull | None = None
    unexplained_head: UnexplainedHead | None = None
    former_pulls: tuple[LinkedPull, ...] = ()
    tried: tuple[TriedCandidate, ...] = ()
    rejected_heads: tuple[str, ...] = ()
    rejected_ahead: tuple[RejectedAhead, ...] = ()
    rejected_at: datetime | None = None
    replanned_at: datetime | None = None
    unverified: tuple[UnverifiedNo, ...] = ()
    unverified_stop: UnverifiedStop | None = None
    red_head: str | None = None
    asked_heads: tuple[str, ...] = ()
    delegated: tuple[DelegatedEvidence, ...] = ()
    issue_gone: str | None = None
    twins: tuple[int, ...] = ()
    decisions: tuple[Decision, ...] = ()
    taken_back: tuple[TakenBack, ...] = ()
    verification: Verification = Verification()
    merge: Merge = Merge()
    blocked: Blocked | None = None
    questions: tuple[Question, ...] = ()
    unread_since: datetime | None = None
    work: Work = Work()
    budgets: Budgets = Budgets()
    policy_sha: str = "builtin"
    machine: MachineRef
    started_at: datetime
    phase_since: datetime
    complete_since: datetime | None = None

    @property
    def key(self) -> RecordKey:
        return RecordKey(self.repository_id, self.issue)

    @property
    def repo(self) -> Repo:
        owner, _, name = self.repository.partition("/")
        return Repo(installation_id=self.installation_id, id=self.repository_id, owner=owner, name=name)

    @property
    def pusher_is_unknown(self) -> bool:
        """Whether somebody may have pushed to the linked pull request of whom nobody knows."""
        unexplained = self.unexplained_head is not None and not self.unexplained_head.known
        return self.pull is not None and (self.pull.pusher_unknown or unexplained)

    @property
    def is_judged(self) -> bool:
        """Whether its head is under judgement: in testing or submit."""
        return self.phase in {"testing", "submit"}

    @property
    def candidate(self) -> TriedCandidate:
        """The present head as what is judged: exactly this is a candidate by itself once."""
        return TriedCandidate(head=self.head or "", epoch=self.head_epoch, base=self.base or "")

    @property
    def is_rejected(self) -> bool:
        """Whether the present head was sent back: it needs a push, or `/candidate`."""
        return self.head in self.rejected_heads

    @property
    def is_ready(self) -> bool:
        """Whether neither people nor an agent's task keep the present head from being a candidate by itself."""
        pull = self.pull
        return pull is not None and pull.open and not pull.draft and not self.is_rejected and self.work.task is None

    def rejecting(self, head: str) -> tuple[str, ...]:
        """The rejected heads and this one."""
        return self.rejected_heads if head in self.rejected_heads else (*self.rejected_heads, head)

    @property
    def in_flight(self) -> bool:
        return self.merge.state in IN_FLIGHT
