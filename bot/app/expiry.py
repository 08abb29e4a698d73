"""Requests to merge whose sender is gone. Nothing here can send one: what is known is read and stored."""

from datetime import timedelta

from bot.app.outside import Outside
from bot.app.transact import Transactor
from bot.domain.merging.reservation import abandoned
from bot.domain.model.effects import MergeReply
from bot.domain.model.ids import SIGNALBOX, RecordKey
from bot.domain.model.own_signals import MergeAnswered, MergeLeaseExpired, MergeNotSent
from bot.domain.model.record import Record
from bot.ports.store import Tx

#: How soon what could not be judged is looked at again.
AGAIN = timedelta(seconds=5)
#: Longer than it takes to judge a kept answer.
HOLD = timedelta(minutes=1)


class Expiry:
    def __init__(self, outside: Outside, transactor: Transactor) -> None:
        self._store = outside.store
        self._transactor = transactor
        self._holder = f"{outside.owner}/expiry"

    async def expire(self, record: Record) -> None:
        """For whoever holds the merge. An answer that was kept and could not be judged then is judged now; without one,
        whether the request left is not known."""
        attempt, key = record.merge.attempt or "", record.key
        row = await self._store.read(lambda tx: tx.attempts.get(attempt))
        expired = MergeLeaseExpired(key="", actor=SIGNALBOX, attempt=attempt)
        signal = heard(attempt, row.replies[-1]) if row is not None and row.replies else expired
        outcome = await self._transactor.apply(record.repo, key, signal)
        if outcome.kind == "later":
            await self.put_off(key)

    async def put_off(self, key: RecordKey) -> None:
        """What could not be judged now is not judged again at once: others have their turn."""
        await self._store.run(lambda tx: tx.leases.take(pause(key), "pause", tx.now() + AGAIN))

    async def take_over(self, key: RecordKey) -> bool:
        """The same for whoever does not hold it: nobody else carries it on meanwhile. False: somebody does."""
        if not await self._store.run(lambda tx: tx.leases.take(lease(key), self._holder, tx.now() + HOLD)):
            return False
        try:
            record = await self._store.read(lambda tx: _abandoned(tx, key))
            if record is not None:
                await self.expire(record)
        finally:
            await self._store.run(lambda tx: tx.leases.drop(lease(key), self._holder))
        return True


def _abandoned(tx: Tx, key: RecordKey) -> Record | None:
    loaded = tx.records.load(key)
    return loaded.record if loaded is not None and abandoned(loaded.record.merge, tx.now()) else None


def heard(attempt: str, reply: MergeReply) -> MergeAnswered | MergeNotSent:
    if reply.sent:
        return MergeAnswered(key="", actor=SIGNALBOX, attempt=attempt, reply=reply)
    return MergeNotSent(key="", actor=SIGNALBOX, attempt=attempt, why=reply.why or "the request was not sent")


def lease(key: RecordKey) -> str:
    """Who has it carries this merge on."""
    return f"merge:{key}"


def pause(key: RecordKey) -> str:
    """While it is held, nobody carries this merge on."""
    return f"merge-pause:{key}"
