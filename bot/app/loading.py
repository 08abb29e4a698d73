"""What the store knows of a record and of the rules it is decided by, from one snapshot."""

from dataclasses import dataclass
from datetime import datetime

from bot.app import unheard
from bot.app.base_lock import base_lock
from bot.app.policy.book import Policies, Ruled
from bot.app.readings import HINTS
from bot.domain.lifecycle.stopping import gives_up_its_pull, only_said_to_be_over
from bot.domain.model.command_signals import Link
from bot.domain.model.ids import RecordKey
from bot.domain.model.record import Record
from bot.domain.model.shown import ShownRow
from bot.domain.model.sightings import PullOpened
from bot.domain.model.signals import Signal
from bot.ports.deliveries import Arrival, Unheard
from bot.ports.rows import Applied, Loaded
from bot.ports.store import Tx


@dataclass(frozen=True, slots=True)
class Known:
    """What the store knows at the version that will be replaced. `ruled` None = nobody has read the policy file yet."""

    ruled: Ruled | None
    loaded: Loaded | None
    applied: Applied | None
    shown: tuple[ShownRow, ...]
    base_is_free: bool
    linked_elsewhere: int | None
    unheard: Unheard
    history_is_sound: bool
    may_be_taken: bool
    may_land_there: bool
    wakes_at: datetime | None
    arrival: Arrival


def load(tx: Tx, policies: Policies, key: RecordKey, signal: Signal) -> Known:
    loaded = tx.records.load(key)
    record = loaded.record if loaded else None
    holder = tx.leases.holder(base_lock(record)) if record and record.base else None
    pull = _pull_in_question(signal)
    other = holder_of(tx, key, pull)
    return Known(
        ruled=policies.known(tx, key.repository_id),
        loaded=loaded,
        applied=tx.applied.get(key.repository_id, signal.key) if signal.key else None,
        shown=tuple(tx.shown.rows(key)) if loaded else (),
        base_is_free=holder is None or holder == str(key),
        unheard=unheard.of(tx, record, but=signal.delivery),
        history_is_sound=record is None or not _may_merge(record) or tx.records.is_sound(key),
        linked_elsewhere=None if other is None else other.issue,
        may_be_taken=other is not None and gives_up_its_pull(other),
        may_land_there=other is not None and other.withdrawn and only_said_to_be_over(other),
        wakes_at=tx.records.wakes_at(key),
        arrival=tx.deliveries.arrival(signal.delivery if isinstance(signal, HINTS) else None),
    )


def holder_of(tx: Tx, key: RecordKey, pull: int | None) -> Record | None:
    """The other record that has this pull request."""
    other = tx.records.by_pull(key.repository_id, pull) if pull is not None else None
    loaded = tx.records.load(other) if other is not None and other != key else None
    return loaded.record if loaded else None


def _may_merge(record: Record) -> bool:
    """Whether this turn may lead to a request to merge: only then its whole history is read."""
    waits = record.merge.reason is not None or record.merge.state == "reserved"
    return record.phase == "submit" and not record.in_flight and waits


def _pull_in_question(signal: Signal) -> int | None:
    if isinstance(signal, Link):
        return signal.source.number
    return signal.pull if isinstance(signal, PullOpened) else None
