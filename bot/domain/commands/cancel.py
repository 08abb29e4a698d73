"""`/cancel` WHY: withdraws the record. A builder revives it with the label or by reopening the issue."""

from bot.domain.commands.arguments import reason
from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import Cancel
from bot.domain.model.refusals import Refusal


def parse(said: Said) -> Cancel | Refusal:
    why = reason(said.text)
    if why is None:
        return said.refusal(
            "bad_argument",
            "Withdrawing needs its reason, so nothing was withdrawn. "
            f"A builder or an operator comments {said.typed('cancel')} and why.",
        )
    return said.signal(Cancel, why=why)


def offer(thread: Thread) -> Offer | None:
    return Offer("cancel", " and why") if thread.active else None


CANCEL = CommandSpec(
    name="cancel",
    arguments="WHY",
    where="both",
    who=("builder", "operator"),
    summary="withdraws the record, with the reason",
    examples=(("issue", "/cancel It is solved upstream."), ("pull", "/cancel\nIt is solved upstream.")),
    parse=parse,
    offer=offer,
    takes="text",
    group="stop",
    rare=True,
)
