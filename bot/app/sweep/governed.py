"""Issues that have a record, are open and wear the start label: what happened to them on the way there.

What was closed and reopened, or lost its label and got it back, looks as if nothing had happened; the log tells. It decides
by its own order, and GitHub's times are compared with GitHub's.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.app.sweep import found
from bot.app.sweep.tour import OVERLAP, Tour
from bot.domain.model.facts import IssueFacts
from bot.domain.model.ids import RecordKey
from bot.domain.model.record import Record
from bot.domain.model.sightings import IssueReopened, StartLabelAdded
from bot.domain.model.sweeping import EventsOf, FoundIssue, ThreadEvent
from bot.domain.model.text import same_name
from bot.ports.rows import HistoryRow
from bot.ports.store import HistoryDamaged

#: Signals by which the log itself withdraws a record; words do it otherwise.
BY_THE_LOG = frozenset({"issue_closed", "label_removed"})


@dataclass(frozen=True, slots=True)
class Log:
    """The log of a thread, oldest first. `ahead`: by how much our clock is ahead of GitHub's."""

    events: tuple[ThreadEvent, ...] = ()
    ahead: timedelta = timedelta(0)

    def newest(self, kind: str, label: str | None = None) -> ThreadEvent | None:
        wanted = (event for event in reversed(self.events) if event.kind == kind)
        return next((event for event in wanted if label is None or is_about(event, label)), None)


def is_about(event: ThreadEvent, label: str) -> bool:
    return event.label is not None and same_name(event.label, label)


def has_label(issue: IssueFacts, label: str) -> bool:
    return any(same_name(label, one) for one in issue.labels)


async def log_of(tour: Tour, number: int) -> Log:
    answer = await tour.ask_of_listed(EventsOf(number))
    return Log(answer.value, tour.hands.outside.clock.now() - answer.date)


async def look_at_governed(tour: Tour, label: str, issue: FoundIssue, record: Record) -> None:
    """One whose history is damaged keeps no other from being looked at."""
    try:
        await _look_at(tour, label, issue, record)
    except HistoryDamaged:
        name = f"{tour.repo.full_name}#{issue.number}"
        tour.trouble(f"the stored history of {name} is not what was written; signalbox verify-history {name} says more")


async def _look_at(tour: Tour, label: str, issue: FoundIssue, record: Record) -> None:
    seen = tour.before.issues_since
    quiet = seen is not None and issue.updated_at < seen - OVERLAP
    if quiet and (record.phase == "done" or not record.withdrawn):
        return
    log = await log_of(tour, issue.number)
    if record.phase == "done":
        await _after_its_end(tour, label, issue, log, record)
        return
    if not record.withdrawn:
        since = max(record.started_at, seen - OVERLAP if seen is not None else record.started_at)
        await _went_away(tour, label, issue, log, since)
    after = await tour.record(issue.number)
    if after is not None and after.withdrawn:
        await _revive(tour, label, issue, log, after.version)


async def _after_its_end(tour: Tour, label: str, issue: FoundIssue, log: Log, record: Record) -> None:
    """Whoever wants to begin anew what is done is told that done is final."""
    for event in log.events:
        signal = _reviving(label, issue, event) if event.at > record.phase_since - log.ahead else None
        if signal is not None:
            await tour.bring(signal)


async def _went_away(tour: Tour, label: str, issue: FoundIssue, log: Log, since: datetime) -> None:
    """What is older than the newest start of the record was heard before it."""
    rows = await _rows(tour, issue.number)
    revived = [at - log.ahead for at in revivals(rows)]
    for event in log.events:
        if event.at <= max([since, *revived]):
            continue
        if event.kind == "closed":
            await tour.bring(found.closed(issue.number, issue.id, event.actor, event.at))
        elif event.kind == "unlabeled" and is_about(event, label):
            known = found.label_id(issue, label)
            await tour.bring(found.unlabelled(issue.number, issue.id, label, event, known))


async def _revive(tour: Tour, label: str, issue: FoundIssue, log: Log, version: int) -> None:
    """Only what happened after the withdrawal revives; the label that still hangs there from before does not. It may have been
    heard before the withdrawal was, and counted for nothing then: so it is brought once more, for this version."""
    for event in _after(log, label, await _rows(tour, issue.number)):
        signal = _reviving(label, issue, event)
        if signal is None:
            continue
        for key in (signal.key, f"{signal.key}:{version}"):
            await tour.bring(signal.model_copy(update={"key": key}))
            record = await tour.record(issue.number)
            if record is None or not record.withdrawn:
                return


def _reviving(label: str, issue: FoundIssue, event: ThreadEvent) -> StartLabelAdded | IssueReopened | None:
    if event.kind == "labeled" and is_about(event, label):
        return found.labelled(issue, label, event)
    return found.reopened(issue.number, issue.id, event) if event.kind == "reopened" else None


def _after(log: Log, label: str, rows: list[HistoryRow]) -> tuple[ThreadEvent, ...]:
    """Events after the withdrawal: by the order of the log where something in it withdrew the record."""
    row = next((row for row in reversed(rows) if _withdrawal(row)), rows[-1])
    withdrew = [
        place
        for place, event in enumerate(log.events)
        if event.kind == "closed" or (event.kind == "unlabeled" and is_about(event, label))
    ]
    if row.signal in BY_THE_LOG and withdrew:
        return log.events[withdrew[-1] + 1 :]
    return tuple(event for event in log.events if event.at > row.at - log.ahead)


def revivals(rows: Iterable[HistoryRow]) -> list[datetime]:
    """By our clock."""
    return [row.at for row in rows if row.version > 1 and _withdrawal(row) is False]


def _withdrawal(row: HistoryRow) -> bool | None:
    """Whether this version was withdrawn (True) or revived (False)."""
    return next((step.get("value") for step in row.patch if step.get("path") == "/withdrawn"), None)


async def _rows(tour: Tour, number: int) -> list[HistoryRow]:
    key = RecordKey(tour.repo.id, number)
    return await tour.hands.outside.store.read(lambda tx: list(tx.records.history(key, limit=100_000)))
