"""One text that stops the work and lets it go on: its stops come first, whatever their order, and all else waits for them.

What gives authority may be followed by a merge at once. So nothing of it counts before every stop of the same text is
decided; and what lifts a stop is not undone by standing above another one.
"""

from collections.abc import Sequence

from bot.domain.commands.reading import Misread
from bot.domain.model.refusals import Refusal
from bot.domain.model.signals import Command

Item = Command | Misread
STOPS = frozenset({"reject", "rework", "hold", "block_work", "revoke", "cancel", "replan"})
LIFTS = frozenset({"unhold", "resume", "retry"})
AUTHORITY = LIFTS | {"approve", "open_gate", "declare_candidate", "merge_now"}


def stops_first(items: Sequence[Item]) -> list[tuple[int, Item]]:
    """The commands of one comment in the order in which they are brought, each with its place in the text."""
    return sorted(enumerate(items), key=lambda each: not _is(each[1], STOPS))


def stopped_by_itself(items: Sequence[Item], place: int, unverified: bool) -> Refusal | None:
    """Why the command at this place does not count beside the stops of its own text. `unverified`: GitHub did not say
    whether one of them counts."""
    item = items[place]
    if unverified and _is(item, AUTHORITY):
        return Refusal(
            code="could_not_verify",
            message="The same comment stops the work, and GitHub did not say whether its writer may. Nothing changed.\n"
            "Repeat it in a few minutes if it still fits.",
        )
    if _is(item, LIFTS) and any(_is(other, STOPS) for other in items[place + 1 :]):
        return Refusal(
            code="stale_comment",
            message="The same comment stops the work below it, so nothing is lifted. Repeat it if it still fits.",
        )
    return None


def is_unverified_stop(item: Item, refusal: Refusal | None) -> bool:
    return _is(item, STOPS) and refusal is not None and refusal.code == "could_not_verify"


def _is(item: Item, kinds: frozenset[str]) -> bool:
    return not isinstance(item, Misread) and item.kind in kinds
