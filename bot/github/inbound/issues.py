"""`issues` and `label` events."""

from bot.domain.model.content import gone_key, issue_key, label_key, stamp
from bot.domain.model.policy import is_our_label
from bot.domain.model.sightings import (
    IssueClosed,
    IssueGone,
    IssueReopened,
    LabelRemoved,
    LabelsTouched,
    StartLabelAdded,
)
from bot.domain.model.signals import Signal
from bot.github.inbound.occurrence import Occurrence, Translated
from bot.github.inbound.payload import Change, Issue, Label
from bot.github.shapes import Part

ON_A_PULL_REQUEST = "the issue is a pull request"


class IssueEvent(Part):
    issue: Issue


class LabelEvent(IssueEvent):
    """`label` is missing when the label's definition was deleted."""

    label: Label | None = None


class LabelChanges(Part):
    name: Change | None = None


class DefinitionEvent(Part):
    label: Label
    changes: LabelChanges = LabelChanges()


def labeled(seen: Occurrence) -> Translated:
    event = seen.read(LabelEvent)
    issue, label = event.issue, event.label
    if issue.pull_request is not None:
        return ON_A_PULL_REQUEST
    if label is None:
        return "no label is named"
    added = StartLabelAdded(
        key=label_key(issue.id, label.id, "labeled", issue.updated_at),
        actor=seen.actor,
        delivery=seen.guid,
        at=issue.updated_at,
        issue=issue.number,
        issue_id=issue.id,
        title=issue.title,
        label=label.name,
    )
    return (added, *_touched(seen, issue, label))


def unlabeled(seen: Occurrence) -> Translated:
    event = seen.read(LabelEvent)
    issue, label = event.issue, event.label
    if issue.pull_request is not None:
        return ON_A_PULL_REQUEST
    if label is None:
        return _touched(seen, issue, None)
    removed = LabelRemoved(
        key=label_key(issue.id, label.id, "unlabeled", issue.updated_at),
        actor=seen.actor,
        delivery=seen.guid,
        at=issue.updated_at,
        issue=issue.number,
        label=label.name,
    )
    return (removed, *_touched(seen, issue, label))


def _touched(seen: Occurrence, issue: Issue, label: Label | None) -> tuple[Signal, ...]:
    if label is not None and not is_our_label(label.name):
        return ()
    key = f"issue:{issue.id}:{label.id if label else 0}:touched:{seen.action}:{stamp(issue.updated_at)}"
    return (LabelsTouched(key=key, actor=seen.actor, delivery=seen.guid, at=issue.updated_at, issue=issue.number),)


def closed(seen: Occurrence) -> Translated:
    issue = seen.read(IssueEvent).issue
    if issue.pull_request is not None:
        return ON_A_PULL_REQUEST
    key = issue_key(issue.id, "closed", issue.updated_at)
    return (IssueClosed(key=key, actor=seen.actor, delivery=seen.guid, at=issue.updated_at, issue=issue.number),)


def reopened(seen: Occurrence) -> Translated:
    issue = seen.read(IssueEvent).issue
    if issue.pull_request is not None:
        return ON_A_PULL_REQUEST
    key = issue_key(issue.id, "reopened", issue.updated_at)
    return (IssueReopened(key=key, actor=seen.actor, delivery=seen.guid, at=issue.updated_at, issue=issue.number),)


def gone(seen: Occurrence) -> Translated:
    """Transferred or deleted. The issue named is the old one, in the old repository."""
    issue = seen.read(IssueEvent).issue
    if issue.pull_request is not None:
        return ON_A_PULL_REQUEST
    how = "transferred" if seen.action == "transferred" else "deleted"
    return (
        IssueGone(
            key=gone_key(issue.id, how),
            actor=seen.actor,
            delivery=seen.guid,
            at=issue.updated_at,
            issue=issue.number,
            how=how,
        ),
    )


def definition(seen: Occurrence) -> Translated:
    """A label of ours was deleted, renamed or recoloured: every thread of the repository may have lost it."""
    event = seen.read(DefinitionEvent)
    names = [event.label.name, *([event.changes.name.from_] if event.changes.name else [])]
    if not any(is_our_label(name) for name in names):
        return "not a label of ours"
    key = f"label:{event.label.id}:{seen.action}:{'>'.join(reversed(names))}"
    return (LabelsTouched(key=key, actor=seen.actor, delivery=seen.guid),)
