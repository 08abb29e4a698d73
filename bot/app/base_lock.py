"""The lock of a base: one merge at a time for each repository and base (LIFECYCLE.md 3.1).

It follows `merge.locked` in the same write. Given free, it is handed to the record whose authority was complete first: that
one is looked at now, and either takes it or gives it up to the next. One that cannot be looked at loses its turn.
"""

from datetime import UTC, datetime, timedelta

from bot.domain.lifecycle.waking import earliest
from bot.domain.model.ids import RecordKey
from bot.domain.model.record import Record
from bot.ports.store import Tx, VersionConflict

#: How long the first in line may keep the others waiting without taking the lock.
TURN = timedelta(seconds=30)
_NEVER = datetime.max.replace(tzinfo=UTC)


def base_lock(record: Record) -> str:
    return f"base:{record.repository_id}:{record.merge.base if record.merge.locked else record.base}"


def follow(tx: Tx, before: Record | None, after: Record, *, saw_it_free: bool) -> None:
    """Take or leave the lock as the new version says; a lost lock is a lost race. `saw_it_free`: this version was decided
    knowing that the lock might be taken."""
    had = before is not None and before.merge.locked
    if after.merge.locked and not had and not tx.leases.take(base_lock(after), str(after.key), None):
        raise VersionConflict(f"{base_lock(after)} is taken")
    if before is None or (after.merge.locked and base_lock(after) == base_lock(before)):
        return
    handed = saw_it_free and tx.leases.holder(base_lock(before)) == str(before.key)
    if had or handed:
        tx.leases.drop(base_lock(before), str(before.key))
        _hand_on(tx, before)


def _hand_on(tx: Tx, before: Record) -> None:
    """To the first in line; the others are looked at later, each in its turn."""
    now, name = tx.now(), base_lock(before)
    base = before.merge.base if before.merge.locked else before.base
    for place, key in enumerate(_line(tx, before.key, base or "")):
        if place == 0:
            tx.leases.take(name, str(key), now + TURN)
        tx.records.wake_at(key, earliest(tx.records.wakes_at(key), now + place * TURN))


def _line(tx: Tx, but: RecordKey, base: str) -> list[RecordKey]:
    """Records that wait for this base, in the order in which their authority was complete."""
    keys = tx.records.waiting_for_base(but.repository_id, base)
    loaded = [tx.records.load(key) for key in keys if key != but]
    waiting = [each.record for each in loaded if each is not None and each.record.merge.reason_code == "base_taken"]
    return [
        record.key for record in sorted(waiting, key=lambda record: (record.complete_since or _NEVER, record.issue))
    ]
