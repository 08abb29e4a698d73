"""Issues: starts whose label nobody told us of, and what became of the issues of records under way."""

from datetime import datetime

from bot.app.sweep import found
from bot.app.sweep.governed import Log, has_label, log_of, look_at_governed
from bot.app.sweep.tour import Tour
from bot.domain.model.facts import IssueFacts
from bot.domain.model.questions import IssueOf
from bot.domain.model.record import Record
from bot.domain.model.sightings import IssueClosed, LabelRemoved
from bot.domain.model.sweeping import FoundIssue, LabelledIssues


async def look_at_issues(tour: Tour) -> datetime | None:
    """One list of the open issues with the start label; what is in it and has no record starts, what is not in it and has
    one is read by itself. An unchanged list says that neither has happened. Returns until when all is known."""
    label = (await tour.hands.policies.of(tour.repo)).start_label
    answer = await tour.ask(LabelledIssues(label, tour.etag("issues")))
    before = tour.troubles
    if not answer.value.unchanged:
        listed = {issue.number: issue for issue in answer.value.items}
        for issue in listed.values():
            await tour.one_thread(issue.number, _labelled(tour, label, issue))
        for number, loaded in tour.open.items():
            if number not in listed and loaded.record.frozen != "suspended":
                await tour.one_thread(number, _left(tour, label, loaded.record))
    tour.keep("issues", answer.value.etag, before)
    return answer.date if tour.troubles == before else tour.before.issues_since


async def _labelled(tour: Tour, label: str, issue: FoundIssue) -> None:
    record = await tour.record(issue.number)
    if record is not None:
        await look_at_governed(tour, label, issue, record)
        return
    event = (await log_of(tour, issue.number)).newest("labeled", label)
    if event is not None:
        await tour.bring(found.labelled(issue, label, event))
        if await tour.record(issue.number) is not None:
            tour.started = min(event.at, tour.started or event.at)


async def _left(tour: Tour, label: str, record: Record) -> None:
    """The issue of a record under way is not among the open ones with the label."""
    if not record.withdrawn:
        await tour.holding.found_once()
    issue = (await tour.ask(IssueOf(record.issue))).value
    if issue is None:
        await _missing(tour, record)
        return
    signal = left_by(label, record, issue, await log_of(tour, record.issue))
    if signal is not None:
        await tour.bring(signal)


def left_by(label: str, record: Record, issue: IssueFacts, log: Log) -> IssueClosed | LabelRemoved | None:
    """How an issue that has a record came to be closed or without the label; None where it is neither, or no log tells of it."""
    if not issue.open:
        event = log.newest("closed")
        actor, at = (event.actor, event.at) if event is not None else (None, record.phase_since)
        return found.closed(record.issue, record.issue_id, actor, at)
    event = None if has_label(issue, label) else log.newest("unlabeled", label)
    return None if event is None else found.unlabelled(record.issue, record.issue_id, label, event)


async def _missing(tour: Tour, record: Record) -> None:
    """A single answer may be wrong, and what is gone for good can wait: it is gone when the next sweep does not see it either."""
    if record.issue_gone is not None:
        return
    if record.issue in tour.before.missing:
        await tour.bring(found.gone(record.issue, record.issue_id))
    else:
        tour.missing.add(record.issue)
        tour.trouble(f"GitHub did not show issue #{record.issue}; it is looked for once more before it is called gone")
