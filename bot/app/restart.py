"""What a process finds when it starts: the work and the holds of one that is gone. Only where one process owns the database."""

from datetime import timedelta
from typing import NamedTuple

from bot.app.publish import LEASE
from bot.domain.model.ids import RecordKey
from bot.domain.model.slot_name import SlotName
from bot.ports.forge import LANDING
from bot.ports.store import Tx

#: A comment that was on its way when its sender died may still appear.
AFTERMATH = timedelta(seconds=LANDING)


class Found(NamedTuple):
    """How much was left behind."""

    deliveries: int
    holds: int
    sweeps: int


def take_over(tx: Tx) -> Found:
    """Nobody works on anything yet: deliveries that were claimed are open again, holds are free, and what was being
    swept is due. A merge needs nothing here, it is guarded by what its record says."""
    holds = tx.leases.end_abandoned()
    for name in holds:
        if name.startswith(LEASE):
            repository, _, issue = name.removeprefix(LEASE).partition("#")
            _let_it_land(tx, RecordKey(int(repository), int(issue)))
    return Found(tx.deliveries.reopen_abandoned(), len(holds), tx.sweeps.free_abandoned())


def _let_it_land(tx: Tx, key: RecordKey) -> None:
    """A first comment that may yet appear is waited for, so that it is found and not written a second time. Labels are the
    same when repeated, and of two check runs the newer one counts."""
    slots = tx.slots.of(key).values()
    sending = (slot for slot in slots if slot.state == "sending" and slot.remote_id is None)
    if any(SlotName(slot.name).is_comment for slot in sending):
        tx.records.postpone_publishing(key, tx.now() + AFTERMATH)
