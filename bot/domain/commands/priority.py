"""`/priority N`: the order in the work queue; a higher number is offered first."""

from bot.domain.commands.arguments import HIGHEST_PRIORITY, odd_words, priority
from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import SetPriority
from bot.domain.model.refusals import Refusal


def parse(said: Said) -> SetPriority | Refusal:
    value = priority(said.words[0]) if len(said.words) == 1 else None
    if value is None:
        named = f"and {odd_words(said)} is none" if said.words else "and none was named"
        return said.refusal(
            "bad_argument",
            f"A priority is one whole number from 0 to {HIGHEST_PRIORITY}, {named}, so nothing changed. "
            f"An operator comments {said.typed('priority 50')} with the number that is meant.",
        )
    return said.signal(SetPriority, priority=value)


def offer(thread: Thread) -> Offer | None:
    return Offer("priority", f" and a number from 0 to {HIGHEST_PRIORITY}") if thread.active else None


PRIORITY = CommandSpec(
    name="priority",
    arguments="N",
    where="both",
    who=("operator",),
    summary="sets the place in the work queue, from 0 to 100; higher is offered first",
    examples=(("issue", "/priority 80"), ("pull", "/priority 0"), ("pull", "/priority 100")),
    parse=parse,
    offer=offer,
    group="other",
    rare=True,
)
