"""What a merge would be of, read again before it is reserved and before it is asked for."""

from bot.domain.lifecycle.checking import look_at_checks
from bot.domain.lifecycle.pulls import look
from bot.domain.lifecycle.results import Ignore
from bot.domain.lifecycle.turn import Turn


def look_before_merge(turn: Turn) -> Ignore | None:
    """What moved or turned red is booked, and leaves submit; a merge by somebody else is settled. Raises Unread."""
    seen = look(turn)
    if turn.record.phase == "submit" and turn.record.merge.state != "merged":
        look_at_checks(turn)
    return seen
