"""In which phases work goes on that was blocked in one of them (LIFECYCLE.md 2.6): what is accepted, and what is offered."""

from bot.domain.model.command_signals import ResumePhase
from bot.domain.model.record import Phase, Record

_ORDER: tuple[ResumePhase, ...] = ("planning", "building", "testing", "submit")
#: How far each phase has come. Before building there is nothing but planning to go on in.
_RANK: dict[Phase, int] = {"building": 1, "testing": 2, "submit": 3}


def possible(came_from: Phase) -> tuple[ResumePhase, ...]:
    """From the first to the furthest."""
    return _ORDER[: _RANK.get(came_from, 0) + 1]


def given_up(record: Record) -> str:
    """What every way on costs: a plan that waited for its review goes on in planning only, which asks for a new one."""
    if record.blocked is None or record.blocked.from_ != "plan_ready" or record.plan is None:
        return ""
    return f"plan r{record.plan.revision} and its approvals are given up"


def furthest(came_from: Phase) -> ResumePhase:
    return possible(came_from)[-1]
