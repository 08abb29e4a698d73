"""A repository that is being swept: this process holds on to it while GitHub answers, and gives it back when it is stopped."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from bot.app.outside import Outside
from bot.domain.model.ids import Repo
from bot.ports.store import Store, Tx
from bot.ports.sweeps import SweepState

#: A sweeper that died gives what it had claimed free after this: nothing of that installation is swept before, and what it
#: had found keeps merges back.
LEASE = timedelta(minutes=2)
#: How long after the last time it is held on to again. No answer takes longer than what is left of the lease then.
BEAT = timedelta(seconds=30)

Beat = Callable[[], Awaitable[None]]


class Claim:
    """`until` is by the database's clock, and names this claim: nobody else's is touched."""

    def __init__(self, outside: Outside, repo: Repo, until: datetime) -> None:
        self._store: Store = outside.store
        self._clock = outside.clock
        self.repo = repo
        self._until = until
        self._since = self._clock.monotonic()

    async def beat(self) -> None:
        """Whoever hung for longer than a lease has lost it, and two who sweep beside each other do no harm."""
        if self._clock.monotonic() - self._since < BEAT.total_seconds():
            return
        self._since = self._clock.monotonic()

        def hold(tx: Tx) -> datetime:
            until = tx.now() + LEASE
            return until if tx.sweeps.move_claim(self.repo.id, self._until, until) else self._until

        self._until = await self._store.run(hold)

    def give_back(self, tx: Tx) -> None:
        """It was not finished: it is due now."""
        tx.sweeps.move_claim(self.repo.id, self._until, None)


async def claim(outside: Outside) -> tuple[Claim, SweepState] | None:
    """What is due longest, if anything is."""

    def take(tx: Tx) -> tuple[Claim, SweepState] | None:
        until = tx.now() + LEASE
        found = tx.sweeps.claim(until)
        return None if found is None else (Claim(outside, found[0], until), found[1])

    return await outside.store.run(take)
