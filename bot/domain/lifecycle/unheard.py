"""Something came that may be a stop, and could not be worked on: nothing leads on to a merge, whatever else cannot be read."""

from bot.domain.lifecycle import prerequisites
from bot.domain.lifecycle.following import wait
from bot.domain.lifecycle.results import Ignore
from bot.domain.lifecycle.stops import give_back
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.own_signals import NewsWaits


def news_waits(turn: Turn, _signal: NewsWaits) -> Ignore | None:
    """What came and may be a stop could not be worked on: what is reserved is given back and success goes, whatever cannot be
    read."""
    record, no = turn.record, prerequisites.unheard(turn)
    over = (
        record.phase != "submit" or record.withdrawn or record.frozen or record.merge.state not in {"none", "reserved"}
    )
    if over or no is None:
        return Ignore("nothing leads to a merge here")
    give_back(turn, no.message, no.code)
    wait(turn, no.code, no.message)
    return None
