"""`/approve`: a reviewer's yes to a plan revision, or to the head at the open gate of a pull request."""

from bot.domain.commands.arguments import gate_and_sha, head_words, odd_words, revision, sha_hint
from bot.domain.commands.sentences import wrong_place
from bot.domain.commands.spec import OF_A_COMMIT, CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import Approve
from bot.domain.model.record import Record
from bot.domain.model.refusals import Refusal
from bot.domain.model.resuming import given_up
from bot.domain.model.signals import Command


def parse(said: Said) -> Approve | Refusal:
    """`/approve rN` works on the pull request, too: it affirms the plan again."""
    if len(said.words) == 1 and (number := revision(said.words[0])):
        return said.signal(Approve, revision=number)
    found = gate_and_sha(said.words)
    if not said.thread.is_pull and found is not None and (found.gate or found.sha):
        return wrong_place(said, OF_A_COMMIT)
    if found is None:
        return _unexpected(said)
    return said.signal(Approve, gate=found.gate, sha=found.sha)


def _unexpected(said: Said) -> Refusal:
    if said.thread.is_pull:
        allowed = f"Only a gate and a commit may follow here, and {odd_words(said)} is not that"
    else:
        allowed = f"Only a plan revision may follow here, and {odd_words(said)} is none"
    return said.refusal(
        "bad_argument",
        f"{allowed}, so nothing was approved. {sha_hint(said.words)}"
        f"A reviewer approves with {said.typed(_words(said.thread))}; remarks go on a line of their own.",
    )


def _words(thread: Thread) -> str:
    plan = thread.record.plan if thread.record else None
    if thread.is_pull or plan is None:
        return f"approve {head_words(thread)}".strip()
    return f"approve r{plan.revision}"


def offer(thread: Thread) -> Offer | None:
    return Offer(_words(thread)) if thread.open_gate else None


def while_blocked(signal: Command, record: Record | None) -> str | None:
    """An approval of the plan is stored while the work is blocked, and nothing goes on from it (LIFECYCLE.md 2.2)."""
    if not isinstance(signal, Approve) or record is None or record.phase != "blocked" or record.plan is None:
        return None
    costs = given_up(record)
    then = f"When it is let go on, {costs}." if costs else "It counts when the work is let go on."
    stored = f"Your approval of plan r{record.plan.revision} is stored, but the record is blocked"
    return f"{stored}, so nothing goes on from it now. {then}"


APPROVE = CommandSpec(
    name="approve",
    arguments="[rN]",
    pull_arguments="[testing or submit] [SHA]",
    where="both",
    who=("reviewer",),
    summary="approves the plan revision, or the head at the open gate",
    examples=(
        ("issue", "/approve"),
        ("issue", "/approve r2"),
        ("pull", "/approve"),
        ("pull", "/approve testing"),
        ("pull", "/approve 1a2b3c4"),
        ("pull", "/approve submit 1a2b3c4d5e6f"),
        ("pull", "/approve r2"),
    ),
    parse=parse,
    offer=offer,
)
