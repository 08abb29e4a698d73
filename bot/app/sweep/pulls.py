"""Pull requests: what changed since, what wants to be linked, what was reviewed."""

from datetime import datetime

from bot.app.sweep import found
from bot.app.sweep.tour import OVERLAP, Tour
from bot.domain.model.ids import RecordKey
from bot.domain.model.sweeping import EventsOf, FoundPull, FoundReview, LineCommentsSince, PullsSince, ReviewsOf

JUDGED = frozenset({"building", "testing", "submit", "blocked"})


async def look_at_pulls(tour: Tour) -> datetime | None:
    """Where the next sweep goes on. After a start all open ones are looked at: one of them may be what it waits for."""
    known = tour.before.pulls_since
    since = known - OVERLAP if known is not None and tour.started is None else None
    answer = await tour.ask(PullsSince(since, tour.etag("pulls") if since is not None else None))
    before = tour.troubles
    for pull in reversed(answer.value.items):
        await _changed(tour, pull)
    tour.keep("pulls", answer.value.etag if since is not None else None, before)
    if tour.troubles != before:
        return known
    return max((pull.updated_at for pull in answer.value.items), default=known or answer.date)


async def _changed(tour: Tour, pull: FoundPull) -> None:
    key = await _linked(tour, pull.number)
    if key is not None:
        await _came_back(tour, key, pull)
    elif pull.open or await _carries(tour, pull.head_sha):
        await tour.bring(found.pull_seen(pull))
        key = await _linked(tour, pull.number)
    if key is not None:
        tour.touched.add(key)
        tour.pulls.add(pull.number)


async def _linked(tour: Tour, pull: int) -> RecordKey | None:
    return await tour.hands.outside.store.read(lambda tx: tx.records.by_pull(tour.repo.id, pull))


async def _carries(tour: Tour, head: str) -> bool:
    """Whether a check of ours stands on this head; else nobody is concerned by a closed pull request."""
    return bool(await tour.hands.outside.store.read(lambda tx: tx.slots.published_checks(tour.repo.id, head)))


async def _came_back(tour: Tour, key: RecordKey, pull: FoundPull) -> None:
    """What went away and came back looks as if nothing had happened: a head, a base, an open pull request. What was decided on
    it is void all the same, unless the epoch has risen since. By GitHub's times."""
    loaded = tour.open.get(key.issue)
    record = loaded.record if loaded else None
    if record is None or record.phase not in JUDGED or record.head != pull.head_sha:
        return
    since = found.since_when(record)
    if since is None or pull.updated_at < since.replace(microsecond=0):
        return
    answer = await tour.ask_of_one(EventsOf(pull.number))
    log = answer.value if answer is not None else ()
    for signal in found.back_since(pull.number, pull.head_sha, log, since):
        await tour.bring(signal)


async def look_at_reviews(tour: Tour) -> None:
    """Every review of every linked pull request that is under way; their lists cost nothing while they are the same."""
    for number, loaded in tour.open.items():
        record = await tour.record(number) or loaded.record
        if record.pull_request is None or record.frozen is not None or record.withdrawn:
            continue
        if tour.purse.left <= 0:
            tour.slowed = True
            return
        await _reviews(tour, record.pull_request)


async def _reviews(tour: Tour, pull: int) -> None:
    """Every no comes before a yes, in whichever review it stands."""
    name = f"reviews:{pull}"
    answer = await tour.ask_of_one(ReviewsOf(pull, tour.etag(name)))
    if answer is None:
        return
    if answer.value.unchanged:
        tour.keep(name, answer.value.etag, tour.troubles)
        return
    complete = True
    before = tour.troubles
    for review in answer.value.items:
        complete = await _words(tour, pull, review, answer.date) and complete
    for review in answer.value.items:
        verdict = found.verdict(pull, review) if review.state == "approved" else None
        if verdict is not None and review.author not in tour.unheard:
            await tour.bring(verdict)
    tour.keep(name, answer.value.etag if complete else None, before)


async def _words(tour: Tour, pull: int, review: FoundReview, date: datetime) -> bool:
    """Whether all but an approving verdict was decided: requested changes beat an `/approve` in the body, and while they are
    not decided, the rest of what their author says waits."""
    verdict = found.verdict(pull, review) if review.state != "approved" else None
    before = tour.troubles
    if verdict is not None:
        await tour.bring(verdict)
        if tour.troubles != before:
            tour.waits_for(review.author)
            return False
    return review.body is None or await tour.hear(review.body, date)


async def look_at_lines(tour: Tour, since: datetime) -> bool:
    """Comments on lines of the linked pull requests that changed; False when one waits. No other list tells of them, so
    that pull requests must count as changed until all are decided, and at first all do: the list then lacks closed ones."""
    linked = [one.record.pull_request for one in tour.open.values() if tour.before.pulls_since is None]
    for pull in sorted(tour.pulls.union(number for number in linked if number is not None)):
        answer = await tour.ask_of_one(LineCommentsSince(pull, since))
        if answer is None:
            continue
        for comment in answer.value:
            if not await tour.hear(comment, answer.date):
                tour.owes_lines = True
    return not tour.owes_lines
