"""`/help`: lists what the person who asks can do here and now (`bot.domain.commands.offers.help_text`)."""

from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import AskHelp


def parse(said: Said) -> AskHelp:
    return said.signal(AskHelp)


def offer(thread: Thread) -> Offer | None:
    return Offer("help") if thread.record else None


HELP = CommandSpec(
    name="help",
    arguments="",
    where="both",
    who=(),
    summary="lists what you can do here now",
    examples=(("issue", "/help"), ("pull", "/help me")),
    parse=parse,
    offer=offer,
    group="other",
)
