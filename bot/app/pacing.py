"""The write lane: about one mutation a second for each installation, and none before GitHub's own pause is over.

A wrapper around any Forge. Reads and the one merge request pass at once; the merge still counts as a mutation, so what
follows it waits. The pause (`retry-after`) is durable: it stands in the store and survives restarts.
"""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from bot.domain.model.effects import MergePermit, MergeReply, Write, Written
from bot.domain.model.facts import Answer, Question
from bot.domain.model.ids import Repo
from bot.ports.failures import RateLimited
from bot.ports.forge import Forge
from bot.ports.runtime import Clock, Sleep
from bot.ports.store import Store

T = TypeVar("T")


class PacedForge:
    """`interval` is the average distance of two mutations of one installation, in seconds; 0 = no pacing."""

    def __init__(self, forge: Forge, store: Store, clock: Clock, sleep: Sleep, interval: float) -> None:
        self._forge = forge
        self._store = store
        self._clock = clock
        self._sleep = sleep
        self._interval = interval
        self._next: dict[int, float] = {}

    async def read(self, repo: Repo, question: Question[T]) -> Answer[T]:
        await self._respect_pause(repo, type(question).__name__)
        return await self._forge.read(repo, question)

    async def perform(self, repo: Repo, write: Write) -> Written:
        await self._respect_pause(repo, write.kind)
        await self._take_turn(repo)
        try:
            return await self._forge.perform(repo, write)
        except RateLimited as failure:
            await self._remember(repo, failure.until)
            raise

    async def merge(self, repo: Repo, permit: MergePermit, may_send: Callable[[], bool]) -> MergeReply:
        self._book(repo)
        return await self._forge.merge(repo, permit, may_send)

    async def _respect_pause(self, repo: Repo, what: str) -> None:
        """Nothing is asked before the pause is over: the caller comes again."""
        until = await self._store.read(lambda tx: tx.not_before(repo.installation_id))
        if until is not None and until > self._clock.now():
            raise RateLimited(f"{what}: GitHub asked for a pause", until)

    async def _take_turn(self, repo: Repo) -> None:
        wait = self._book(repo)
        if wait > 0:
            await self._sleep(wait)

    def _book(self, repo: Repo) -> float:
        """Take the next free place in the lane; how long it is away, in seconds."""
        now = self._clock.monotonic()
        at = max(now, self._next.get(repo.installation_id, now))
        self._next[repo.installation_id] = at + self._interval
        return at - now

    async def _remember(self, repo: Repo, until: datetime) -> None:
        await self._store.run(lambda tx: tx.set_not_before(repo.installation_id, until))
