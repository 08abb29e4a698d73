"""Records under way: what moves them is read again, and what we show of them is compared with what GitHub shows."""

from datetime import UTC, datetime, timedelta

from bot.app.sweep.meter import COMPARING
from bot.app.sweep.tour import Tour
from bot.domain.model.ids import SIGNALBOX, RecordKey
from bot.domain.model.own_signals import TimeCame
from bot.domain.model.questions import OwnChecksOn
from bot.domain.model.record import Record
from bot.domain.model.slot_name import SlotName
from bot.ports.failures import Forbidden
from bot.ports.rows import Slot
from bot.ports.store import Tx
from bot.ports.sweeps import Look

#: Labels, comments and check runs of a record are compared at most this often.
BETWEEN_COMPARISONS = timedelta(minutes=10)
#: GitHub calls a check run stale that is open for 14 days.
REPUBLISHED_AFTER = timedelta(days=10)
_NEVER = datetime.min.replace(tzinfo=UTC)


async def look_at_records(tour: Tour) -> None:
    """First those whose pull request changed, then those that waited longest; as many as the share allows."""
    looks = await tour.hands.outside.store.read(lambda tx: {key: tx.sweeps.look(key) for key in _keys(tour)})
    order = sorted(looks, key=lambda key: (key not in tour.touched, looks[key].read_at or _NEVER, key))
    for key in order:
        record = tour.open[key.issue].record
        if record.frozen == "suspended" or record.withdrawn:
            continue
        if tour.purse.for_records <= 0:
            tour.slowed = True
            return
        await tour.without_fault(key.issue, _look(tour, record, looks[key]))


def _keys(tour: Tour) -> list[RecordKey]:
    return [loaded.record.key for loaded in tour.open.values()]


async def _look(tour: Tour, record: Record, last: Look) -> None:
    if record.frozen == "instance_conflict":
        await tour.hands.doubts.look_again(record)
    elif record.pull_request is not None and not record.in_flight:
        signal = TimeCame(key="", actor=SIGNALBOX)
        outcome = await tour.hands.transactor.apply(tour.repo, record.key, signal)
        if outcome.kind == "later":
            tour.trouble(outcome.note or "a fact could not be read")
    compare = tour.full or last.compared_at is None or tour.now - last.compared_at >= BETWEEN_COMPARISONS
    doubtful = await _doubtful(tour, record) if compare else ()
    look = Look(read_at=tour.now, compared_at=tour.now if compare else last.compared_at)

    def store(tx: Tx) -> None:
        tx.sweeps.set_look(record.key, look)
        now = tx.slots.of(record.key)
        for slot in doubtful:
            if now[slot.name].state == "clean":
                tx.slots.put(record.key, slot)
        if doubtful:
            tx.records.mark_dirty(record.key)

    await tour.hands.outside.store.run(store)


async def _doubtful(tour: Tour, record: Record) -> tuple[Slot, ...]:
    """What the publisher has to look at on GitHub. Comments and labels it compares with what they should be; a check run
    is written anew whenever it is looked at, so that one is doubted only for a reason."""
    slots = await tour.hands.outside.store.read(lambda tx: tx.slots.of(record.key))
    doubtful = [
        slot.model_copy(update={"state": "unsure"})
        for name, slot in slots.items()
        if SlotName(name).head is None and slot.state == "clean"
    ]
    tour.purse.charge(COMPARING if doubtful else 0)
    check = slots.get(SlotName.check(record.head or ""))
    if check is not None and check.state == "clean":
        doubtful += await _check(tour, record, check)
    return tuple(doubtful)


async def _check(tour: Tour, record: Record, slot: Slot) -> list[Slot]:
    """Our check run was changed or lost: looked at. It stands open for so long that GitHub is about to call it stale: a new
    one is made."""
    try:
        answer = await tour.ask_of_one(OwnChecksOn(record.head or ""))
    except Forbidden as refused:  # it is about this commit: the others are looked at all the same
        tour.trouble(refused.for_operator())
        return []
    if record.phase != "done":
        await tour.hands.doubts.found(record, answer)
    run = answer.value[0] if answer is not None and answer.value else None
    if run is None or (run.conclusion or run.status) != slot.extra:
        return [slot.model_copy(update={"state": "unsure"})]
    open_since = run.started_at if run.conclusion is None else None
    if open_since is not None and tour.now - open_since >= REPUBLISHED_AFTER:
        return [Slot(name=slot.name)]
    return []
