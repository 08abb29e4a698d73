"""`/replan` WHY: back to planning. Approvals and evidence are void, and a new plan revision is needed."""

from bot.domain.commands.arguments import reason
from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import Replan
from bot.domain.model.refusals import Refusal

#: In planning there is nothing to go back from, and blocked is left by `/resume planning`.
_PHASES = frozenset({"plan_ready", "plan_rejected", "building", "testing", "submit"})


def parse(said: Said) -> Replan | Refusal:
    why = reason(said.text)
    if why is None:
        return said.refusal(
            "bad_argument",
            "Going back to planning needs its reason, so nothing changed. "
            f"A builder or an operator comments {said.typed('replan')} and why.",
        )
    return said.signal(Replan, why=why)


def offer(thread: Thread) -> Offer | None:
    record = thread.record if _begins_anew(thread) else thread.active
    if record is None or not (record.phase in _PHASES or _begins_anew(thread)):
        return None
    return Offer("replan", " and why")


def _begins_anew(thread: Thread) -> bool:
    """Versions are lost: an operator lets it begin anew, also in planning."""
    record = thread.record
    if record is None or record.frozen != "database_behind" or record.withdrawn or record.in_flight:
        return False
    return record.phase not in {"done", "blocked"}


REPLAN = CommandSpec(
    name="replan",
    arguments="WHY",
    where="both",
    who=("builder", "operator"),
    summary="goes back to planning, with the reason; approvals and evidence are void",
    examples=(("issue", "/replan The interface changed."), ("pull", "/replan\nThe interface changed.")),
    parse=parse,
    offer=offer,
    takes="text",
    group="stop",
    rare=True,
)
