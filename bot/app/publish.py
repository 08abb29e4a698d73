"""Make GitHub show what the record says: level-triggered, by one publisher at a time, written only where it differs.

A write is marked in its slot before it leaves and after it is answered; a slot whose write was not answered is looked at on
GitHub before anything is written again, so a crash half-way is repaired by running it again. Success is written only for
the version just read, and the version is read again afterwards (I24).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count

from bot.app.outside import Outside
from bot.app.slots import Slots, SlotState
from bot.domain.model.effects import AddLabels, CreateComment, UpdateComment, Written
from bot.domain.model.ids import RecordKey, Repo
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.domain.projections.desired import Desired, Show, WebAddress, desired
from bot.domain.projections.labels import definitions
from bot.domain.projections.notices import PREFIX, hidden
from bot.domain.projections.plan import REFUSED, SETTLED, Planned, plan, told, watched
from bot.domain.projections.show import DesiredComment, Happened
from bot.domain.projections.shown import shown
from bot.ports.failures import Forbidden, ForgeFailure, Gone, RateLimited
from bot.ports.store import HistoryRow, Loaded, Slot, Tx

#: The lease that makes publishing a record single is this and the record's key.
LEASE = "publish:"
Policies = Callable[[Repo], Policy]
#: A record that never stands still is published again by the next step.
MOST_ROUNDS = 5
#: The newest versions in which the end of a notice's cause is looked for.
HISTORY = 200
#: After a failure the record rests this long before it is published again; GitHub's own pause may be longer.
PAUSE = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class _Stale(Exception):
    """The record moved on between reading it and writing success."""


class Publisher:
    def __init__(self, outside: Outside, policies: Policies, web: WebAddress, instance: str) -> None:
        self._outside = outside
        self._store = outside.store
        self._policies = policies
        self._web = web
        self._instance = instance
        self._slots = Slots(outside)
        self._calls = count(1)

    async def step(self) -> bool:
        """Publish the record that waits longest; False when none waits."""
        key = await self._store.read(lambda tx: tx.records.next_dirty(()))
        if key is None:
            return False
        await self.publish(key)
        return True

    async def publish(self, key: RecordKey) -> bool:
        """Publish one record. True when everything is shown; False when somebody else publishes it, or GitHub does not let us."""
        lease = timedelta(seconds=self._outside.timing.publish_lease)
        # Lanes of one process keep each other out as well, so that each call is a holder of its own.
        name, owner = f"{LEASE}{key}", f"{self._outside.owner}/{next(self._calls)}"
        if not await self._store.run(lambda tx: tx.leases.take(name, owner, tx.now() + lease)):
            return False
        try:
            return await self._rounds(key)
        finally:
            await self._store.run(lambda tx: tx.leases.drop(name, owner))

    async def _rounds(self, key: RecordKey) -> bool:
        for _ in range(MOST_ROUNDS):
            loaded = await self._store.read(lambda tx: tx.records.load(key))
            if loaded is None:
                return True
            try:
                await self._once(loaded)
            except _Stale:
                continue
            except ForgeFailure as failure:
                await self._rest(key, failure)
                return False
            if await self._finish(loaded):
                return True
        return False

    async def _once(self, loaded: Loaded) -> None:
        """A second time where GitHub refused, or takes again, a comment: then the check run carries its text, or no more."""
        state = await self._slots.load(loaded.record)
        before = _unwritten(state)
        await self._written(loaded, state)
        if _unwritten(state) != before:
            await self._written(loaded, state)

    async def _written(self, loaded: Loaded, state: SlotState) -> None:
        record = loaded.record
        wants = desired(self._show(loaded, state, await self._history(record, state)))
        state = await self._slots.look(record, state, wants)
        for step in plan(wants, state.last_written(), state.labels):
            await self._write(record, state, step)
        await self._close(record, state, wants)

    async def _history(self, record: Record, state: SlotState) -> tuple[Happened, ...]:
        """Read only where somebody may have to be told how a cause ended, or since when the record is frozen."""
        if record.frozen is None and not any(told(state.extras).values()):
            return ()
        after = max(0, record.version - HISTORY)
        rows = await self._store.read(lambda tx: tx.records.history(record.key, after, HISTORY))
        return tuple(_happened(row) for row in rows)

    async def _close(self, record: Record, state: SlotState, wants: Sequence[Desired]) -> None:
        """A notice that never came to be is over as well, and is not thought about again."""
        for want in wants:
            slot = state.slots.get(want.slot)
            settled = isinstance(want, DesiredComment) and want.life == "settled"
            if settled and slot is not None and slot.remote_id is None:
                state.slots[want.slot] = slot.model_copy(update={"state": "clean", "extra": SETTLED})
                await self._put(record.key, state.slots[want.slot])

    def _show(self, loaded: Loaded, state: SlotState, history: tuple[Happened, ...]) -> Show:
        heads, pulls = watched(state.slots)
        return Show(
            record=loaded.record,
            policy=self._policies(loaded.record.repo),
            as_of=loaded.updated_at,
            web=self._web,
            instance=self._instance,
            last_refusal=loaded.last_refusal,
            watched_heads=heads,
            watched_pulls=pulls,
            told=told(state.extras),
            history=history,
            unwritten=_unwritten(state),
        )

    async def _write(self, record: Record, state: SlotState, step: Planned) -> None:
        """One write with its two marks. A check that says success is written only if the record still is what was read."""
        if step.extra == "success" and await self._version(record.key) != record.version:
            raise _Stale
        if isinstance(step.write, AddLabels):
            await self._define(record.repo, step.write.names)
        before = state.slots.get(step.slot, Slot(name=step.slot))
        await self._put(record.key, before.model_copy(update={"state": "sending"}))
        try:
            written = await self._outside.forge.perform(record.repo, step.write)
        except Gone:
            await self._forget(record.key, before)
            raise
        except Forbidden as failure:
            self._refused(record, step, failure)
            state.slots[step.slot] = await self._answered(record, before, step, None)
            return
        state.slots[step.slot] = await self._answered(record, before, step, written)

    async def _answered(self, record: Record, before: Slot, step: Planned, written: Written | None) -> Slot:
        """Store what GitHub answered. A write that GitHub refuses (a locked thread) is not tried again until it differs."""
        remote = before.remote_id if written is None or written.id is None else written.id
        refused = written is None and isinstance(step.write, CreateComment | UpdateComment) and step.extra is None
        extra = REFUSED if refused else step.extra
        slot = Slot(name=step.slot, remote_id=remote, digest=step.digest, extra=extra)
        at = written.updated_at if written else None
        hide = hidden(record, remote) if extra == SETTLED and remote is not None else None

        def store(tx: Tx) -> None:
            tx.slots.put(record.key, slot)
            if at is not None:
                _add_shown(tx, record, step.slot, at)
            if hide is not None:
                tx.effects.plan(record.key, record.repo, hide)

        await self._store.run(store)
        if hide is not None:
            self._outside.nudge()
        return slot

    def _refused(self, record: Record, step: Planned, failure: ForgeFailure) -> None:
        self._outside.log(
            "warning", "projection_refused", issue=record.issue, slot=step.slot, why=failure.for_operator()
        )

    async def _define(self, repo: Repo, names: tuple[str, ...]) -> None:
        """Our labels have colours and words; each is defined once in each repository."""
        ours = {label.name: label for label in definitions(self._policies(repo))}
        for name in names:
            if name in ours and not await self._is_defined(f"label:{repo.id}:{name}"):
                await self._outside.forge.perform(repo, ours[name])
                await self._set_defined(f"label:{repo.id}:{name}")

    async def _is_defined(self, mark: str) -> bool:
        return await self._store.read(lambda tx: tx.leases.holder(mark) is not None)

    async def _set_defined(self, mark: str) -> None:
        await self._store.run(lambda tx: tx.leases.take(mark, "defined", None))

    async def _forget(self, key: RecordKey, slot: Slot) -> None:
        """What we wrote is gone: the next round looks. A notice keeps its id, by which it is known that it was there."""
        keep = slot.remote_id if slot.name.startswith(PREFIX) else None
        await self._put(key, Slot(name=slot.name, remote_id=keep, state="unsure"))

    async def _put(self, key: RecordKey, slot: Slot) -> None:
        await self._store.run(lambda tx: tx.slots.put(key, slot))

    async def _version(self, key: RecordKey) -> int:
        loaded = await self._store.read(lambda tx: tx.records.load(key))
        return loaded.record.version if loaded else 0

    async def _finish(self, loaded: Loaded) -> bool:
        """Clean, unless the record moved or was refused something meanwhile."""
        key, version = loaded.record.key, loaded.record.version

        def done(tx: Tx) -> bool:
            now = tx.records.load(key)
            same = now is not None and now.record.version == version and now.last_refusal == loaded.last_refusal
            if same:
                tx.records.published(key, version)
            return same

        return await self._store.run(done)

    async def _rest(self, key: RecordKey, failure: ForgeFailure) -> None:
        self._outside.log("warning", "publishing_paused", issue=key.issue, why=failure.for_operator())
        until = failure.until if isinstance(failure, RateLimited) else None
        await self._store.run(lambda tx: tx.records.postpone_publishing(key, max(tx.now() + PAUSE, until or tx.now())))


def _unwritten(state: SlotState) -> frozenset[str]:
    return frozenset(name for name, extra in state.extras.items() if extra == REFUSED)


def _happened(row: HistoryRow) -> Happened:
    return Happened(
        version=row.version,
        from_=row.from_,
        to=row.to,
        event=row.signal,
        by=row.actor,
        detail=row.detail,
        sets={change["path"]: change.get("value") for change in row.patch},
    )


def _add_shown(tx: Tx, record: Record, slot: str, at: datetime) -> None:
    """Only the two status comments count as shown."""
    thread = "issue" if slot == "comment:issue" else "pull"
    if slot not in {"comment:issue", f"comment:pull:{record.pull_request}"}:
        return
    for showing in shown(record):
        if showing.thread == thread:
            tx.shown.add(record.key, showing.at(at))
