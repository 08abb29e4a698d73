"""No merge is asked for while a delivery that may concern its record is not worked on, or while words that were found for it
are not all heard; and none is reserved where one was tried in vain. This is the one place that says so, in the very
transaction that reserves or asks.

What nobody has tried yet is a matter of moments: a reservation asks nothing, so it is made and waits, and a stop ends it.
"""

from collections.abc import Iterable, Sequence

from bot.app import hearing
from bot.domain.merging.reservation import PATIENCE, goes_on
from bot.domain.model.delivery import Delivery
from bot.domain.model.ids import RecordKey
from bot.domain.model.record import Record
from bot.ports.deliveries import About, Unheard
from bot.ports.store import Tx, VersionConflict


def of(tx: Tx, record: Record | None, but: str | None = None) -> Unheard:
    """What is unheard of this record. `but`: the delivery that is being worked on."""
    if record is None:
        return Unheard()
    key = record.key
    until = tx.sweeps.state(key.repository_id).found_until
    about = About(key.repository_id, record.repo.installation_id, key.issue, record.pull_request, record.head, until)
    found = tx.deliveries.unheard(about, but)
    marks = [one for one in hearing.standing(tx, key.repository_id) if one.thread in {None, key.issue, about.pull}]
    if not marks:
        return found
    # What a sweep is about to bring is a matter of moments as well; what it left is not.
    left = [one.since for one in marks if one.thread is not None or tx.now() - one.since > PATIENCE]
    return Unheard(True, min([*left, *([found.since] if found.since else [])], default=None))


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
    _wake(tx, _concerned(tx, delivery))


def _concerned(tx: Tx, delivery: Delivery) -> Sequence[RecordKey]:
    lane, thread = delivery.lane, delivery.thread
    if not lane:
        return [key for each in of_any(tx, delivery) for key in tx.records.of_repository(each, open_only=True)]
    if thread is None and delivery.head is None:
        return tx.records.of_repository(lane, open_only=True)
    keys = set(tx.records.by_head(lane, delivery.head) if delivery.head is not None else ())
    if thread is not None:
        keys |= _of_thread(tx, lane, thread)
    return sorted(keys)


def of_any(tx: Tx, delivery: Delivery) -> Sequence[int]:
    """The repositories that a delivery without a lane may be about: those of its installation, or all."""
    named = delivery.installation_id
    installations = tx.repositories.installations() if named is None else [named]
    return [repo.id for number in installations for repo in tx.repositories.of_installation(number)]


def wake_thread(tx: Tx, repository_id: int, thread: int) -> None:
    """The same for what a sweep found there in vain."""
    _wake(tx, _of_thread(tx, repository_id, thread))


def _wake(tx: Tx, keys: Iterable[RecordKey]) -> None:
    for key in keys:
        tx.records.wake_for_merge(key)


def _of_thread(tx: Tx, repository_id: int, thread: int) -> set[RecordKey]:
    own = RecordKey(repository_id, thread)
    return {own, tx.records.by_pull(repository_id, thread) or own}
