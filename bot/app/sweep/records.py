"""Records under way: what moves them is read again, and what we show of them is compared with what GitHub shows."""

from datetime import UTC, datetime, timedelta

from bot.app.sweep.meter import COMPARING
from bot.app.sweep.tour import Tour
from bot.domain.model.ids import SIGNALBOX, RecordKey
from bot.domain.model.record import Record
from bot.domain.model.signals import TimeCame
from bot.ports.store import Tx
from bot.ports.sweeps import Look

#: Labels, comments and check runs of a record are compared at most this often.
BETWEEN_COMPARISONS = timedelta(minutes=10)
_NEVER = datetime.min.replace(tzinfo=UTC)


async def look_at_records(tour: Tour) -> None:
    """First those whose pull request changed, then those that waited longest; as many as the share allows."""
    looks = await tour.hands.outside.store.read(lambda tx: {key: tx.sweeps.look(key) for key in _keys(tour)})
    order = sorted(looks, key=lambda key: (key not in tour.touched, looks[key].read_at or _NEVER, key))
    for key in order:
        record = tour.open[key.issue].record
        if record.frozen is not None or record.withdrawn:
            continue
        if tour.purse.for_records <= 0:
            tour.slowed = True
            return
        await _look(tour, record, looks[key])


def _keys(tour: Tour) -> list[RecordKey]:
    return [loaded.record.key for loaded in tour.open.values()]


async def _look(tour: Tour, record: Record, last: Look) -> None:
    if record.pull_request is not None and not record.in_flight:
        signal = TimeCame(key="", actor=SIGNALBOX)
        outcome = await tour.hands.transactor.apply(tour.repo, record.key, signal)
        if outcome.kind == "later":
            tour.trouble(outcome.note or "a fact could not be read")
    compare = tour.full or last.compared_at is None or tour.now - last.compared_at >= BETWEEN_COMPARISONS
    if compare:
        tour.purse.charge(COMPARING)
    look = Look(read_at=tour.now, compared_at=tour.now if compare else last.compared_at)

    def store(tx: Tx) -> None:
        tx.sweeps.set_look(record.key, look)
        if compare:
            tx.slots.distrust(record.key)

    await tour.hands.outside.store.run(store)
