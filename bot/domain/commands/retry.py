"""`/retry`: an operator grants fresh budgets to exhausted work. It approves nothing."""

from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import Retry
from bot.domain.model.record import Record


def parse(said: Said) -> Retry:
    return said.signal(Retry)


def _exhausted(record: Record) -> bool:
    if record.phase == "blocked":
        return record.blocked is not None and record.blocked.cause == "budget"
    return record.work.task is not None and record.work.task.get("status") == "failed"


def offer(thread: Thread) -> Offer | None:
    record = thread.active
    return Offer("retry") if record is not None and _exhausted(record) else None


RETRY = CommandSpec(
    name="retry",
    arguments="",
    where="both",
    who=("operator",),
    summary="grants fresh budgets to exhausted work, and approves nothing",
    examples=(("issue", "/retry"), ("pull", "/retry it")),
    parse=parse,
    offer=offer,
)
