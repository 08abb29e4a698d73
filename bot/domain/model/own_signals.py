"""What we tell ourselves: times that came, rules that changed, and the steps of a merge."""

from datetime import datetime
from typing import Literal

from bot.domain.model.effects import MergeReply
from bot.domain.model.signal_origin import SignalBase
from bot.domain.model.traces import Doubt


class PolicyChanged(SignalBase):
    """The rules, roles or protection changed: open gates are evaluated anew under the newest ones."""

    kind: Literal["policy_changed"] = "policy_changed"


class HeadShared(SignalBase):
    """Another pull request was opened at, moved to or left a head that carries our check. `pull`: the one that may be there."""

    kind: Literal["head_shared"] = "head_shared"
    head: str
    pull: int | None = None


class VerificationReported(SignalBase):
    """A delegated verification of `head` ended. `name` is the policy's name for it."""

    kind: Literal["verification_reported"] = "verification_reported"
    head: str
    name: str
    passed: bool
    evidence: str | None = None


class DoubtFound(SignalBase):
    """GitHub shows that another instance writes here, or that we wrote what we know nothing of."""

    kind: Literal["doubt_found"] = "doubt_found"
    doubt: Doubt


class DoubtOver(SignalBase):
    """GitHub was read, and shows nothing of another instance any more."""

    kind: Literal["doubt_over"] = "doubt_over"
    seen_at: datetime


class PullTaken(SignalBase):
    """Somebody linked the pull request of this withdrawn record to another issue. `at`: when that was written."""

    kind: Literal["pull_taken"] = "pull_taken"
    pull: int
    issue: int


class TimeCame(SignalBase):
    """A time the record asked to be woken at has come, or somebody asked for a fresh look. Re-reads the pull request."""

    kind: Literal["time_came"] = "time_came"


class NewsWaits(SignalBase):
    """A delivery that may concern the record was tried in vain."""

    kind: Literal["news_waits"] = "news_waits"


class AskMerge(SignalBase):
    """The merging step wants to send: re-evaluates every prerequisite and stores `requested`, or releases. `attempts` is how
    many had been made when it looked; if there are more by now, this one is void."""

    kind: Literal["ask_merge"] = "ask_merge"
    reservation: str
    attempts: int
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


OurSignal = (
    PolicyChanged
    | HeadShared
    | VerificationReported
    | DoubtFound
    | DoubtOver
    | PullTaken
    | TimeCame
    | NewsWaits
    | AskMerge
    | ReleaseReservation
    | MergeNotSent
    | MergeAnswered
    | MergeLeaseExpired
    | MergeLooked
)
