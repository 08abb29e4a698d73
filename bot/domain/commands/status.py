"""`/status`: looks at GitHub again and refreshes the status comment. Words behind it are passed over."""

from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import AskStatus


def parse(said: Said) -> AskStatus:
    return said.signal(AskStatus)


def offer(thread: Thread) -> Offer | None:
    return Offer("status") if thread.record else None


STATUS = CommandSpec(
    name="status",
    arguments="",
    where="both",
    who=(),
    summary="refreshes the status comment",
    examples=(("issue", "/status"), ("pull", "/status please")),
    parse=parse,
    offer=offer,
    group="other",
)
