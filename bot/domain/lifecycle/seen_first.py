"""A stop acts on the head that GitHub shows, whether its push was heard or not; and it acts where that cannot be read."""

from contextlib import suppress

from bot.domain.lifecycle.pulls import observe
from bot.domain.lifecycle.results import Unread
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.record import Record


def shows_its_head(record: Record) -> bool:
    """Whether a no is about the head that GitHub shows now; in other phases nothing of it is looked at."""
    return record.phase == "building" or (record.is_judged and not record.withdrawn)


def observe_if_possible(turn: Turn) -> bool:
    """Look at the pull request before a stop, and whether it could be read. What cannot be read stops no stop."""
    with suppress(Unread), turn.whole():
        observe(turn)
        return True
    return False
