"""One-shot effects: planned with the record, sent once, found again after a crash (LIFECYCLE.md 4.2).

`sent` is committed before the bytes leave. What was sent and not answered stays `sent` until it is over: it is looked for
before every further try, and not before it can land no more. Writes that are the same when repeated are simply repeated.
"""

from datetime import datetime, timedelta

from bot.app.aside import Unit, set_aside
from bot.app.outside import LeaseLost, Outside
from bot.app.policy.book import Policies
from bot.app.success import must_go
from bot.app.turns import Turns
from bot.domain.model.effects import CallOperators, CreateCheckRun, CreateComment, DeleteBranch, EffectState
from bot.domain.model.ids import RecordKey
from bot.domain.model.questions import CommentsOn, OwnChecksOn
from bot.ports.failures import Forbidden, ForgeFailure, Gone, OutcomeUnknown, RateLimited
from bot.ports.forge import LANDING
from bot.ports.rows import EffectRow
from bot.ports.store import Tx, Unreadable

#: After this many tries an effect is given up: refused where it provably did not happen, else unknown, and a person may look.
MOST_TRIES = 12
#: How long what may have left is not tried again: until GitHub has ended it, and shows it if it happened.
AFTERMATH = timedelta(seconds=LANDING + 2)
#: How long an effect that met a bug of ours is left alone.
SET_ASIDE = timedelta(minutes=10)


class Effector:
    def __init__(self, outside: Outside, policies: Policies) -> None:
        self._outside = outside
        self._store = outside.store
        self._forge = outside.forge
        self._log = outside.log
        self._timing = outside.timing
        self._policies = policies
        self._turns = Turns()

    async def step(self) -> bool:
        """Carry out the next effect; False when none may run now. One after the other for each installation."""
        taken = self._turns.taken
        try:
            waiting = await self._store.read(lambda tx: self._next(tx, taken))
        except Unreadable as unreadable:
            await self._unreadable(unreadable)
            return True
        if waiting is None:
            return False
        with self._turns.take(waiting.repo.installation_id) as mine:
            row = await self._store.run(lambda tx: self._claim(tx, waiting.id, taken)) if mine else None
            if row is None:
                return True
            try:
                await self._carry_out(row)
            except Exception as error:  # noqa: BLE001 - our own bug with one effect must not stop the others; it is stored and logged
                await self._broken(row, error)
        return True

    async def _carry_out(self, row: EffectRow) -> None:
        try:
            found = row.state == "sent" and await self._happened(row)
        except RateLimited as failure:
            await self._wait(row, failure)
            return
        except ForgeFailure as failure:
            await self._unknown(row, failure.for_operator())
            return
        if found:
            await self._set(row, "ok", "found on GitHub")
        else:
            await self._perform(row)

    async def _unreadable(self, row: Unreadable) -> None:
        """It is given up as unknown, which doctor shows, so that what waits behind it is carried out."""
        unit = Unit("effector", str(row.id), "effect_unreadable", SET_ASIDE, {"id": row.id})
        note = "a fault of this program: the stored effect cannot be read"
        await set_aside(self._outside, unit, row, lambda tx, _until: tx.effects.set(row.id, "unknown", note))

    async def _broken(self, row: EffectRow, error: Exception) -> None:
        """It may have left: so it is looked for before it is sent again, and in the end is given up as unknown."""
        state = _after_one_more(row)
        note = f"a fault of this program: {type(error).__name__}"
        fields = {"repository": row.repo.full_name, "effect": row.effect.kind, "id": row.id}
        unit = Unit("effector", str(row.id), "effect_failed", SET_ASIDE, fields)
        await set_aside(self._outside, unit, error, lambda tx, until: _ended(tx, row, state, note, until))

    def _next(self, tx: Tx, taken: frozenset[int]) -> EffectRow | None:
        return tx.effects.next(tx.now(), taken, must_go(tx, self._policies))

    def _claim(self, tx: Tx, id: int, taken: frozenset[int]) -> EffectRow | None:
        """This effect as it was, now marked sent: committed before anything leaves. None: it is not the next one any more."""
        row = self._next(tx, taken)
        if row is None or row.id != id:
            return None
        tx.effects.set(row.id, "sent", row.note, self._lease_ends(tx))
        return row

    def _still_claimed(self, tx: Tx, row: EffectRow) -> None:
        """Directly before it leaves: the attempt that was claimed is the present one, and is so until it can land no more."""
        if not tx.effects.extend(row.id, row.attempts + 1, self._lease_ends(tx)):
            raise LeaseLost

    def _lease_ends(self, tx: Tx) -> datetime:
        return tx.now() + timedelta(seconds=self._timing.write_lease)

    async def _happened(self, row: EffectRow) -> bool:
        """Whether a comment or check that may have been posted is there. Other writes are the same when repeated."""
        write = row.effect.write
        if isinstance(write, CreateCheckRun):
            return bool((await self._forge.read(row.repo, OwnChecksOn(write.head))).value)
        if not isinstance(write, CreateComment):
            return False
        answer = await self._forge.read(row.repo, CommentsOn(write.number))
        return any(comment.mine and write.marker in comment.body for comment in answer.value)

    async def find(self, row: EffectRow) -> bool:
        """Whether a comment of which nobody knows is on GitHub after all; then that is known. Nothing is sent. Raises
        ForgeFailure."""
        found = await self._happened(row)
        if found:
            await self._set(row, "ok", "found on GitHub")
        return found

    async def _perform(self, row: EffectRow) -> None:
        async def guard() -> None:
            await self._store.run(lambda tx: self._still_claimed(tx, row))

        try:
            assert not isinstance(row.effect.write, CallOperators), "calls have a lane of their own"
            await self._forge.perform(row.repo, row.effect.write, guard)
        except LeaseLost:
            self._log("info", "effect_lost", repository=row.repo.full_name, effect=row.effect.kind, id=row.id)
        except RateLimited as failure:
            await self._wait(row, failure)
        except Forbidden as failure:
            await self._give_up(row, failure)
        except Gone as failure:
            await self._not_there(row, failure)
        except OutcomeUnknown as failure:
            await self._unknown(row, failure.for_operator())
        except ForgeFailure as failure:
            await self._again(row, failure)
        else:
            await self._set(row, "ok", None)

    async def _wait(self, row: EffectRow, failure: RateLimited) -> None:
        """GitHub asks for a pause: that is no try, however often it does."""
        note = failure.for_operator()
        await self._store.run(
            lambda tx: tx.effects.rest(row.id, row.attempts + 1, row.state, note, failure.until, tried=False)
        )

    async def _again(self, row: EffectRow, failure: ForgeFailure) -> None:
        """This try provably did not happen, so it comes again, later; refused when it was tried often enough. An earlier try
        may have happened all the same."""
        if row.attempts + 1 >= MOST_TRIES:
            await self._give_up(row, failure)
            return
        note, wait = failure.for_operator(), _wait_after(row)
        await self._store.run(lambda tx: _ended(tx, row, row.state, note, tx.now() + wait))

    async def _not_there(self, row: EffectRow, failure: Gone) -> None:
        """One such answer proves nothing (docs/decisions/nothing-there.md): it is given up when the next try is told so too."""
        told_before = (row.note or "").startswith(f"{Gone.__name__}:")
        await (self._give_up if told_before else self._again)(row, failure)

    async def _give_up(self, row: EffectRow, failure: ForgeFailure) -> None:
        if await self._set(row, "refused", failure.for_operator()):
            level = "error" if _is_missed(row, failure) else "warning"
            self._told(level, "effect_refused", row, failure.for_operator())

    async def _unknown(self, row: EffectRow, note: str) -> None:
        state, wait = _after_one_more(row), max(_wait_after(row), AFTERMATH)
        over = await self._store.run(lambda tx: _ended(tx, row, state, note, tx.now() + wait))
        if over or state == "sent":
            self._told("error" if over else "warning", "effect_unknown" if over else "effect_unanswered", row, note)

    def _told(self, level: str, event: str, row: EffectRow, why: str) -> None:
        """An operator may want to look at what is tried again; what is given up is a lost write (UX.md 9)."""
        self._log(level, event, repository=row.repo.full_name, effect=row.effect.kind, id=row.id, why=why)

    async def _set(self, row: EffectRow, state: EffectState, note: str | None) -> bool:
        """Whether that was ours to say. The check run carries the text of a comment that was refused, until a later one is
        taken: so it is looked at."""

        def end(tx: Tx) -> bool:
            over = _ended(tx, row, state, note)
            if row.key is not None and isinstance(row.effect.write, CreateComment) and _refused_one(tx, row.key):
                tx.records.mark_dirty(row.key)
            return over

        over = await self._store.run(end)
        self._outside.nudge()
        return over


def _ended(tx: Tx, row: EffectRow, state: EffectState, note: str | None, at: datetime | None = None) -> bool:
    """How this attempt ended: the effect is over, or comes again at that time. Nothing, where somebody else claimed it
    meanwhile or it was withdrawn: what became of it is no longer ours to say. Whether it is over by this."""
    if state in {"planned", "sent"}:
        tx.effects.rest(row.id, row.attempts + 1, state, note, at or tx.now())
        return False
    if row.state != "unknown" and not tx.effects.extend(row.id, row.attempts + 1, tx.now()):
        return False
    tx.effects.set(row.id, state, note, at)
    return True


def _is_missed(row: EffectRow, failure: ForgeFailure) -> bool:
    """Nothing is, where what it was about is gone, and where a branch stays because somebody may need it."""
    return not isinstance(failure, Gone) and not isinstance(row.effect.write, DeleteBranch)


def _refused_one(tx: Tx, key: RecordKey) -> bool:
    rows = tx.effects.of(key)
    return any(row.state == "refused" and isinstance(row.effect.write, CreateComment) for row in rows)


def _wait_after(row: EffectRow) -> timedelta:
    return timedelta(seconds=min(2.0**row.attempts, 300.0))


def _after_one_more(row: EffectRow) -> EffectState:
    return "unknown" if row.attempts + 1 >= MOST_TRIES else "sent"
