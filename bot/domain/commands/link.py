"""`/link #N`: binds a pull request to the record of issue N. It works before the pull request has a record."""

from bot.domain.commands.arguments import number, odd_words
from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import Link
from bot.domain.model.refusals import Refusal


def parse(said: Said) -> Link | Refusal:
    issue = number(said.words[0]) if len(said.words) == 1 else None
    if issue is None:
        named = f"and {odd_words(said)} is none" if said.words else "and none was named"
        return said.refusal(
            "bad_argument",
            f"One issue is linked by its number, {named}, so nothing was linked. "
            f"A builder comments {said.typed('link #12')} with the number of the issue.",
        )
    if issue == said.thread.number:
        return said.refusal(
            "bad_argument",
            f"#{issue} is this pull request itself, and it is linked to an issue, so nothing was linked. "
            f"A builder comments {said.typed('link')} and the number of the issue.",
        )
    return said.signal(Link, issue=issue)


def offer(thread: Thread) -> Offer | None:
    return Offer("link", " and the number of the issue") if thread.is_pull and thread.record is None else None


LINK = CommandSpec(
    name="link",
    arguments="#N",
    where="pull",
    who=("builder",),
    summary="binds this pull request to an issue",
    examples=(("pull", "/link #12"), ("pull", "/link 12")),
    parse=parse,
    offer=offer,
    bound="binds a pull request to an issue",
)
