"""One write lane for several processes (I29): its places stand in the database, one after the other.

Each process has its own order of who goes first (`bot.app.pacing`); the first of each waits here for a place.
"""

from datetime import datetime, timedelta
from itertools import count

from bot.ports.runtime import Sleep
from bot.ports.store import Store, Tx


class Places:
    """`interval` in seconds; `owner` names this process."""

    def __init__(self, store: Store, sleep: Sleep, interval: float, owner: str) -> None:
        self._store = store
        self._sleep = sleep
        self._interval = timedelta(seconds=interval)
        self._owner = owner
        self._order = count(1)

    async def take(self, installation_id: int) -> None:
        """Wait until nobody took a place for so long."""
        holder = self._holder()
        while (wait := await self._store.run(lambda tx: self._take(tx, installation_id, holder))) > timedelta(0):
            await self._sleep(wait.total_seconds())

    async def book(self, installation_id: int) -> None:
        """Without waiting: whoever comes next waits longer."""
        holder = self._holder()
        await self._store.run(lambda tx: self._book(tx, installation_id, holder))

    def _holder(self) -> str:
        return f"{self._owner}/{next(self._order)}"

    def _take(self, tx: Tx, installation_id: int, holder: str) -> timedelta:
        free_at = _free_at(tx, installation_id)
        if free_at <= tx.now():
            tx.leases.take(_name(installation_id), holder, tx.now() + self._interval)
        return free_at - tx.now()

    def _book(self, tx: Tx, installation_id: int, holder: str) -> None:
        name, free_at = _name(installation_id), _free_at(tx, installation_id)
        before = tx.leases.holder(name)
        if before is not None:
            tx.leases.drop(name, before)
        tx.leases.take(name, holder, free_at + self._interval)


def _name(installation_id: int) -> str:
    return f"pace:{installation_id}:"


def _free_at(tx: Tx, installation_id: int) -> datetime:
    held = tx.leases.held(_name(installation_id))
    return max([tx.now(), *(one.until for one in held if one.until is not None)])
