"""A stop acts on the head that GitHub shows, whether its push was heard or not; and it acts where that cannot be read."""

from contextlib import suppress

from bot.domain.lifecycle.pulls import observe
from bot.domain.lifecycle.results import Unread
from bot.domain.lifecycle.turn import Turn


def observe_if_possible(turn: Turn) -> bool:
    """Look at the pull request before a stop, and whether it could be read. What cannot be read stops no stop."""
    with suppress(Unread), turn.whole():
        observe(turn)
        return True
    return False
