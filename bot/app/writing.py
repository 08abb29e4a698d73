"""One write of a projection with its two marks: before it leaves, and after it is answered (LIFECYCLE.md 4.1, I24).

Writes wait for their turn in the lane of their installation. So whether this one may still leave is asked before the wait
and again directly after it: only the holder of the record's lease writes, and success only for the newest version.
"""

from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from bot.app.heads import others_on, overwritten
from bot.app.outside import LeaseLost, Outside
from bot.app.policy.book import Policies
from bot.app.slots import SlotState, add_shown
from bot.domain.model.effects import CreateComment, EnsureLabel, UpdateComment, Written
from bot.domain.model.ids import RecordKey, Repo
from bot.domain.model.record import Record
from bot.domain.model.slot_name import SlotName
from bot.domain.projections.check_run import may_succeed
from bot.domain.projections.notices import hidden
from bot.domain.projections.plan import OVER, REFUSED, Planned
from bot.domain.projections.speaker import is_contested
from bot.ports.failures import Forbidden, Gone
from bot.ports.rows import Slot
from bot.ports.store import Tx


class Stale(Exception):
    """The record moved on between reading it and writing success; nothing was sent."""


class SuccessStands(Forbidden):
    """GitHub refused to take success away from a check that must not have it any more."""


@dataclass(frozen=True, slots=True)
class Hold:
    """The right to publish one record, for `length` from the last time it was proved."""

    name: str
    owner: str
    length: timedelta

    def take(self, tx: Tx) -> bool:
        return tx.leases.take(self.name, self.owner, tx.now() + self.length)

    def prove(self, tx: Tx) -> None:
        """A hold that ended is not taken again: who knows what was published meanwhile."""
        if tx.leases.holder(self.name) != self.owner or not self.take(tx):
            raise LeaseLost


class Pen:
    def __init__(self, outside: Outside, policies: Policies) -> None:
        self._outside = outside
        self._store = outside.store
        self._policies = policies

    async def write(self, record: Record, state: SlotState, step: Planned, hold: Hold) -> Forbidden | None:
        """Carry out one step. What GitHub refused and must be tried again is returned; where it would leave success
        standing it is raised, so that nothing else is written before."""
        if step.label is not None:
            await self._define(record.repo, step.label)
        before = state.slots.get(step.slot, Slot(name=step.slot))
        may_leave = partial(_may_leave, self._policies, record, step, hold)
        extra = "success" if step.extra == "success" else before.extra
        sending = before.model_copy(update={"state": "sending", "extra": extra})

        def mark(tx: Tx) -> None:
            may_leave(tx)
            tx.slots.put(record.key, sending)

        async def guard() -> None:
            await self._store.run(may_leave)

        await self._store.run(mark)

        try:
            written = await self._outside.forge.perform(record.repo, step.write, guard)
        except Stale:
            await self._store.run(lambda tx: _not_sent(tx, record.key, before))
            raise
        except Gone:
            await self._forget(record.key, before)
            raise
        except Forbidden as failure:
            return await self._refused(record, state, step, failure)
        state.slots[step.slot] = await self._answered(record, before, step, written)
        return None

    async def _refused(self, record: Record, state: SlotState, step: Planned, failure: Forbidden) -> Forbidden | None:
        """A comment that GitHub refuses (a locked thread) is not tried again until it differs; everything else is."""
        where = {"repository": record.repository, "issue": record.issue, "slot": step.slot}
        self._outside.log("warning", "projection_refused", **where, why=failure.for_operator())
        before = state.slots.get(step.slot, Slot(name=step.slot))
        if isinstance(step.write, CreateComment | UpdateComment):
            state.slots[step.slot] = await self._answered(record, before, step, None)
            return None
        state.slots[step.slot] = before.model_copy(update={"state": "unsure"})
        await self._put(record.key, state.slots[step.slot])
        if before.extra == "success":
            raise SuccessStands(failure.detail) from failure
        return failure

    async def _answered(self, record: Record, before: Slot, step: Planned, written: Written | None) -> Slot:
        """Store what GitHub answered; None = it refused this comment."""
        remote = before.remote_id if written is None or written.id is None else written.id
        extra = REFUSED if written is None and step.extra is None else step.extra
        slot = Slot(name=step.slot, remote_id=remote, digest=step.digest, extra=extra)
        at = written.updated_at if written else None
        hide = hidden(record, remote) if extra == OVER and remote is not None else None

        def store(tx: Tx) -> None:
            tx.slots.put(record.key, slot)
            overwritten(tx, record, step.slot)
            if at is not None:
                add_shown(tx, record, step.slot, at)
            if hide is not None:
                tx.effects.plan(record.key, record.repo, hide)

        await self._store.run(store)
        if hide is not None:
            self._outside.nudge()
        return slot

    async def _define(self, repo: Repo, label: EnsureLabel) -> None:
        """Our labels have colours and words; each is defined once in each repository."""
        mark = f"label:{repo.id}:{label.name}"
        if not await self._store.read(lambda tx: tx.leases.holder(mark) is not None):
            await self._outside.forge.perform(repo, label)
            await self._store.run(lambda tx: tx.leases.take(mark, "defined", None))

    async def _forget(self, key: RecordKey, slot: Slot) -> None:
        """What we wrote is gone: the next round looks. A notice keeps its id, by which it is known that it was there."""
        keep = slot.remote_id if SlotName(slot.name).cause is not None else None
        await self._put(key, Slot(name=slot.name, remote_id=keep, state="unsure"))

    async def _put(self, key: RecordKey, slot: Slot) -> None:
        await self._store.run(lambda tx: tx.slots.put(key, slot))


def _may_leave(policies: Policies, record: Record, step: Planned, hold: Hold, tx: Tx) -> None:
    """Raise where this write must not leave any more; the hold lasts as long again as it did."""
    hold.prove(tx)
    if step.extra != "success":
        return
    head = step.slot.head or ""
    ruled = policies.known(tx, record.repository_id)
    if ruled is None or not may_succeed(record, ruled.policy):
        raise Stale
    if _version(tx, record.key) != record.version or is_contested(head, others_on(tx, record, head)):
        raise Stale


def _not_sent(tx: Tx, key: RecordKey, before: Slot) -> None:
    """As it was; but what another record wrote over meanwhile is out of date."""
    now = tx.slots.of(key)[before.name]
    tx.slots.put(key, before if now.digest == before.digest else before.model_copy(update={"state": "unsure"}))


def _version(tx: Tx, key: RecordKey) -> int:
    loaded = tx.records.load(key)
    return loaded.record.version if loaded else 0
