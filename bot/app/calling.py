"""Calls operators outside of GitHub. A lane of its own: an address that does not answer holds up nothing else."""

from datetime import timedelta

from bot.app.outside import Outside
from bot.domain.model.effects import CallOperators
from bot.ports.calling import Call, CallFailed
from bot.ports.rows import EffectRow
from bot.ports.store import Tx, Unreadable

#: After this many tries nobody is called any more; the notice on GitHub stands. With the pauses between, about a day.
MOST_TRIES = 30
LONGEST_PAUSE = 3600.0


class Caller:
    def __init__(self, outside: Outside, call: Call) -> None:
        self._store = outside.store
        self._log = outside.log
        self._lease = timedelta(seconds=outside.timing.call_lease)
        self._call = call

    async def step(self) -> bool:
        """Make the next call; False when none may be made now."""
        try:
            row = await self._store.run(self._claim)
        except Unreadable as unreadable:
            number = unreadable.id
            await self._store.run(lambda tx: tx.effects.set(number, "unknown", "the stored call cannot be read"))
            return True
        if row is None:
            return False
        try:
            assert isinstance(row.effect.write, CallOperators), "the lane of calls is given nothing else"
            await self._call(row.repo, row.key.issue if row.key else 0, row.effect.write, once=row.effect.once)
        except CallFailed as failure:
            await self._again(row, failure)
        else:
            await self._store.run(lambda tx: tx.effects.set(row.id, "ok", None))
        return True

    def _claim(self, tx: Tx) -> EffectRow | None:
        """Marked sent before anything leaves; who dies then has it made once more."""
        row = tx.effects.next_call(tx.now())
        if row is not None:
            tx.effects.set(row.id, "sent", row.note, tx.now() + self._lease)
        return row

    async def _again(self, row: EffectRow, failure: CallFailed) -> None:
        over = not failure.again or row.attempts + 1 >= MOST_TRIES
        level = "error" if over else "warning"
        self._log(level, "call_failed", repository=row.repo.full_name, id=row.id, why=failure.why, again=not over)
        pause = timedelta(seconds=min(5.0 * 2.0**row.attempts, LONGEST_PAUSE))

        def plan(tx: Tx) -> None:
            tx.effects.set(row.id, "refused" if over else "planned", failure.why, None if over else tx.now() + pause)

        await self._store.run(plan)
