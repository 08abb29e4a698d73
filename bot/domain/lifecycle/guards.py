"""Guards of the delivery machine: questions about the record as the turn has changed it so far. Pure."""

from bot.domain.gates.gate import complete, plan_approved
from bot.domain.lifecycle.turn import Turn
from bot.domain.machine.engine import Guard

PLAN_LIMIT = 60_000


def plan_is_submitted(turn: Turn) -> bool:
    plan = turn.record.plan
    return plan is not None and bool(plan.text.strip()) and len(plan.text) <= PLAN_LIMIT


def plan_gate_complete(turn: Turn) -> bool:
    return plan_approved(turn.record, turn.policy)


def head_is_known(turn: Turn) -> bool:
    return turn.record.head is not None and turn.record.pull_request is not None


def testing_gate_complete(turn: Turn) -> bool:
    return complete(turn.record, turn.policy, "testing")


def nothing_in_flight(turn: Turn) -> bool:
    return not turn.record.in_flight


def merge_is_proven(turn: Turn) -> bool:
    """Both sides showed it, or an operator settles what the base does not show: the handler stores the merge only then."""
    return turn.record.merge.state == "merged" and turn.record.merge.sha is not None


def _came_from(phase: str) -> Guard[Turn]:
    def guard(turn: Turn) -> bool:
        return turn.record.blocked is not None and turn.record.blocked.from_ == phase

    return guard


GUARDS: dict[str, Guard[Turn]] = {
    guard.__name__: guard
    for guard in (
        plan_is_submitted,
        plan_gate_complete,
        head_is_known,
        testing_gate_complete,
        nothing_in_flight,
        merge_is_proven,
    )
} | {f"came_from_{phase}": _came_from(phase) for phase in ("planning", "building", "testing", "submit")}
