"""`/reject`: a reviewer's no, with the reason, to a plan revision or to the head of a pull request."""

from bot.domain.commands.arguments import leading_revision, reason
from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import Reject
from bot.domain.model.refusals import Refusal


def parse(said: Said) -> Reject | Refusal:
    """On a pull request the head is judged, so there `r2` is a word of the reason like any other."""
    number, text = (None, said.text) if said.thread.is_pull else leading_revision(said.text)
    why = reason(text)
    if why is None:
        return said.refusal(
            "bad_argument",
            "A rejection needs its reason, so nothing was rejected. "
            f"A reviewer comments {said.typed(f'reject r{number}' if number else _words(said.thread))} and why.",
        )
    return said.signal(Reject, revision=number, reason=why)


def _words(thread: Thread) -> str:
    plan = thread.record.plan if thread.record else None
    return "reject" if thread.is_pull or plan is None else f"reject r{plan.revision}"


def offer(thread: Thread) -> Offer | None:
    return Offer(_words(thread), " and why") if thread.open_gate else None


REJECT = CommandSpec(
    name="reject",
    arguments="[rN] WHY",
    pull_arguments="WHY",
    where="both",
    who=("reviewer",),
    summary="sends the plan or the head back, with the reason",
    examples=(
        ("issue", "/reject r2 The rollback is missing."),
        ("issue", "/reject The rollback is missing."),
        ("pull", "/reject The lock is never released.\nSee the second hunk."),
    ),
    parse=parse,
    offer=offer,
    takes="text",
    group="stop",
)
