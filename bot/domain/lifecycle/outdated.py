"""Words that undo a stop act on a stop that stood when they were written, by GitHub's clock where words made the stop.

A comment may be heard late: its delivery was lost and the sweep found it. What it was written against may be over by then,
and another stop may stand that its writer never saw. Stops themselves are never too old (LIFECYCLE.md 2.5).
"""

from datetime import datetime

from bot.domain.lifecycle.refusing import refuse
from bot.domain.lifecycle.results import Refuse
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.command_signals import CommandBase
from bot.domain.model.record import Record
from bot.domain.model.sightings import ReviewSubmitted
from bot.domain.model.text import seconds_clock


def stopped_at(turn: Turn) -> datetime:
    """Since when what this signal stops stands still: when the words were written, else now. By GitHub's clock, as far as it was
    read, since the words that undo it are written by that clock."""
    signal = turn.signal
    if isinstance(signal, ReviewSubmitted):
        return signal.submitted_at
    return signal.source.created_at if isinstance(signal, CommandBase) else by_github(turn, turn.now)


def by_github(turn: Turn, ours: datetime) -> datetime:
    """A time of the host's clock as GitHub's would tell it, by the newest read of this turn."""
    read = turn.facts.github_time()
    return ours if read is None else ours - (turn.now - read)


def written_before(signal: CommandBase, what: str, since: datetime | None) -> Refuse | None:
    """GitHub's times have whole seconds. Words typed at this machine are of now, whatever the clocks say."""
    if since is None or signal.actor.kind == "cli" or signal.source.created_at >= since.replace(microsecond=0):
        return None
    return refuse(
        "stale_comment",
        f"It was written before {what}, which is so since {seconds_clock(since)}. Nothing changed. Repeat it if it still fits.",
    )


def links_said_at(record: Record) -> datetime | None:
    """When the newest words that linked or unlinked a pull request of this record were written: older ones that are heard
    after them are over."""
    pulls = (*record.former_pulls, *((record.pull,) if record.pull else ()))
    times = [time for pull in pulls for time in (pull.linked_at, pull.unlinked_at)]
    return max((time for time in times if time is not None), default=None)
