"""Records that have one commit in common, and the one check run on it that they share."""

from collections.abc import Iterable

from bot.domain.lifecycle.waking import earliest
from bot.domain.model.record import Record
from bot.domain.model.slot_name import SlotName
from bot.domain.projections.speaker import judges
from bot.ports.rows import Slot
from bot.ports.store import Tx


def others_on(tx: Tx, record: Record, head: str) -> tuple[Record, ...]:
    """The other records that have this head, or whose check run stands on it."""
    key = record.key
    keys = {*tx.records.by_head(key.repository_id, head), *tx.slots.published_checks(key.repository_id, head)} - {key}
    loaded = [tx.records.load(each) for each in sorted(keys)]
    return tuple(each.record for each in loaded if each is not None)


def overwritten(tx: Tx, record: Record, slot: str) -> None:
    """The run on this head says what this record says: whoever wrote there before looks, and writes what must be there.
    A write that is on its way stays one, and a success that may stand is not forgotten; only what it said is out of date."""
    head = SlotName(slot).head
    if head is None:
        return
    for other in others_on(tx, record, head):
        theirs = tx.slots.of(other.key).get(slot)
        if theirs is None:
            continue
        if theirs.state == "clean":
            tx.slots.put(other.key, Slot(name=slot, remote_id=theirs.remote_id, state="unsure"))
            tx.records.mark_dirty(other.key)
        else:
            tx.slots.put(other.key, theirs.model_copy(update={"digest": None}))


def retell(tx: Tx, before: Record | None, after: Record) -> None:
    """Where a record comes to a head or leaves it, the others that have it are shown and looked at anew."""
    heads = {head for record in (before, after) if record is not None for head in _told(record)}
    was = before is not None and _told(before) == _told(after)
    for other in () if was else _of(tx, after, heads):
        tx.records.mark_dirty(other.key)
        if other.phase != "done":
            tx.records.wake_at(other.key, earliest(tx.records.wakes_at(other.key), tx.now()))


def _told(record: Record) -> dict[str, bool]:
    return {record.head: judges(record, record.head)} if record.head is not None else {}


def _of(tx: Tx, record: Record, heads: Iterable[str]) -> tuple[Record, ...]:
    return tuple({other.key: other for head in sorted(heads) for other in others_on(tx, record, head)}.values())
