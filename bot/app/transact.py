"""One signal, one record, one transaction: load, gather what the rule asks for, decide, compare-and-replace.

The content key, the history, the effects and the base's lock are written with the record or not at all. A lost race loads
and decides again; it is safe because deciding is pure.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from bot.app import attempts, telling, unheard
from bot.app.base_lock import follow
from bot.app.gather import Gatherer
from bot.app.heads import retell
from bot.app.loading import Known, holder_of, load
from bot.app.outside import Outside
from bot.app.policy.book import Policies, Ruled
from bot.app.readings import Answers
from bot.app.steady import Steady
from bot.app.takeover import given_up
from bot.domain.lifecycle.decide import decide, decide_start
from bot.domain.lifecycle.facts import Facts
from bot.domain.lifecycle.results import Advance, Ignore, NotYet, Refuse, Result
from bot.domain.lifecycle.waking import earliest, wake_at
from bot.domain.model.facts import Answer
from bot.domain.model.ids import RecordKey, Repo
from bot.domain.model.merge import Merge
from bot.domain.model.permit import MergeOrder, MergePermit
from bot.domain.model.policy import Policy
from bot.domain.model.policy_file import PolicyFileNow
from bot.domain.model.record import Record
from bot.domain.model.refusals import Refusal
from bot.domain.model.sightings import StartLabelAdded
from bot.domain.model.signals import Signal
from bot.ports.failures import ForgeFailure
from bot.ports.rows import Applied, Loaded, NewRow
from bot.ports.store import Tx, VersionConflict

#: The signal as it is now, asked for after everything that was read. What it raises stops the decision.
Renew = Callable[[], Awaitable[Signal]]
#: Lost races before a signal is given up for now; it stays stored and comes again.
MOST_RACES = 20
#: Policy files that are newer than the one that was evaluated, before a decision is left for later.
MOST_NEWER = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a signal. `later`: a fact could not be read; the signal must be brought again. `permit`: the signal asked
    for a merge, and the request is stored."""

    kind: Literal["advanced", "ignored", "refused", "later", "repeated", "no_record"]
    refusal: Refusal | None = None
    note: str | None = None
    permit: MergePermit | None = None
    record: Record | None = None


class Transactor:
    def __init__(self, outside: Outside, gatherer: Gatherer, policies: Policies) -> None:
        self._outside = outside
        self._store = outside.store
        self._timing = outside.timing
        self._gatherer = gatherer
        self._policies = policies
        self._steady = Steady(outside.clock, timedelta(seconds=self._timing.owner_lease + self._timing.settle_window))

    async def apply(
        self,
        repo: Repo,
        key: RecordKey,
        signal: Signal,
        expected: int | None = None,
        renew: Renew | None = None,
    ) -> Outcome:
        """Apply one signal to one record, whatever races; at most once for a content key. `expected`: only to this version.
        `renew`: what it says changes with time."""
        first = await self._before(repo, key, signal)
        if first is not None:
            return first
        newer = 0
        for _ in range(MOST_RACES):
            known = await self._store.read(lambda tx: load(tx, self._policies, key, signal))
            if known.applied is not None:
                return _repeated(known.applied)
            if known.loaded is None and not isinstance(signal, StartLabelAdded):
                return Outcome("no_record")
            if expected is not None and known.loaded is not None and known.loaded.record.version != expected:
                return _moved(known.loaded.record, expected)
            if known.ruled is None:
                try:
                    await self._policies.look(repo)
                except ForgeFailure as failure:
                    return Outcome("later", note=f"the policy file could not be read: {failure.for_operator()}")
                continue
            result, answers = await self._decide(repo, known, signal, known.ruled, renew)
            if newer < MOST_NEWER and await self._is_newer(repo, known.ruled, answers):
                newer += 1
                continue
            if isinstance(result, NotYet):
                return Outcome("later", note=result.why)
            try:
                return await self._commit(repo, key, signal, known, result, known.ruled)
            except VersionConflict:
                continue
        return Outcome("later", note="the record was always changed by somebody else first")

    async def _before(self, _repo: Repo, _key: RecordKey, _signal: Signal) -> Outcome | None:
        """What keeps this signal from being decided now."""
        return None

    async def rehearse(self, repo: Repo, key: RecordKey, signal: Signal) -> tuple[Result, Answers]:
        """What `apply` would do now to a record that exists, and what GitHub was read for it. Nothing is stored."""
        await self._policies.of(repo)
        known = await self._store.read(lambda tx: load(tx, self._policies, key, signal))
        assert known.ruled is not None, "rules that were read stay"
        return await self._decide(repo, known, signal, known.ruled)

    async def _is_newer(self, repo: Repo, ruled: Ruled, answers: Answers) -> bool:
        """A decision that needs the newest rules saw another file than the one that was evaluated: it is read, and the
        decision is made anew."""
        seen = answers.get(PolicyFileNow())
        if not isinstance(seen, Answer) or seen.value == ruled.blob:
            return False
        try:
            await self._policies.look(repo)
        except ForgeFailure:
            return False  # the decision knows that it is not by the newest
        return True

    async def _decide(
        self, repo: Repo, known: Known, signal: Signal, ruled: Ruled, renew: Renew | None = None
    ) -> tuple[Result, Answers]:
        async def judge(answers: Answers) -> Result:
            facts = Facts(
                answers=answers,
                shown=known.shown,
                base_is_free=known.base_is_free,
                linked_elsewhere=known.linked_elsewhere,
                unheard_since=known.unheard.since,
                news_waits=known.unheard.waits,
                history_is_sound=known.history_is_sound,
                may_be_taken=known.may_be_taken,
                may_land_there=known.may_land_there,
                policy_file=ruled.blob,
                settle_window=self._timing.settle_window,
                calls=self._timing.calls,
                merge_retry=self._timing.merge_retry,
                async_only=self._timing.merge_api == "async",
                clock_ahead=self._steady.ahead(known.loaded.record.merge if known.loaded else Merge()),
            )
            now_says = signal if renew is None else await renew()
            now = self._outside.clock.now()
            if known.loaded is not None:
                return decide(known.loaded.record, now_says, facts, ruled.policy, now)
            assert isinstance(now_says, StartLabelAdded)
            return decide_start(repo, now_says, facts, ruled.policy, now)

        return await self._gatherer.decided(repo, judge, known.arrival)

    async def _commit(
        self, repo: Repo, key: RecordKey, signal: Signal, known: Known, result: Result, ruled: Ruled
    ) -> Outcome:
        write = _Write(repo, key, signal, known, ruled.policy, self._outside.owner)
        match result:
            case Advance():

                def advance(tx: Tx) -> MergeOrder | None:
                    if self._policies.known(tx, key.repository_id) != ruled:
                        raise VersionConflict("the rules changed meanwhile")
                    return write.advance(tx, result)

                order = await self._store.run(advance)
                self._outside.nudge()
                telling.changed(self._outside.log, repo, key.issue, signal, result)
                if result.refusal is not None:
                    telling.refused(self._outside.log, repo, key.issue, signal, result.refusal)
                outcome = Outcome("advanced", result.refusal, None, attempts.permit(order), result.record)
                return replace(outcome, kind="refused") if result.refusal else outcome
            case Refuse(refusal):
                await self._store.run(lambda tx: write.refuse(tx, refusal))
                telling.refused(self._outside.log, repo, key.issue, signal, refusal)
                return Outcome("refused", refusal, record=known.loaded.record if known.loaded else None)
            case Ignore():
                await self._store.run(lambda tx: write.ignore(tx, result))
                if result.effects:
                    self._outside.nudge()
                return Outcome("ignored", note=result.why, record=known.loaded.record if known.loaded else None)
            case _:
                raise TypeError(f"{type(result).__name__} cannot be written")


def _moved(record: Record, expected: int) -> Outcome:
    message = (
        f"The record has changed: it was at version {expected} and is at version {record.version} now. Nothing was done.\n"
        "Look at it again; if it is still right, repeat it."
    )
    return Outcome("refused", Refusal(code="version_conflict", message=message))


def _repeated(applied: Applied) -> Outcome:
    return Outcome("refused" if applied.outcome == "refused" else "repeated", applied.refusal, applied.note)


@dataclass(frozen=True, slots=True)
class _Write:
    """The transaction of one result. Re-runnable: it reads and writes only through `tx`."""

    repo: Repo
    key: RecordKey
    signal: Signal
    known: Known
    policy: Policy
    owner: str

    @property
    def loaded(self) -> Loaded | None:
        return self.known.loaded

    def advance(self, tx: Tx, result: Advance) -> MergeOrder | None:
        """What GitHub may be asked once this is committed."""
        now = tx.now()
        before = self.loaded.record if self.loaded else None
        self._mark(
            tx,
            Applied(key=self.signal.key, outcome="refused" if result.refusal else "advanced", refusal=result.refusal),
        )
        follow(tx, before, result.record, saw_it_free=self.known.base_is_free)
        retell(tx, before, result.record)
        unheard.guard(tx, before, result.record, self.signal.delivery)
        rows = [
            NewRow(
                record=step.record,
                from_=step.from_,
                signal=step.event,
                actor=step.actor,
                at=now,
                detail=step.detail,
                delivery=self.signal.delivery,
            )
            for step in result.steps
        ]
        holder = holder_of(tx, self.key, result.record.pull_request)
        if holder is not None:
            self._take_from(tx, holder)
        tx.records.replace(self.key, before.version if before else 0, rows)
        tx.records.postpone_publishing(self.key, now)  # what is new is shown now, whatever was refused before
        self._wake(tx, earliest(wake_at(result.record, self.policy, now), result.look_at))
        for effect in result.effects:
            tx.effects.plan(self.key, self.repo, effect)
        if result.refusal is not None:
            self._last_refusal(tx, result.refusal, result.record.version)
        return attempts.add(tx, before, result.record, self.policy, self.owner)

    def _take_from(self, tx: Tx, holder: Record) -> None:
        taken, result = given_up(holder, self.signal, self.policy, tx.now())
        known = replace(self.known, loaded=tx.records.load(holder.key))
        replace(self, key=holder.key, signal=taken, known=known).advance(tx, result)

    def refuse(self, tx: Tx, refusal: Refusal) -> None:
        self._mark(tx, Applied(key=self.signal.key, outcome="refused", refusal=refusal))
        if self.loaded is not None:
            self._last_refusal(tx, refusal, self.loaded.record.version)

    def ignore(self, tx: Tx, result: Ignore) -> None:
        self._mark(tx, Applied(key=self.signal.key, outcome="ignored", note=result.why))
        for effect in result.effects:
            tx.effects.plan(self.key, self.repo, effect)
        if self.loaded is not None and (result.look_at is not None or self.signal.kind == "time_came"):
            self._wake(tx, result.look_at or wake_at(self.loaded.record, self.policy, tx.now()))
        if self.loaded is not None and self.signal.kind == "time_came":
            follow(tx, self.loaded.record, self.loaded.record, saw_it_free=self.known.base_is_free)

    def _mark(self, tx: Tx, applied: Applied) -> None:
        if applied.key:
            tx.applied.put(self.key.repository_id, applied)

    def _last_refusal(self, tx: Tx, refusal: Refusal, version: int) -> None:
        if refusal.code == "already_recorded" or self.signal.actor.kind == "cli":
            return  # whoever types at this machine is answered there
        by = self.signal.actor
        at = self.signal.at or tx.now()
        tx.records.refuse(
            self.key,
            {
                "version": version,
                "code": refusal.code,
                "message": refusal.message,
                "command": refusal.command or telling.as_written(self.signal),
                "by": {"id": by.id, "login": by.login},
                "at": at.isoformat().replace("+00:00", "Z"),
            },
        )

    def _wake(self, tx: Tx, at: datetime | None) -> None:
        """A look that was asked for is not forgotten, unless it was this one; another may have been asked for meanwhile."""
        stored = tx.records.wakes_at(self.key)
        was_this = self.signal.kind == "time_came" and stored == self.known.wakes_at
        tx.records.wake_at(self.key, at if was_this else earliest(stored, at))
