"""Make GitHub show what the record says: level-triggered, by one publisher at a time, written only where it differs.

A slot whose write was not answered is looked at on GitHub before anything is written again, so a crash half-way is repaired
by running it again. Success is written only for the version just read, and the version is read again afterwards (I24).
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import count

from bot.app.aside import Unit, set_aside
from bot.app.beside import beside
from bot.app.compared import Compared
from bot.app.doubts import Doubts
from bot.app.happened import happened
from bot.app.heads import others_on
from bot.app.outside import LeaseLost, Outside
from bot.app.policy.book import Policies
from bot.app.slots import Slots, SlotState
from bot.app.turns import Turns
from bot.app.writing import Hold, Pen, Stale, SuccessStands
from bot.domain.model.effects import CreateComment
from bot.domain.model.ids import RecordKey
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.domain.model.slot_name import SlotName
from bot.domain.model.traces import path_of
from bot.domain.projections.check_run import may_succeed
from bot.domain.projections.desired import Desired, Show, WebAddress, desired
from bot.domain.projections.plan import OVER, REFUSED, Planned, plan, told, watched
from bot.domain.projections.show import DesiredComment, Happened
from bot.domain.projections.speaker import is_contested, is_silent
from bot.domain.projections.unwritten import undelivered
from bot.ports.failures import Forbidden, ForgeFailure, Gone, RateLimited
from bot.ports.rows import Loaded, Slot
from bot.ports.store import Tx

#: The lease that makes publishing a record single is this and the record's key.
LEASE = "publish:"
#: A record that never stands still is published again by the next step.
MOST_ROUNDS = 5
#: After a failure the record rests this long before it is published again; GitHub's own pause may be longer.
PAUSE = timedelta(seconds=5)
#: What GitHub refused, or has no more, it will mostly refuse again: twice as long each time, until this version is shown or
#: another one is there. But a success that has to go is not left standing: its pause does not grow.
PAUSE_AFTER_REFUSAL = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=1)
#: How long a record whose publishing failed by a bug of ours is left alone.
SET_ASIDE = timedelta(minutes=1)


class Publisher:
    def __init__(self, outside: Outside, policies: Policies, web: WebAddress, doubts: Doubts) -> None:
        self._outside = outside
        self._store = outside.store
        self._policies = policies
        self._web = web
        self._instance = outside.store.instance_id
        self._doubts = doubts
        self._compared = Compared(outside.store, doubts)
        self._slots = Slots(outside)
        self._pen = Pen(outside, policies)
        self._calls = count(1)
        self._collecting = timedelta(seconds=outside.timing.collecting)
        self._turns = Turns(outside.timing.share)
        self._refusals: dict[RecordKey, tuple[int, int]] = {}

    async def step(self) -> bool:
        """Publish the record that waits longest; False when none waits."""
        taken = self._turns.taken
        found = await self._store.read(lambda tx: _next(tx, self._collecting, taken))
        if found is None:
            return False
        key, installation = found
        try:
            with self._turns.take(installation) as mine:
                if mine:
                    await self.publish(key)
        except Exception as error:  # noqa: BLE001 - our own bug with one record must not stop the others; it comes again
            fields = {"repository": key.repository_id, "issue": key.issue}
            unit = Unit("publisher", str(key), "publishing_failed", SET_ASIDE, fields)
            await set_aside(self._outside, unit, error, lambda tx, until: tx.records.postpone_publishing(key, until))
        return True

    async def publish(self, key: RecordKey) -> bool:
        """Publish one record. True when everything is shown; False when somebody else publishes it, or GitHub does not let us."""
        lease = timedelta(seconds=self._outside.timing.write_lease)
        # Lanes of one process keep each other out as well, so that each call is a holder of its own.
        hold = Hold(f"{LEASE}{key}", f"{self._outside.owner}/{next(self._calls)}", lease)
        if not await self._store.run(hold.take):
            return False
        try:
            return await self._rounds(key, hold)
        except LeaseLost:
            self._outside.log("warning", "publishing_lost", issue=key.issue, why="it took longer than its lease")
            return False
        finally:
            await self._store.run(lambda tx: tx.leases.drop(hold.name, hold.owner))

    async def would_succeed(self, record: Record) -> bool:
        """Whether the check of this record is success by the newest policy. Raises ForgeFailure."""
        return may_succeed(record, await self._policies.of(record.repo))

    async def _rounds(self, key: RecordKey, hold: Hold) -> bool:
        for _ in range(MOST_ROUNDS):
            loaded = await self._store.read(lambda tx: tx.records.load(key))
            if loaded is None:
                return True
            try:
                await self._once(loaded, hold)
            except Stale:
                continue
            except ForgeFailure as failure:
                await self._rest(loaded, failure)
                return False
            self._refusals.pop(key, None)
            if await self._finish(loaded):
                return True
        return False

    async def _once(self, loaded: Loaded, hold: Hold) -> None:
        """A second time where GitHub refused, or takes again, a comment: then the check run carries its text, or no more."""
        state = await self._slots.load(loaded.record)
        before = _unwritten(state)
        await self._written(loaded, state, hold)
        if _unwritten(state) != before:
            await self._written(loaded, state, hold)

    async def _written(self, loaded: Loaded, state: SlotState, hold: Hold) -> None:
        record = loaded.record
        silent, contested = await self._store.read(lambda tx: _shared(tx, record, state))
        path = await self._store.read(
            lambda tx: path_of(tx.records.digests(record.key, [record.version]).get(record.version))
        )
        lost = await self._store.read(lambda tx: _undelivered(tx, record))
        policy = await self._policies.of(record.repo)
        show = self._show(loaded, policy, state, await self._history(record, state), contested)
        wants = desired(replace(show, undelivered=lost, path=path))
        wants = tuple(want for want in wants if want.slot not in silent)
        state = await self._slots.look(record, state, wants)
        refused: Forbidden | None = None
        steps = plan(wants, state.last_written(), state.labels)
        await self._compare(record, state, steps, hold)
        if not await self._is_sure(record, state, steps):
            raise Stale
        for step in steps:
            refused = await self._pen.write(record, state, step, hold) or refused
        await self._close(record, state, wants)
        if refused is not None:
            raise refused

    async def _compare(self, record: Record, state: SlotState, steps: Sequence[Planned], hold: Hold) -> None:
        """While GitHub does not show what stands there, a success that has to go goes all the same, and nothing else leaves."""
        stands = any(slot.remote_id is not None for slot in state.slots.values())
        try:
            if steps and not await self._compared.may_write_over(record, stands=stands):
                raise Stale
        except ForgeFailure:
            for step in steps:
                if state.extras.get(step.slot) == "success" and step.extra != "success":
                    await self._pen.write(record, state, step, hold)
            raise

    async def _is_sure(self, record: Record, state: SlotState, steps: Sequence[Planned]) -> bool:
        """Nothing that GitHub shows says that we should not be writing. Before success is shown that is read; else what was read
        anyhow is looked through. Where it stands already, other words beside it show no more authority than before."""
        if record.phase == "done" or record.frozen is not None:
            return True
        if any(step.extra == "success" and state.extras.get(step.slot) != "success" for step in steps):
            return await self._doubts.are_none(record)
        checks = state.checks.get(record.head or "")
        for comments in state.comments:
            if await self._doubts.found(record, None, comments) is not None:
                return False
        return await self._doubts.found(record, checks) is None

    async def _history(self, record: Record, state: SlotState) -> tuple[Happened, ...]:
        """Read only where somebody may have to be told how a cause ended, or since when the record is frozen."""
        if record.frozen is None and not any(told(state.extras).values()):
            return ()
        return await self._store.read(lambda tx: happened(tx, record))

    async def _close(self, record: Record, state: SlotState, wants: Sequence[Desired]) -> None:
        """A notice that never came to be is over as well, and is not thought about again."""
        for want in wants:
            slot = state.slots.get(want.slot)
            over = isinstance(want, DesiredComment) and want.life == "over"
            if over and slot is not None and slot.remote_id is None:
                closed = slot.model_copy(update={"state": "clean", "extra": OVER})
                state.slots[want.slot] = closed
                await self._put(record.key, closed)

    def _show(
        self,
        loaded: Loaded,
        policy: Policy,
        state: SlotState,
        history: tuple[Happened, ...],
        contested: frozenset[str],
    ) -> Show:
        heads, pulls = watched(state.slots)
        return replace(
            beside(loaded, policy, self._web),
            instance=self._instance,
            seal=self._outside.seal,
            watched_heads=heads,
            watched_pulls=pulls,
            told=told(state.extras),
            history=history,
            unwritten=_unwritten(state),
            contested=contested,
        )

    async def _put(self, key: RecordKey, slot: Slot) -> None:
        await self._store.run(lambda tx: tx.slots.put(key, slot))

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

    async def _rest(self, loaded: Loaded, failure: ForgeFailure) -> None:
        key, pause = loaded.record.key, self._pause(loaded, failure)
        self._outside.log(
            "warning",
            "publishing_paused",
            repository=loaded.record.repository,
            issue=key.issue,
            why=failure.for_operator(),
            seconds=int(pause.total_seconds()),
        )
        until = failure.until if isinstance(failure, RateLimited) else None
        await self._store.run(lambda tx: tx.records.postpone_publishing(key, max(tx.now() + pause, until or tx.now())))

    def _pause(self, loaded: Loaded, failure: ForgeFailure) -> timedelta:
        key, version = loaded.record.key, loaded.record.version
        if not isinstance(failure, Forbidden | Gone):
            return PAUSE
        if isinstance(failure, SuccessStands):
            return PAUSE_AFTER_REFUSAL
        of, times = self._refusals.get(key, (version, 0))
        times = times + 1 if of == version else 1
        self._refusals[key] = (version, times)
        return min(PAUSE_AFTER_REFUSAL * (1 << min(times - 1, 10)), LONGEST_PAUSE)


def _next(tx: Tx, collecting: timedelta, without: frozenset[int]) -> tuple[RecordKey, int] | None:
    """With its installation; 0 = of one that is not known."""
    key = tx.records.next_dirty(collecting, without)
    repo = None if key is None else tx.repositories.get(key.repository_id)
    return None if key is None else (key, repo.installation_id if repo else 0)


def _shared(tx: Tx, record: Record, state: SlotState) -> tuple[frozenset[str], frozenset[str]]:
    """Slots of checks for which another record speaks, and heads that another record judges. A success of our own is taken
    away all the same. A run of another record is taken over, so that one run stands on one commit."""
    silent, contested = set(), set()
    for head in {*watched(state.slots)[0], *([record.head] if record.head else [])}:
        others, name = others_on(tx, record, head), SlotName.check(head)
        slot = state.slots.get(name)
        if is_contested(head, others):
            contested.add(head)
        if is_silent(record, head, others) and (slot is None or slot.extra != "success"):
            silent.add(name)
        if slot is None and tx.slots.published_checks(record.repository_id, head):
            state.slots[name] = Slot(name=name, state="unsure")
    return frozenset(silent), frozenset(contested)


def _undelivered(tx: Tx, record: Record) -> tuple[CreateComment, ...]:
    rows = ((row.state, row.effect.write) for row in tx.effects.of(record.key))
    return undelivered((state, write) for state, write in rows if isinstance(write, CreateComment))


def _unwritten(state: SlotState) -> frozenset[str]:
    return frozenset(name for name, extra in state.extras.items() if extra == REFUSED)
