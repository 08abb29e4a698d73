"""How one sweep keeps merges back for what it found, and ends what sweeps before it left (`bot.app.hearing`)."""

from collections.abc import Collection
from itertools import count

from bot.app import hearing
from bot.app.hearing import Mark
from bot.app.unheard import wake_thread
from bot.ports.store import Store, Tx


class Holding:
    def __init__(self, store: Store, repository_id: int, sweep: str) -> None:
        self._store = store
        self._repository = repository_id
        self._sweep = sweep
        self._which = count(1)
        self._before: tuple[Mark, ...] = ()
        self._undecided: set[int] = set()
        self._holds = False

    async def begins(self) -> None:
        """Whatever stands now was found before this sweep reads anything, so it will find that too."""
        self._before = tuple(await self._store.read(lambda tx: hearing.standing(tx, self._repository)))

    async def found(self) -> None:
        """There is something to bring: from now on no merge of the repository is asked for."""
        which, self._holds = next(self._which), True
        await self._store.run(lambda tx: hearing.of_repository(tx, self._repository, self._sweep, which))

    async def found_once(self) -> None:
        if not self._holds:
            await self.found()

    async def in_vain(self, thread: int) -> None:
        """Something of this thread was found and could not be decided."""
        self._undecided.add(thread)
        await self._store.run(lambda tx: self._leave(tx, {thread}))

    async def brought(self) -> None:
        """All that was found is decided, or its thread is marked."""
        if self._holds:
            self._holds = False
            await self._store.run(lambda tx: hearing.end(tx, self._mine(tx)))

    async def looked_again(self, unread: Collection[int]) -> None:
        """What sweeps before this one left is over, but for what this one could not decide or read (`unread`: threads)."""
        if not self._before:
            return
        still = self._undecided | set(unread)

        def settle(tx: Tx) -> None:
            if any(mark.thread is None for mark in self._before):  # what it found may have been in any thread
                self._leave(tx, set(unread) - self._undecided)
            over = [mark for mark in self._before if mark.thread not in still]
            hearing.end(tx, over)
            for key in tx.records.of_repository(self._repository, open_only=True):
                tx.records.wake_for_merge(key)

        await self._store.run(settle)

    def _mine(self, tx: Tx) -> list[Mark]:
        name = f"{hearing.HEARING}{self._repository}:{self._sweep}"
        return [mark for mark in hearing.standing(tx, self._repository) if mark.name == name]

    def _leave(self, tx: Tx, threads: Collection[int]) -> None:
        for thread in sorted(threads):
            hearing.of_thread(tx, self._repository, thread, self._sweep, next(self._which))
            wake_thread(tx, self._repository, thread)
