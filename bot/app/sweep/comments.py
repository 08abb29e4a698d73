"""Comments whose webhook was lost: heard the same way, once."""

from datetime import datetime, timedelta

from bot.app.sweep.pulls import look_at_lines
from bot.app.sweep.tour import OVERLAP, Tour
from bot.domain.model.sweeping import CommentsSince

#: A full sweep reads everything again since the one before.
FULL = timedelta(hours=6)


async def look_at_comments(tour: Tour) -> datetime:
    """Where the next sweep goes on. Nothing older than the first start concerns us, and all since then does: words may have
    been lost before a repository was swept for the first time."""
    known = tour.before.comments_since
    governed = [one.record.started_at for one in tour.open.values()]
    first = known if known is not None else min(governed, default=None)
    times = [tour.started, first - OVERLAP if first is not None else None]
    if tour.full and tour.before.full_at is not None:
        times.append(tour.before.full_at - OVERLAP)
    since = min((time for time in times if time is not None), default=tour.now - OVERLAP)
    fresh = known is None or since < known - OVERLAP
    answer = await tour.ask(CommentsSince(since, None if fresh else tour.etag("comments")))
    before, complete = tour.troubles, True
    for comment in answer.value.items:
        complete = await tour.hear(comment, answer.date) and complete
    complete = await look_at_lines(tour, since) and complete
    if not complete or tour.troubles:
        return min(since + OVERLAP, known or since + OVERLAP)
    newest = max((comment.updated_at for comment in answer.value.items), default=None)
    reached = max((time for time in (newest, known) if time is not None), default=answer.date)
    if reached == known:
        tour.keep("comments", answer.value.etag, before)
    return reached
