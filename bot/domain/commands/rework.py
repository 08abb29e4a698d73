"""`/rework` WHY: a reviewer or an operator sends the head back to building."""

from bot.domain.commands.arguments import reason
from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import Rework
from bot.domain.model.refusals import Refusal


def parse(said: Said) -> Rework | Refusal:
    why = reason(said.text)
    if why is None:
        return said.refusal(
            "bad_argument",
            "Sending the head back needs its reason, so nothing was sent back. "
            f"A reviewer or an operator comments {said.typed('rework')} and why.",
        )
    return said.signal(Rework, why=why)


def offer(thread: Thread) -> Offer | None:
    record = thread.active
    judged = record is not None and record.is_judged
    return Offer("rework", " and why") if judged and thread.is_pull else None


REWORK = CommandSpec(
    name="rework",
    arguments="WHY",
    where="pull",
    who=("reviewer", "operator"),
    summary="sends the head back to building, with the reason",
    examples=(("pull", "/rework The retry never ends."), ("pull", "/rework\nThe retry never ends.\nSee line 12.")),
    parse=parse,
    offer=offer,
    takes="text",
    bound="sends back the head of a pull request",
    group="stop",
    rare=True,
)
