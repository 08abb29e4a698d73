"""One text that stops the work and lets it go on: its stops come first, whatever their order, and all else waits for them.

What gives authority may be followed by a merge at once. So nothing of it counts before every stop of the same text is
decided, nor where one of them was refused; and what lifts a stop is not undone by standing above another one. A review's
verdict and its body are one text.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from bot.domain.commands.reading import Interpretation, Misread
from bot.domain.model.record import Record
from bot.domain.model.refusals import Refusal, RefusalCode
from bot.domain.model.sightings import CommentCreated
from bot.domain.model.signals import Command
from bot.domain.model.text import code

Item = Command | Misread
STOPS = frozenset({"reject", "rework", "hold", "block_work", "revoke", "cancel", "replan"})
#: The same as they are typed.
STOP_WORDS = frozenset({"reject", "rework", "hold", "block", "revoke", "cancel", "replan"})
LIFTS = frozenset({"unhold", "resume", "retry"})
AUTHORITY = LIFTS | {"approve", "open_gate", "declare_candidate", "merge_now"}
#: A stop that was refused because it stands already.
STANDS: frozenset[RefusalCode] = frozenset({"already_recorded", "held"})


class Doubt(NamedTuple):
    """Why nothing of a text gives authority: GitHub did not say whether one of its stops counts, one was refused, the review
    whose body it is was dismissed, or what was said before it could not be read. `code` and `stop` are of that stop."""

    why: Literal["unverified", "refused", "dismissed", "unread"]
    code: RefusalCode = "could_not_verify"
    stop: str = ""


def stops_first(items: Sequence[Item]) -> list[tuple[int, Item]]:
    """The commands of one comment in the order in which they are brought, each with its place in the text."""
    return sorted(enumerate(items), key=lambda each: not _is(each[1], STOPS))


def only_gives_authority(items: Sequence[Item]) -> bool:
    """Whether a text lets the work go on and stops nothing, so that it may wait as a whole."""
    return any(_is(item, AUTHORITY) for item in items) and not any(_is(item, STOPS) for item in items)


def may_stop(items: Sequence[Item]) -> bool:
    """Whether a text says anything but what lets the work go on: a stop, or words that may be meant as one."""
    return any(not _is(item, AUTHORITY) for item in items)


def doubt_at_first(
    comment: CommentCreated, record: Record | None, heard: Interpretation, *, unread: bool = False
) -> Doubt | None:
    """What is known before anything of this comment is brought: a stop that cannot be read or stands below a refused plan,
    what became of its review, and that older words are `unread`."""
    if record is not None and comment.comment_kind == "review":
        if any(one.review_id == comment.comment_id for one in record.taken_back):
            return Doubt("dismissed", "stale_comment")
        if any(no.review_id == comment.comment_id for no in record.unverified):
            return Doubt("unverified")
    misread = next((one for one in heard.items if isinstance(one, Misread) and one.meant in STOP_WORDS), None)
    if misread is not None:
        return Doubt("refused", misread.refusal.code, misread.source.text)
    last = heard.items[-1] if heard.items else None
    below = next((line for line in heard.in_the_plan if line.meant in STOP_WORDS), None)
    if isinstance(last, Misread) and below is not None:
        return Doubt("refused", last.refusal.code, below.text)
    return Doubt("unread") if unread else None


def doubt_after(item: Item, refusal: Refusal | None) -> Doubt | None:
    """What the outcome of one command means for the rest of its text."""
    if refusal is None or refusal.code in STANDS or not _is(item, STOPS):
        return None
    return Doubt("unverified" if refusal.code == "could_not_verify" else "refused", refusal.code, item.source.text)


def stopped_by_itself(items: Sequence[Item], place: int, doubt: Doubt | None) -> Refusal | None:
    """Why the command at this place does not count beside the rest of its own text."""
    item = items[place]
    if doubt is not None and _is(item, AUTHORITY):
        return Refusal(code=doubt.code, message=_in_words(doubt))
    if _is(item, LIFTS) and any(_is(other, STOPS) for other in items[place + 1 :]):
        return Refusal(
            code="stale_comment",
            message="The same comment stops the work below it, so nothing is lifted. Repeat it if it still fits.",
        )
    return None


def _in_words(doubt: Doubt) -> str:
    match doubt.why:
        case "unverified":
            return (
                "The same comment stops the work, and GitHub did not say whether its writer may. Nothing changed.\n"
                "Repeat it in a few minutes if it still fits."
            )
        case "dismissed":
            return "The review in which it stands was dismissed before this was heard. Nothing changed."
        case "unread":
            return (
                "What was said here before it could not be read, so nothing in it lets the work go on. Nothing changed.\n"
                "Repeat it in a few minutes if it still fits."
            )
        case _:
            return (
                f"The same comment says {code(doubt.stop)}, which was not counted, so nothing in it lets the work go on. "
                "Nothing changed.\nSay which of the two you mean, in a new comment."
            )


def _is(item: Item, kinds: frozenset[str]) -> bool:
    return not isinstance(item, Misread) and item.kind in kinds
