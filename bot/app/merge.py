"""The one dangerous act, step by step: reserve (in `decide`), publish the check, store `requested`, ask once, judge, confirm.

This is the only place a merge is sent from. `step` takes one record whose merge is under way and carries it one step
further; run it again after any crash. What is stored decides, never what this process remembers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count

from bot.app import unheard
from bot.app.aside import Unit, set_aside
from bot.app.doubts import Doubts
from bot.app.expiry import Expiry, heard, lease, pause
from bot.app.outside import Outside
from bot.app.publish import Publisher
from bot.app.reheard import Rehearing
from bot.app.transact import Outcome, Renew, Transactor
from bot.app.turns import Turns
from bot.domain.merging import reservation
from bot.domain.merging.proof import look_is_due
from bot.domain.merging.reservation import UNDER_WAY, abandoned, may_wait
from bot.domain.model.effects import MergeReply
from bot.domain.model.ids import SIGNALBOX, RecordKey
from bot.domain.model.own_signals import AskMerge, MergeLooked, PolicyChanged, ReleaseReservation
from bot.domain.model.permit import MergePermit
from bot.domain.model.questions import CommentsOn, OwnChecksOn
from bot.domain.model.record import Record
from bot.domain.model.signals import Signal
from bot.domain.model.slot_name import SlotName
from bot.ports.failures import ForgeFailure
from bot.ports.merging import MergeSender
from bot.ports.store import Tx

#: How long a merge whose step failed by a bug of ours is left alone.
SET_ASIDE = timedelta(minutes=1)
#: What was read longer ago than so many seconds proves nothing about now: it is read anew before anything is asked.
STALE = 60.0


class _TooSlow(Exception):
    """Reading all that is needed took so long that nothing is stored."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A committed request: the permit, and until when (monotonic seconds) its bytes may leave."""

    permit: MergePermit
    send_by: float


class Merger:
    """The only holder of a MergeSender."""

    def __init__(
        self,
        outside: Outside,
        sender: MergeSender,
        transactor: Transactor,
        publisher: Publisher,
        doubts: Doubts,
        rehearing: Rehearing,
    ) -> None:
        self._outside = outside
        self._store = outside.store
        self._forge = outside.forge
        self._sender = sender
        self._clock = outside.clock
        self._log = outside.log
        self._timing = outside.timing
        self._owner = outside.owner
        self._transactor = transactor
        self._publisher = publisher
        self._doubts = doubts
        self._rehearing = rehearing
        self._expiry = Expiry(outside, transactor)
        self._turns = Turns()
        self._steps = count(1)

    async def step(self) -> bool:
        """Carry one merge a step further; False when none can be now. One after the other for each installation."""
        taken = self._turns.taken
        record = await self._store.read(lambda tx: _next(tx, taken))
        if record is None:
            return False
        with self._turns.take(record.repo.installation_id) as mine:
            if mine:
                await self._hold(record)
        return True

    async def _hold(self, record: Record) -> None:
        """Unless another process holds it. Lanes of one process keep each other out as well, so each step is a holder."""
        name, owner = lease(record.key), f"{self._owner}/{next(self._steps)}"
        hold = timedelta(seconds=self._timing.owner_lease + 20)
        if not await self._store.run(lambda tx: tx.leases.take(name, owner, tx.now() + hold)):
            return
        try:
            await self._carry_on(record)
        except Exception as error:  # noqa: BLE001 - our own bug with one merge must not stop the others; what is stored stands
            fields = {"repository": record.repository, "issue": record.issue}
            unit = Unit("merger", str(record.key), "merge_step_failed", SET_ASIDE, fields)
            await set_aside(self._outside, unit, error, lambda tx, until: _rest(tx, record.key, until))
        finally:
            await self._store.run(lambda tx: tx.leases.drop(name, owner))

    async def _carry_on(self, record: Record) -> None:
        match record.merge.state:
            case "reserved":
                await self._ask(record)
            case "requested" if abandoned(record.merge, self._clock.now()):
                await self._expiry.expire(record)
            case _:
                await self._look(record)

    async def _ask(self, record: Record) -> None:
        """Publish the check as success, read it back, store `requested`, and only then send."""
        if await self._store.read(lambda tx: unheard.of(tx, record).waits and not may_wait(record.merge, tx.now())):
            await self._postpone_or_release(record, "what GitHub told is not worked on yet")
            return
        try:
            if not await self._still_holds(record):
                return
        except ForgeFailure:  # by which rules is not known
            await self._postpone_or_release(record)
            return
        if not await self._check_stands(record):
            await self._postpone_or_release(record)
            return
        if not await self._all_is_heard(record):
            await self._postpone_or_release(record, "what was said of it could not be read again")
            return
        asked = await self._store_request(record)
        if asked is None:
            return
        reply = await self._send(record, asked)
        await self._store_reply(record, asked.permit.order.attempt, reply)

    async def _still_holds(self, record: Record) -> bool:
        """By the newest rules. Where they ask for more, the base is given to the next one at once, not when patience ends."""
        if await self._publisher.would_succeed(record):
            return True
        outcome = await self._judge(record, PolicyChanged(key="", actor=SIGNALBOX))
        return outcome.record is not None and outcome.record.merge.state == "reserved"

    async def _check_stands(self, record: Record) -> bool:
        """Our own check may be required: it must be success on this head, on GitHub, before anybody is asked; and nothing there
        may say that another instance writes, or that this database is behind."""
        if not await self._publisher.publish(record.key):
            return False
        try:
            answer = await self._forge.read(record.repo, OwnChecksOn(record.head or ""))
            comments = await self._forge.read(record.repo, CommentsOn(record.issue))
        except ForgeFailure as failure:
            self._log(
                "warning", "check_unread", repository=record.repository, issue=record.issue, why=failure.for_operator()
            )
            return False
        if await self._doubts.found(record, answer, comments) is not None:
            return False
        if answer.value and answer.value[0].conclusion == "success":
            return True
        await self._store.run(lambda tx: _doubt(tx, record))
        return False

    async def _all_is_heard(self, record: Record) -> bool:
        """What was said and done to its head, whatever became of the webhooks. It may end the reservation, which then is asked
        for no more."""
        try:
            return await self._rehearing.heard_all(record)
        except ForgeFailure as failure:
            fields = {"repository": record.repository, "issue": record.issue, "why": failure.for_operator()}
            self._log("warning", "words_unread", **fields)
            return False

    async def _postpone_or_release(self, record: Record, why: str = "the check could not be published") -> None:
        now, merge = self._clock.now(), record.merge
        if not may_wait(merge, now):
            signal = ReleaseReservation(key="", actor=SIGNALBOX, reservation=merge.id or "", why=why)
            await self._judge(record, signal)
            return
        await self._store.run(
            lambda tx: tx.leases.take(pause(record.key), "pause", tx.now() + reservation.pause(merge, now))
        )

    async def _store_request(self, record: Record) -> _Asked | None:
        """The request as a version of the record. Its lease begins when everything is read, and is measured from before the
        write, so it is never overstated."""
        began = self._clock.monotonic()
        leased_at = began

        async def leased() -> AskMerge:
            nonlocal leased_at
            leased_at = self._clock.monotonic()
            if leased_at - began > STALE:
                raise _TooSlow
            return self._request(record, await self._store.read(lambda tx: tx.now()))

        try:
            outcome = await self._judge(record, await leased(), leased)
        except _TooSlow:
            self._log("warning", "merge_facts_stale", repository=record.repository, issue=record.issue)
            await self._postpone_or_release(record)
            return None
        if outcome.permit is None:
            return None
        return _Asked(outcome.permit, leased_at + self._timing.owner_lease - self._timing.merge_timeout)

    def _request(self, record: Record, now: datetime) -> AskMerge:
        lease_ends = now + timedelta(seconds=self._timing.owner_lease)
        return AskMerge(
            key="",
            actor=SIGNALBOX,
            reservation=record.merge.id or "",
            attempts=record.merge.attempts,
            lease_ends=lease_ends,
            window_ends=lease_ends + timedelta(seconds=self._timing.settle_window),
            api="sync" if self._timing.merge_api == "sync" else "async",
        )

    async def _send(self, record: Record, asked: _Asked) -> MergeReply:
        may_send: Callable[[], bool] = lambda: self._clock.monotonic() <= asked.send_by  # noqa: E731 - one line says it
        self._log(
            "info",
            "merge_requested",
            repository=record.repository,
            issue=record.issue,
            attempt=asked.permit.order.attempt,
        )
        return await self._sender.merge(record.repo, asked.permit, may_send)

    async def _store_reply(self, record: Record, attempt: str, reply: MergeReply) -> None:
        """Kept with the attempt whatever the record says by now, then judged."""
        self._log(
            "info",
            "merge_answered",
            repository=record.repository,
            issue=record.issue,
            attempt=attempt,
            status=reply.status,
            sent=reply.sent,
        )

        def keep(tx: Tx) -> None:
            tx.attempts.reply(attempt, reply)
            tx.attempts.set(attempt, "answered" if reply.sent else "not_sent", reply.uuid)

        await self._store.run(keep)
        await self._transactor.apply(record.repo, record.key, heard(attempt, reply))

    async def _look(self, record: Record) -> None:
        await self._judge(record, MergeLooked(key="", actor=SIGNALBOX, reservation=record.merge.id or ""))

    async def _judge(self, record: Record, signal: Signal, renew: Renew | None = None) -> Outcome:
        """What could not be judged for want of a fact is put off, so that the merges of others are carried on."""
        outcome = await self._transactor.apply(record.repo, record.key, signal, renew=renew)
        if outcome.kind == "later":
            await self._expiry.put_off(record.key)
        return outcome


def _next(tx: Tx, without: frozenset[int]) -> Record | None:
    """The first record whose merge may be carried on now and that nobody else works on, of other installations than these."""
    now = tx.now()
    for key in tx.records.merging(UNDER_WAY):
        loaded = tx.records.load(key)
        if loaded is None or tx.leases.holder(lease(key)) or tx.leases.holder(pause(key)):
            continue
        if loaded.record.repo.installation_id in without:
            continue
        if (
            loaded.record.frozen != "suspended"
            and look_is_due(loaded.record.merge, now)
            and not _waits(tx, loaded.record)
        ):
            return loaded.record
    return None


def _waits(tx: Tx, record: Record) -> bool:
    """Whether it is reserved, and something came that is not worked on yet. That is a matter of moments; where it is not, the
    base is not kept for it."""
    merge, found = record.merge, unheard.of(tx, record)
    return merge.state == "reserved" and found.waits and found.since is None and may_wait(merge, tx.now())


def _doubt(tx: Tx, record: Record) -> None:
    """A newer run of ours hides what was written: the next time it is looked at, and taken over."""
    slot = tx.slots.of(record.key).get(SlotName.check(record.head or ""))
    if slot is not None and slot.state == "clean":
        tx.slots.put(record.key, slot.model_copy(update={"state": "unsure"}))


def _rest(tx: Tx, key: RecordKey, until: datetime) -> None:
    tx.leases.take(pause(key), "bug", until)
