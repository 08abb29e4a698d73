"""`/hold [WHY]`: no merge while held, whatever else moves on. Only its owner or an operator lifts it."""

from bot.domain.commands.arguments import reason
from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import Hold


def parse(said: Said) -> Hold:
    """A stop never fails for want of words."""
    return said.signal(Hold, why=reason(said.text))


def offer(thread: Thread) -> Offer | None:
    record = thread.active
    return Offer("hold") if record is not None and record.held is None else None


HOLD = CommandSpec(
    name="hold",
    arguments="[WHY]",
    where="both",
    who=("reviewer", "operator"),
    summary="allows no merge until it is lifted",
    examples=(("issue", "/hold"), ("pull", "/hold"), ("pull", "/hold until the release is out")),
    parse=parse,
    offer=offer,
    takes="text",
    group="stop",
)
