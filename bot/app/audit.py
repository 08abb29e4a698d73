"""A look at stored histories when a process starts (threats.md, T24): that somebody changed the database is noticed before the
record is needed. Whatever merges is verified once more before its request, however this ends.
"""

from collections.abc import Iterator, Sequence

from bot.domain.model.ids import RecordKey
from bot.ports.runtime import Log
from bot.ports.store import Store, Tx

#: So many records under way, those first that changed last: for all of them there is `signalbox verify-history`.
MOST = 200


class Audit:
    """One record at a time, read beside everybody else's work: nobody waits for it."""

    def __init__(self, store: Store, log: Log) -> None:
        self._store = store
        self._log = log
        self._left: list[RecordKey] | None = None

    async def step(self) -> bool:
        """Verify the next record; False once all of them were looked at."""
        if self._left is None:
            self._left = list(await self._store.read(newest))
        if not self._left:
            return False
        next_ = self._left[:1]
        for repository, issue in await self._store.read(lambda tx: list(broken(tx, next_))):
            self._log("error", "history_broken", repository=repository, issue=issue)
        del self._left[0]
        return True


def newest(tx: Tx) -> Sequence[RecordKey]:
    return tx.records.newest(MOST)


def broken(tx: Tx, keys: Sequence[RecordKey]) -> Iterator[tuple[str, int]]:
    """Those whose stored history is not what was written: repository and issue."""
    for key in keys:
        if not tx.records.is_sound(key):
            repo = tx.repositories.get(key.repository_id)
            yield repo.full_name if repo else str(key.repository_id), key.issue
