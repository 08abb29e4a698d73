"""`pull_request` events. Heads, bases and drafts in them are hints; the facts are read."""

from bot.domain.model.content import stamp
from bot.domain.model.policy import is_our_label
from bot.domain.model.sightings import (
    AutoMergeSwitched,
    DraftChanged,
    HeadPushed,
    LabelsTouched,
    PullClosed,
    PullOpened,
    PullReopened,
    PullRetargeted,
)
from bot.github.inbound.occurrence import Occurrence, Translated
from bot.github.inbound.payload import Change, Label, Pull
from bot.github.shapes import Part, Text


class PullEvent(Part):
    pull_request: Pull


class SynchronizeEvent(PullEvent):
    before: Text
    after: Text


class BaseChange(Part):
    ref: Change | None = None


class Changes(Part):
    base: BaseChange | None = None


class EditedEvent(PullEvent):
    changes: Changes = Changes()


class LabelEvent(PullEvent):
    label: Label | None = None


def opened(seen: Occurrence) -> Translated:
    pull = seen.read(PullEvent).pull_request
    key = f"pull:{pull.number}:opened"
    return (PullOpened(key=key, actor=seen.actor, delivery=seen.guid, at=pull.updated_at, pull=pull.number),)


def synchronize(seen: Occurrence) -> Translated:
    event = seen.read(SynchronizeEvent)
    pull = event.pull_request
    return (
        HeadPushed(
            key=f"pull:{pull.number}:synchronize:{event.before}:{event.after}:{stamp(pull.updated_at)}",
            actor=seen.actor,
            delivery=seen.guid,
            at=pull.updated_at,
            pull=pull.number,
            before=event.before,
            after=event.after,
        ),
    )


def edited(seen: Occurrence) -> Translated:
    """Only another base matters: titles and descriptions command nothing and never link."""
    event = seen.read(EditedEvent)
    base, pull = event.changes.base, event.pull_request
    if base is None or base.ref is None:
        return "the base did not change"
    return (
        PullRetargeted(
            key=f"pull:{pull.number}:retargeted:{base.ref.from_}:{pull.base.ref}:{stamp(pull.updated_at)}",
            actor=seen.actor,
            delivery=seen.guid,
            at=pull.updated_at,
            pull=pull.number,
            before=base.ref.from_,
            after=pull.base.ref,
        ),
    )


def closed(seen: Occurrence) -> Translated:
    pull = seen.read(PullEvent).pull_request
    key = f"pull:{pull.number}:closed:{stamp(pull.updated_at)}"
    return (PullClosed(key=key, actor=seen.actor, delivery=seen.guid, at=pull.updated_at, pull=pull.number),)


def reopened(seen: Occurrence) -> Translated:
    pull = seen.read(PullEvent).pull_request
    key = f"pull:{pull.number}:reopened:{stamp(pull.updated_at)}"
    return (PullReopened(key=key, actor=seen.actor, delivery=seen.guid, at=pull.updated_at, pull=pull.number),)


def draft_changed(seen: Occurrence) -> Translated:
    pull = seen.read(PullEvent).pull_request
    return (
        DraftChanged(
            key=f"pull:{pull.number}:{seen.action}:{stamp(pull.updated_at)}",
            actor=seen.actor,
            delivery=seen.guid,
            at=pull.updated_at,
            pull=pull.number,
            draft=seen.action == "converted_to_draft",
        ),
    )


def auto_merge_switched(seen: Occurrence) -> Translated:
    pull = seen.read(PullEvent).pull_request
    key = f"pull:{pull.number}:{seen.action}:{stamp(pull.updated_at)}"
    return (AutoMergeSwitched(key=key, actor=seen.actor, delivery=seen.guid, at=pull.updated_at, pull=pull.number),)


def labels_changed(seen: Occurrence) -> Translated:
    """A missing label is one whose definition was deleted; it may have been ours."""
    event = seen.read(LabelEvent)
    pull, label = event.pull_request, event.label
    if label is not None and not is_our_label(label.name):
        return "not a label of ours"
    key = f"pull:{pull.number}:{label.id if label else 0}:touched:{seen.action}:{stamp(pull.updated_at)}"
    return (LabelsTouched(key=key, actor=seen.actor, delivery=seen.guid, at=pull.updated_at, pull=pull.number),)
