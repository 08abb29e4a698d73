"""`/unlink`: this pull request no longer belongs to the record. Words behind it are passed over."""

from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import Unlink


def parse(said: Said) -> Unlink:
    return said.signal(Unlink)


def offer(thread: Thread) -> Offer | None:
    record = thread.active
    linked = record is not None and thread.is_pull and record.pull_request == thread.number
    return Offer("unlink") if linked else None


UNLINK = CommandSpec(
    name="unlink",
    arguments="",
    where="pull",
    who=("builder",),
    summary="unbinds this pull request from its issue",
    examples=(("pull", "/unlink"), ("pull", "/unlink this one")),
    parse=parse,
    offer=offer,
    bound="unbinds a pull request",
    group="other",
    rare=True,
)
