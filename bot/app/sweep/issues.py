"""Issues: starts whose label nobody told us of, and what became of the issues of records under way."""

from datetime import datetime

from bot.app.sweep import found
from bot.app.sweep.tour import Tour
from bot.domain.model.ids import RecordKey
from bot.domain.model.questions import IssueOf
from bot.domain.model.record import Record
from bot.domain.model.sweeping import EventsOf, FoundIssue, LabelledIssues, ThreadEvent
from bot.ports.store import Tx


async def look_at_issues(tour: Tour) -> None:
    """One list of the open issues with the start label; what is in it and has no record starts, what is not in it and has
    one is read by itself. An unchanged list says that neither has happened."""
    label = (await tour.hands.policies.of(tour.repo)).start_label
    answer = await tour.ask(LabelledIssues(label, tour.etag("issues")))
    before = tour.troubles
    if not answer.value.unchanged:
        listed = {issue.number: issue for issue in answer.value.items}
        for issue in listed.values():
            await _labelled(tour, label, issue)
        for number, loaded in tour.open.items():
            if number not in listed and loaded.record.frozen is None:
                await _left(tour, label, loaded.record)
    tour.keep("issues", answer.value.etag, before)


async def _labelled(tour: Tour, label: str, issue: FoundIssue) -> None:
    record = await tour.record(issue.number)
    if record is not None and not record.withdrawn:
        return
    events = await _log(tour, issue.number)
    event = _newest(events, "labeled", label)
    if record is not None:
        await _revived(tour, label, issue, events)
    elif event is not None:
        await tour.bring(found.labelled(issue, label, event))
        if await tour.record(issue.number) is not None:
            tour.started = min(event.at, tour.started or event.at)


async def _log(tour: Tour, number: int) -> tuple[ThreadEvent, ...]:
    answer = await tour.ask_of_one(EventsOf(number))
    return answer.value if answer is not None else ()


async def _revived(tour: Tour, label: str, issue: FoundIssue, events: tuple[ThreadEvent, ...]) -> None:
    """Only what happened after the withdrawal revives; the label that still hangs there from before does not."""
    since = await _withdrawn_at(tour, issue.number)
    for event in events:
        if event.at <= since:
            continue
        if event.kind == "labeled" and event.label == label:
            await tour.bring(found.labelled(issue, label, event))
        elif event.kind == "reopened":
            await tour.bring(found.reopened(issue.number, issue.id, event))


async def _withdrawn_at(tour: Tour, number: int) -> datetime:
    """When the record was last withdrawn, by our clock."""

    def find(tx: Tx) -> datetime:
        rows = tx.records.history(RecordKey(tour.repo.id, number), limit=100_000)
        withdrawals = [
            row.at
            for row in rows
            if any(step.get("path") == "/withdrawn" and step.get("value") is True for step in row.patch)
        ]
        return withdrawals[-1] if withdrawals else rows[-1].at

    return await tour.hands.outside.store.read(find)


async def _left(tour: Tour, label: str, record: Record) -> None:
    """The issue of a record under way is not among the open ones with the label."""
    issue = (await tour.ask(IssueOf(record.issue))).value
    if issue is None:
        if record.issue_gone is None:
            await tour.bring(found.gone(record.issue, record.issue_id))
        return
    events = await _log(tour, record.issue)
    if not issue.open:
        event = _newest(events, "closed")
        actor, at = (event.actor, event.at) if event is not None else (None, record.phase_since)
        await tour.bring(found.closed(record.issue, record.issue_id, actor, at))
    elif label not in issue.labels:
        event = _newest(events, "unlabeled", label)
        if event is not None:
            await tour.bring(found.unlabelled(record.issue, record.issue_id, label, event))


def _newest(events: tuple[ThreadEvent, ...], kind: str, label: str | None = None) -> ThreadEvent | None:
    wanted = (event for event in reversed(events) if event.kind == kind and (label is None or event.label == label))
    return next(wanted, None)
