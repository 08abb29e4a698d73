"""No merge is asked for while a delivery that may concern its record is not worked on, or while words that were found for it
are not all heard; and none is reserved where one was tried in vain. This is the one place that says so, in the very
transaction that reserves or asks.

What nobody has tried yet is a matter of moments: a reservation asks nothing, so it is made and waits, and a stop ends it.
"""

from collections.abc import Sequence

from bot.domain.merging.reservation import goes_on
from bot.domain.model.delivery import Delivery
from bot.domain.model.ids import RecordKey
from bot.domain.model.record import Record
from bot.ports.deliveries import About, Unheard
from bot.ports.store import Tx, VersionConflict

#: Held while words that a sweep found in this repository are brought, oldest first.
HEARING = "hearing:"


def of(tx: Tx, record: Record | None, but: str | None = None) -> Unheard:
    """What is unheard of this record. `but`: the delivery that is being worked on."""
    if record is None:
        return Unheard()
    key = record.key
    about = About(key.repository_id, record.repo.installation_id, key.issue, record.pull_request, record.head)
    found = tx.deliveries.unheard(about, but)
    return found._replace(waits=found.waits or tx.leases.holder(f"{HEARING}{key.repository_id}") is not None)


def guard(tx: Tx, before: Record | None, after: Record, but: str | None) -> None:
    """For every write of a record: what came since it was decided is decided on first."""
    if not goes_on(before, after):
        return
    found = of(tx, after, but)
    if found.since is not None or (found.waits and after.merge.state == "requested"):
        raise VersionConflict("something came that may concern it")


def wake(tx: Tx, delivery: Delivery) -> None:
    """It was tried in vain: the records that it may be about and that lead on to a merge are looked at now. None is read here:
    one of them may be why it failed, and nobody stands behind the inbox to set it aside."""
    for key in _concerned(tx, delivery):
        tx.records.wake_for_merge(key)


def _concerned(tx: Tx, delivery: Delivery) -> Sequence[RecordKey]:
    lane, thread = delivery.lane, delivery.thread
    if thread is None and delivery.head is None:
        return tx.records.of_repository(lane, open_only=True)
    keys = set(tx.records.by_head(lane, delivery.head) if delivery.head is not None else ())
    if thread is not None:
        keys |= {RecordKey(lane, thread), tx.records.by_pull(lane, thread) or RecordKey(lane, thread)}
    return sorted(keys)
