"""`/unhold`: merges may happen again. Words behind it are passed over."""

from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import Unhold


def parse(said: Said) -> Unhold:
    return said.signal(Unhold)


def offer(thread: Thread) -> Offer | None:
    """To whoever holds it, and to operators."""
    record = thread.active
    if record is None or record.held is None:
        return None
    return Offer("unhold", owners=frozenset({record.held.by.id}), others="operator")


UNHOLD = CommandSpec(
    name="unhold",
    arguments="",
    where="both",
    who=("reviewer", "operator"),
    who_in_words="whoever held it, operator",
    summary="lifts the hold",
    examples=(("issue", "/unhold"), ("pull", "/unhold please")),
    parse=parse,
    offer=offer,
)
