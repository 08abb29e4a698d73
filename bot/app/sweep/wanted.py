"""Whether the issue of a record still asks for its work: it is open and wears the start label. Else the log tells how it came to
be otherwise, by what happened since the record began and the label meant anything.
"""

from datetime import datetime
from itertools import takewhile
from typing import Literal

from bot.app.sweep import found
from bot.app.sweep.governed import Log, has_label, is_about, revivals
from bot.domain.model.facts import IssueFacts
from bot.domain.model.record import Record
from bot.domain.model.sightings import IssueClosed, LabelRemoved
from bot.domain.model.text import same_name
from bot.ports.store import Tx

#: Versions of the policy file that are looked back on.
MOST_VERSIONS = 20
#: `wanted`: it is open, and the label is there or never was. `unsaid`: the label is off, and no event says by whom.
Wanted = Literal["wanted", "unsaid"] | IssueClosed | LabelRemoved


def start_label_since(tx: Tx, repository_id: int, label: str) -> datetime | None:
    """When the policy file made it the start label; None where it was that from the first."""
    versions = tx.policies.versions(repository_id, MOST_VERSIONS)
    run = list(takewhile(lambda one: same_name(one.policy.start_label, label), versions))
    return run[-1].since if run and len(run) < len(versions) else None


def counts_from(tx: Tx, record: Record, label: str) -> datetime:
    """What happened to the label before that says nothing of this work. By our clock. Raises HistoryDamaged."""
    rows = tx.records.history(record.key, limit=100_000)
    meant = start_label_since(tx, record.repository_id, label)
    return max([record.started_at, *revivals(rows), *([] if meant is None else [meant])])


def asks_for(label: str, record: Record, issue: IssueFacts, log: Log, since: datetime) -> Wanted:
    """`since`: see `counts_from`."""
    if not issue.open:
        event = log.newest("closed")
        actor, at = (event.actor, event.at) if event is not None else (None, record.phase_since)
        return found.closed(record.issue, record.issue_id, actor, at)
    if has_label(issue, label):
        return "wanted"
    event = next((one for one in reversed(log.events) if is_about(one, label)), None)
    if event is None:
        return "wanted"
    if event.kind == "labeled":
        return "unsaid"
    if event.at <= since - log.ahead:
        return "wanted"
    return found.unlabelled(record.issue, record.issue_id, label, event)
