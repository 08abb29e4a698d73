"""Issues: starts whose label nobody told us of, and what became of the issues of records under way."""

from datetime import datetime

from bot.app.sweep import found
from bot.app.sweep.governed import Log, log_of, look_at_governed
from bot.app.sweep.tour import Tour
from bot.app.sweep.wanted import asks_for, counts_from, start_label_since
from bot.domain.model.questions import IssueOf
from bot.domain.model.record import Record
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
    log = await log_of(tour, issue.number)
    event = log.newest("labeled", label)
    meant = await tour.hands.outside.store.read(lambda tx: start_label_since(tx, tour.repo.id, label))
    if event is not None and (meant is None or event.at > meant - log.ahead):
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
    log = await log_of(tour, record.issue)
    since = await tour.hands.outside.store.read(lambda tx: counts_from(tx, record, label))
    wanted = asks_for(label, record, issue, log, since)
    if wanted == "unsaid":
        await _unsaid(tour, label, record, log)
    elif wanted != "wanted":
        await tour.bring(wanted)


async def _unsaid(tour: Tour, label: str, record: Record, log: Log) -> None:
    """An event may come later than what it tells of; where none has come by the next sweep, somebody deleted the label itself,
    and that withdraws no work: it is put back."""
    if record.issue in tour.before.unsaid:
        await tour.bring(found.undefined(record.issue, record.issue_id, label, log.newest("labeled", label)))
    tour.unsaid.add(record.issue)
    tour.trouble(f"issue #{record.issue} lacks its start label, and its log does not say who took it off")


async def _missing(tour: Tour, record: Record) -> None:
    """A single answer may be wrong, and what is gone for good can wait: it is gone when the next sweep does not see it either."""
    if record.issue_gone is not None:
        return
    if record.issue in tour.before.missing:
        await tour.bring(found.gone(record.issue, record.issue_id))
    else:
        tour.missing.add(record.issue)
        tour.trouble(f"GitHub did not show issue #{record.issue}; it is looked for once more before it is called gone")
