"""A success of our check run whose answer never came: it may still arrive at GitHub, when it is true no more (I24).

One look at once proves little: the request may be on its way. So GitHub is looked at again, until nothing can come any
more; what is looked at is written anew. What is still to be looked at is stored, so that a restart forgets nothing.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from bot.domain.model.ids import RecordKey
from bot.domain.model.slot_name import SlotName
from bot.ports.rows import Slot
from bot.ports.store import Tx

#: Of what was found to be on its way. A hold without an end, whose holder says since when, and how often was looked.
LATE = "late:"
#: How long after the first look it is looked again. Our client gives a write up after little more than a minute, GitHub
#: ends a request after 10 s; by the last look nothing is on its way any more.
LOOKS = (timedelta(seconds=15), timedelta(minutes=1), timedelta(minutes=5))


class _Late(NamedTuple):
    """One mark, as it is stored."""

    name: str
    holder: str

    @property
    def key(self) -> RecordKey:
        repository, _, issue = self.name.removeprefix(LATE).partition(":")[0].partition("#")
        return RecordKey(int(repository), int(issue))

    @property
    def slot(self) -> SlotName:
        return SlotName.check(self.name.rpartition(":")[2])

    @property
    def since(self) -> datetime:
        return datetime.fromisoformat(self.holder.rpartition("/")[0])

    @property
    def looks(self) -> int:
        return int(self.holder.rpartition("/")[2])


def may_succeed_late(slot: Slot) -> bool:
    """Whether success of this check left, and nobody knows what became of it."""
    return SlotName(slot.name).head is not None and slot.state == "sending" and slot.extra == "success"


def remember(tx: Tx, key: RecordKey, slot: Slot) -> None:
    """It is looked at now, and from now on again. What was to be looked at before begins anew."""
    name = f"{LATE}{key}:{SlotName(slot.name).head}"
    _keep(tx, name, f"{tx.now().isoformat()}/0")


def is_due(tx: Tx) -> bool:
    """Whether `look_again` has something to do."""
    return bool(_due(tx))


def look_again(tx: Tx) -> None:
    """The publisher looks at each whose time has come, also on a head that was left and of a record that is over. It is
    taken for success until it was seen: a record that another one speaks for would not look."""
    for mark in _due(tx):
        slot = _slot(tx, mark)
        tx.slots.put(mark.key, slot.model_copy(update={"state": "unsure", "extra": "success"}))
        tx.records.mark_dirty(mark.key)
        if mark.looks + 1 < len(LOOKS):
            _keep(tx, mark.name, f"{mark.since.isoformat()}/{mark.looks + 1}")
        else:
            tx.leases.drop(mark.name, mark.holder)


def _due(tx: Tx) -> list[_Late]:
    """A write that is on its way is answered, or looked at, first."""
    marks = [_Late(held.name, held.holder) for held in tx.leases.held(LATE)]
    come = [mark for mark in marks if mark.since + LOOKS[mark.looks] <= tx.now()]
    return [mark for mark in come if _slot(tx, mark).state != "sending"]


def _slot(tx: Tx, mark: _Late) -> Slot:
    return tx.slots.of(mark.key).get(mark.slot, Slot(name=mark.slot))


def _keep(tx: Tx, name: str, holder: str) -> None:
    before = tx.leases.holder(name)
    if before is not None:
        tx.leases.drop(name, before)
    tx.leases.take(name, holder, None)
