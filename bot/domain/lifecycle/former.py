"""Pull requests that a record had before: who pushed to them, and which words were about them."""

from datetime import datetime

from bot.domain.model.ids import Person
from bot.domain.model.linked import LinkedPull
from bot.domain.model.record import Record
from bot.domain.model.sightings import CommentCreated


def pushed_before(record: Record) -> tuple[Person, ...]:
    """Whoever pushed to a pull request of this record: the same commits may come back in another one, from a branch that
    somebody else made of them."""
    return tuple({one.id: one for former in former_pulls(record) for one in former.pushers}.values())


def former_pulls(record: Record) -> tuple[LinkedPull, ...]:
    """Pull requests that were linked before, the present one included: whoever pushed to one stays known when it comes back."""
    if record.pull is None:
        return record.former_pulls
    return (*(former for former in record.former_pulls if former.number != record.pull.number), record.pull)


def governed_since(record: Record, comment: CommentCreated) -> datetime:
    """By GitHub's clock: since the label was added, or since somebody linked this pull request by a word."""
    linked_at = record.pull.linked_at if comment.is_pull and record.pull else None
    if any(_was_linked(former, comment) for former in record.former_pulls):
        linked_at = None
    return (linked_at or record.started_at).replace(microsecond=0)


def _was_linked(former: LinkedPull, comment: CommentCreated) -> bool:
    """Whether it stands on a pull request that this record had when it was written, and has again."""
    if former.number != comment.number or former.unlinked_at is None or comment.created_at > former.unlinked_at:
        return False
    return former.linked_at is None or former.linked_at.replace(microsecond=0) <= comment.created_at
