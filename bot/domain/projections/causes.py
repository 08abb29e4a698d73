"""What people are told about by a new comment, and when that is over.

A cause names its notice for ever. It is due, or it stands (nothing is posted, what was posted still holds), or it is over.
"""

from typing import Literal, NamedTuple, get_args

from bot.domain.explain.tree import waiting_on
from bot.domain.gates.gate import plan_approved, seats
from bot.domain.merging.nobody import nobody_can
from bot.domain.merging.permission import is_under_way, lacking, still_lacking
from bot.domain.model.policy import Policy
from bot.domain.model.record import GateName, Record
from bot.domain.projections.show import Show

Kind = Literal["blocked", "outside", "gone", "frozen", "ambiguous", "permission", "unread", "turn", "external"]
#: Frozen by a doubt about ourselves. While an installation is suspended nothing can be written.
_DOUBTS = frozenset({"instance_conflict", "database_behind"})


class Cause(NamedTuple):
    """`number` is the thread it is told on. `about` tells it from others of its kind."""

    kind: Kind
    number: int
    about: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.number}:{self.about}"

    @classmethod
    def read(cls, text: str) -> "Cause":
        """The cause that was written like this; ValueError for anything else."""
        kind, number, about = text.split(":", 2)
        if kind not in get_args(Kind):
            raise ValueError(f"no notice is about {kind}")
        return cls(kind, int(number), about)  # type: ignore[arg-type]  # it is one of the kinds


def due(show: Show) -> Cause | None:
    """What this record calls for now; one thing at a time."""
    record = show.record
    if record.phase == "done":
        return _external(show)
    if record.withdrawn:
        merged_outside = record.blocked is not None and record.blocked.cause == "external_merge"
        return _blocked(record) if merged_outside else None
    if record.frozen is not None:
        return _frozen(show)
    if record.phase == "blocked":
        return _blocked(record)
    if record.pull_request is None:
        return None
    if record.phase == "submit" and record.merge.state == "ambiguous":
        # Most lost answers are settled by the first look: nobody is called before it.
        return Cause("ambiguous", record.pull_request, record.merge.attempt or "") if record.merge.reads else None
    if need := lacking(record):
        return Cause("permission", record.pull_request, f"{need.permission}:{record.head}:{record.head_epoch}")
    if record.phase == "submit" and record.merge.reason_code == "unread_for_long" and not is_under_way(record.merge):
        return Cause("unread", record.pull_request, f"{record.head}:{record.head_epoch}")
    gate = gate_whose_turn_it_is(record, show.policy)
    return Cause("turn", record.pull_request, f"{gate}:{record.head}:{record.head_epoch}") if gate else None


def over(record: Record, policy: Policy, cause: Cause) -> bool:
    """Whether nothing is left of this cause. A detour (held, blocked, confirming) ends nothing."""
    match cause.kind:
        case "external":
            return False
        case "frozen":
            return record.frozen != cause.about.partition(":")[0]
        case "ambiguous":
            return record.merge.attempt != cause.about or record.merge.state not in {"ambiguous", "confirming"}
        case "permission":
            permission, head, epoch = cause.about.split(":")
            here = (record.head, str(record.head_epoch)) == (head, epoch)
            return not here or not still_lacking(record, permission)
        case "unread":
            return f"{record.head}:{record.head_epoch}" != cause.about or not _may_be_unread(record)
        case "turn":
            return _turn_is_over(record, policy, cause)
        case _:
            return record.withdrawn or _blocked(record) != cause


def gate_whose_turn_it_is(record: Record, policy: Policy) -> GateName | None:
    """The gate at which only operators are awaited, and only for the human gate."""
    gate: GateName
    if record.phase == "testing":
        gate = "testing"
    elif record.phase == "submit" and record.merge.state in {"none", "refused"}:
        gate = "submit"
    else:
        return None
    if record.held is not None or waiting_on(record, policy) != ("operators",) or not plan_approved(record, policy):
        return None
    missing = len(seats(record, policy, gate, "operator")) < policy.gates.of(gate).operators
    empty = nobody_can(record, policy, gate) is not None  # then the file has to change first
    return gate if missing and not empty and record.verification.state == "passed" else None


def turn_of(cause: Cause) -> tuple[GateName, str, int]:
    """Gate, head and epoch of a human gate's turn."""
    gate, head, epoch = cause.about.split(":")
    return gate, head, int(epoch)  # type: ignore[return-value]  # made by `due` from a gate


def block_of(cause: Cause) -> tuple[int, int]:
    """The version that blocked, and how many questions had been asked."""
    version, asked = cause.about.split(":q")
    return int(version), int(asked)


def _blocked(record: Record) -> Cause | None:
    """Each further question is another cause: it has to reach somebody."""
    blocked = record.blocked
    if record.phase != "blocked" or blocked is None:
        return None
    about = f"{blocked.version or 0}:q{len(record.questions)}"
    match blocked.cause:
        case "issue_gone":
            return Cause("gone", record.pull_request, about) if record.pull_request is not None else None
        case "external_merge":
            return Cause("outside", record.issue, about)
        case _:
            return Cause("blocked", record.issue, about)


def _frozen(show: Show) -> Cause | None:
    """Named by the version that froze it, which the record itself does not keep."""
    frozen = show.record.frozen
    since = next((row.version for row in reversed(show.history) if row.sets.get("/frozen") == frozen), None)
    return Cause("frozen", show.record.issue, f"{frozen}:{since}") if frozen in _DOUBTS and since else None


def _external(show: Show) -> Cause | None:
    """Nobody is told again of a merge that an operator was asked to settle."""
    asked = any(cause.startswith("outside:") for cause in show.told)
    if not show.record.merge.external or show.record.pull_request is None or asked:
        return None
    return Cause("external", show.record.pull_request, "merged")


def _may_be_unread(record: Record) -> bool:
    if record.withdrawn or record.phase not in {"submit", "blocked"}:
        return False
    unread = record.merge.reason_code in {"could_not_verify", "unread_for_long"}
    return unread or record.phase == "blocked" or is_under_way(record.merge)


def _turn_is_over(record: Record, policy: Policy, cause: Cause) -> bool:
    gate, head, epoch = turn_of(cause)
    stopped_in = record.blocked.from_ if record.phase == "blocked" and record.blocked else record.phase
    same = (record.pull_request, record.head, record.head_epoch) == (cause.number, head, epoch)
    seated = len(seats(record, policy, gate, "operator")) >= policy.gates.of(gate).operators
    return record.withdrawn or not same or stopped_in != gate or seated
