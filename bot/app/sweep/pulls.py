"""Pull requests: what changed since, what wants to be linked."""

from datetime import datetime

from bot.app.sweep import found
from bot.app.sweep.tour import OVERLAP, Tour
from bot.domain.model.ids import SIGNALBOX, RecordKey
from bot.domain.model.sightings import PullClosed
from bot.domain.model.sweeping import EventsOf, FoundPull, PullsSince
from bot.ports.store import Tx

JUDGED = frozenset({"building", "testing", "submit", "blocked"})


async def look_at_pulls(tour: Tour) -> datetime | None:
    """Where the next sweep goes on. After a start all open ones are looked at: one of them may be what it waits for."""
    known = tour.before.pulls_since
    since = known - OVERLAP if known is not None and tour.started is None else None
    answer = await tour.ask(PullsSince(since, tour.etag("pulls") if since is not None else None))
    before = tour.troubles
    for pull in reversed(answer.value.items):
        await tour.one_thread(pull.number, _changed(tour, pull))
    if known is None:
        await _withdrawn(tour, {pull.number for pull in answer.value.items})
    tour.keep("pulls", answer.value.etag if since is not None else None, before)
    if tour.troubles != before or (since is None and known is not None):
        return known  # also where only open ones were listed: what was closed since is told by the next list
    return max((pull.updated_at for pull in answer.value.items), default=known or answer.date)


async def _changed(tour: Tour, pull: FoundPull) -> None:
    key = await _linked(tour, pull.number)
    if key is not None:
        await _merged_without_us(tour, key, pull)
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


async def _withdrawn(tour: Tour, listed: set[int]) -> None:
    """The first list lacks closed ones. Of withdrawn work they are read by themselves; all others are read again anyway."""

    def pulls(tx: Tx) -> list[int]:
        loaded = [tx.records.load(key) for key in tx.records.of_repository(tour.repo.id, open_only=False)]
        over = [one.record for one in loaded if one is not None and one.record.withdrawn]
        return [one.pull_request for one in over if one.pull_request is not None and one.phase != "done"]

    for pull in await tour.hands.outside.store.read(pulls):
        if pull not in listed:
            await tour.one_thread(pull, tour.bring(PullClosed(key="", actor=SIGNALBOX, pull=pull)))


async def _merged_without_us(tour: Tour, key: RecordKey, pull: FoundPull) -> None:
    """Of withdrawn work nothing else is read, and somebody may merge it all the same."""
    record = await tour.record(key.issue)
    if record is not None and record.withdrawn and not pull.open:
        await tour.bring(found.pull_seen(pull))


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
    log = (await tour.ask_of_listed(EventsOf(pull.number))).value
    for signal in found.back_since(pull.number, pull.head_sha, log, since):
        await tour.bring(signal)
