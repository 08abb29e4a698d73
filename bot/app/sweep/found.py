"""From what the sweep found to the signals that a webhook would have brought, under the same content keys."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from bot.domain.model.content import comment_key, gone_key, issue_key, label_key, review_key, stamp
from bot.domain.model.ids import SIGNALBOX, Actor
from bot.domain.model.record import Record
from bot.domain.model.sightings import (
    CommentCreated,
    HeadPushed,
    IssueClosed,
    IssueGone,
    IssueReopened,
    LabelRemoved,
    PullClosed,
    PullOpened,
    PullReopened,
    PullRetargeted,
    ReviewDismissed,
    ReviewSubmitted,
    StartLabelAdded,
)
from bot.domain.model.sweeping import FoundComment, FoundIssue, FoundPull, FoundReview, ThreadEvent
from bot.domain.model.text import same_name

#: Deleted accounts act as nobody: a kind that holds no right anywhere.
NOBODY = Actor(kind="bot", id=10137, login="ghost")


def comment(found: FoundComment) -> CommentCreated | None:
    """None when its author is gone."""
    if found.author is None:
        return None
    return CommentCreated(
        key=comment_key(found.kind, found.id),
        actor=found.author,
        at=found.created_at,
        number=found.number,
        is_pull=found.is_pull,
        comment_id=found.id,
        comment_kind=found.kind,
        node_id=found.node_id,
        body=found.body,
        created_at=found.created_at,
        updated_at=found.updated_at,
        url=found.url,
        app_id=found.app_id,
        commit=found.commit,
    )


def verdict(pull: int, found: FoundReview) -> ReviewSubmitted | ReviewDismissed | None:
    """None for a review that says nothing about the head."""
    if found.state == "dismissed":
        key = review_key(found.id, "dismissed")
        return ReviewDismissed(key=key, actor=SIGNALBOX, pull=pull, review_id=found.id)
    named = found.commit is not None or found.state == "changes_requested"
    if found.state not in {"approved", "changes_requested"} or found.author is None or not named:
        return None
    return ReviewSubmitted(
        key=review_key(found.id, found.state),
        actor=found.author,
        at=found.submitted_at,
        pull=pull,
        review_id=found.id,
        state=found.state,
        commit=found.commit,
        url=found.url,
        submitted_at=found.submitted_at,
        reason=found.body.body if found.body is not None and not found.body.edited else "",
    )


def pull_seen(found: FoundPull) -> PullOpened | PullClosed:
    """An unlinked pull request, as it is: each of its changes is looked at once."""
    key = f"pull:{found.number}:seen:{stamp(found.updated_at)}"
    made = PullOpened if found.open else PullClosed
    return made(key=key, actor=SIGNALBOX, at=found.updated_at, pull=found.number)


CameBack = HeadPushed | PullReopened | PullRetargeted


def since_when(record: Record) -> datetime | None:
    """What is older was there when the epoch last rose, or when the head was first read."""
    return record.epoch_at or (record.pull.head_since if record.pull is not None else None)


def back_since(pull: int, head: str, log: tuple[ThreadEvent, ...], since: datetime | None) -> Iterator[CameBack]:
    """What went away and came back, so that everything looks as if nothing had happened."""
    for event in log:
        if since is not None and event.at > since and (signal := _came_back(pull, head, event)) is not None:
            yield signal


def _came_back(pull: int, head: str, event: ThreadEvent) -> CameBack | None:
    """What only the log shows: a forced push, another base, a reopening, after which everything may be as it was."""
    common: dict[str, Any] = {"actor": event.actor or NOBODY, "at": event.at, "pull": pull}
    match event.kind:
        case "head_ref_force_pushed":
            return HeadPushed(key=f"pull:{pull}:forced:{event.id}", before=None, after=head, **common)
        case "base_ref_changed":
            return PullRetargeted(key=f"pull:{pull}:retargeted:{event.id}", **common)
        case "reopened":
            return PullReopened(key=f"pull:{pull}:reopened:{stamp(event.at)}", **common)
        case _:
            return None


def labelled(issue: FoundIssue, label: str, event: ThreadEvent) -> StartLabelAdded:
    return StartLabelAdded(
        key=label_key(issue.id, label_id(issue, label), "labeled", event.at),
        actor=event.actor or NOBODY,
        at=event.at,
        issue=issue.number,
        issue_id=issue.id,
        title=issue.title,
        label=label,
    )


def unlabelled(number: int, issue_id: int, label: str, event: ThreadEvent, known: int = 0) -> LabelRemoved:
    """The log names no label by its number. Where that is unknown the key is the sweep's own; a repeat finds the record
    withdrawn."""
    own = f"issue:{issue_id}:{label}:unlabeled:{stamp(event.at)}"
    key = label_key(issue_id, known, "unlabeled", event.at) if known else own
    return LabelRemoved(key=key, actor=event.actor or NOBODY, at=event.at, issue=number, label=label)


def undefined(number: int, issue_id: int, label: str, put_on: ThreadEvent | None) -> LabelRemoved:
    """Nobody took it off: the label itself is gone. Counted by when it was put on last."""
    key = f"issue:{issue_id}:{label}:undefined:{stamp(put_on.at) if put_on is not None else ''}"
    return LabelRemoved(key=key, actor=NOBODY, issue=number, label=label)


def closed(number: int, issue_id: int, actor: Actor | None, at: datetime) -> IssueClosed:
    return IssueClosed(key=issue_key(issue_id, "closed", at), actor=actor or NOBODY, at=at, issue=number)


def reopened(number: int, issue_id: int, event: ThreadEvent) -> IssueReopened:
    key = issue_key(issue_id, "reopened", event.at)
    return IssueReopened(key=key, actor=event.actor or NOBODY, at=event.at, issue=number)


def gone(number: int, issue_id: int) -> IssueGone:
    """GitHub shows only that it is not here any more."""
    return IssueGone(key=gone_key(issue_id, "deleted"), actor=SIGNALBOX, issue=number, how="deleted")


def label_id(issue: FoundIssue, label: str) -> int:
    return next((one.id for one in issue.labels if same_name(one.name, label)), 0)
