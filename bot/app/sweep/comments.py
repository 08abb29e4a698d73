"""Since when comments are asked for."""

from datetime import datetime, timedelta

from bot.app.sweep.tour import OVERLAP, Tour
from bot.domain.model.facts import Answer
from bot.domain.model.sweeping import FoundComment, Polled
from bot.domain.model.text import moment

#: A full sweep reads everything again since the one before.
FULL = timedelta(hours=6)


def comments_since(tour: Tour) -> tuple[datetime, bool]:
    """And whether it must be asked as if for the first time. Nothing older than the first start concerns us, and all since then
    does: words may have been lost before a repository was swept for the first time."""
    known = tour.before.comments_since
    if tour.before.behind and known is not None and tour.started is None:
        return known, False  # all before it was looked at, also when a full sweep is due
    governed = [one.record.started_at for one in tour.open.values()]
    first = known if known is not None else min(governed, default=None)
    times = [tour.started, first - OVERLAP if first is not None else None]
    if tour.full and tour.before.full_at is not None:
        times.append(tour.before.full_at - OVERLAP)
    since = min((time for time in times if time is not None), default=tour.now - OVERLAP)
    return since, known is None or since < known - OVERLAP


def is_behind(tour: Tour, until: datetime | None) -> None:
    """There are more comments than one sweep reads: the next goes on from there, at once."""
    if until is not None:
        tour.behind = True
        tour.problem = (
            f"there are many comments: those up to {moment(until)} were looked at, the next sweep goes on from there"
        )


def reached(tour: Tour, answer: Answer[Polled[FoundComment]], since: datetime, *, complete: bool) -> datetime:
    """Where the next sweep goes on."""
    known = tour.before.comments_since
    if not complete or tour.troubles:
        return min(since + OVERLAP, known or since + OVERLAP)
    if answer.value.until is not None:
        return min(answer.value.until, answer.date - OVERLAP)
    newest = max((comment.updated_at for comment in answer.value.items), default=None)
    until = max((time for time in (newest, known) if time is not None), default=answer.date)
    if until == known:
        tour.keep("comments", answer.value.etag, tour.troubles)
    return until
