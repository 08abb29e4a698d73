"""`/block` QUESTION: stops the work until an operator has answered and lets it go on."""

from bot.domain.commands.arguments import reason
from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import BlockWork
from bot.domain.model.refusals import Refusal


def parse(said: Said) -> BlockWork | Refusal:
    question = reason(said.text)
    if question is None:
        return said.refusal(
            "bad_argument",
            "A block needs the question that has to be answered first, so nothing was blocked. "
            f"A builder, a reviewer or an operator comments {said.typed('block')} and the question.",
        )
    return said.signal(BlockWork, question=question)


def offer(thread: Thread) -> Offer | None:
    return Offer("block", " and a question") if thread.active else None


BLOCK = CommandSpec(
    name="block",
    arguments="QUESTION",
    where="both",
    who=("builder", "reviewer", "operator"),
    summary="asks an operator a question, and stops the work until one lets it go on",
    examples=(
        ("issue", "/block Which key store holds the old signing key?"),
        ("pull", "/block\nMay the old key be dropped?\nIt is still in use."),
    ),
    parse=parse,
    offer=offer,
    takes="text",
    group="stop",
    rare=True,
)
