"""`/revoke`: whoever decided takes it back; on the issue about the plan, on the pull request about the head."""

from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.gates.gate import counting
from bot.domain.model.command_signals import Revoke
from bot.domain.model.record import GateName


def parse(said: Said) -> Revoke:
    return said.signal(Revoke)


def offer(thread: Thread) -> Offer | None:
    """To those whose approvals count now."""
    record = thread.active
    if record is None:
        return None
    gates: tuple[GateName, ...] = ("testing", "submit") if thread.is_pull else ("plan",)
    deciders = frozenset(d.by.id for gate in gates for d in counting(record, gate) if d.verdict == "approve")
    return Offer("revoke", owners=deciders) if deciders else None


REVOKE = CommandSpec(
    name="revoke",
    arguments="",
    where="both",
    who=(),
    summary="withdraws your own decisions that count now",
    examples=(("issue", "/revoke"), ("pull", "/revoke I was wrong")),
    parse=parse,
    offer=offer,
    group="stop",
    rare=True,
    who_in_words="whoever decided",
)
