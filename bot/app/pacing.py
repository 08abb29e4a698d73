"""The write lane: about one mutation a second for each installation, and none before GitHub's own pause is over.

Wrappers around any Forge and any MergeSender, over one Pacing. Whoever waits for a place in the lane is served by priority
(LIFECYCLE.md 4): checks, then comments, labels, reactions. Reads and the one merge request never wait for a place; the
merge still counts as a mutation, so what follows it waits. The pause (`retry-after`, a secondary limit) is durable: it
stands in the store, survives restarts, and holds for everything, the merge included.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import count
from typing import Any, TypeVar

from bot.app.places import Places
from bot.domain.model.effects import MergeReply, Write, Written
from bot.domain.model.facts import Answer
from bot.domain.model.ids import Repo
from bot.domain.model.permit import MergePermit
from bot.domain.model.questions import Question
from bot.ports.failures import RateLimited
from bot.ports.forge import Forge, Guard
from bot.ports.merging import MergeSender
from bot.ports.runtime import Clock, Sleep
from bot.ports.store import CommitUnknown, Store, StoreUnavailable

T = TypeVar("T")
#: Who goes first when several wait. What is not named here waits with the labels.
FIRST_SERVED = {
    "create_check_run": 0,
    "update_check_run": 0,
    "create_comment": 2,
    "update_comment": 2,
    "minimize_comment": 2,
    "react": 4,
}
WITH_LABELS = 3
#: The longest pause where GitHub names no time.
LONGEST_GUESS = timedelta(hours=1)


class _Lane:
    """The writers of one installation. `free_at` (monotonic seconds) is when the next mutation may leave."""

    def __init__(self, free_at: float) -> None:
        self.free_at = free_at
        self.waiting: list[tuple[int, int]] = []


class Pacing:
    """The lanes of all installations, and their pauses. `interval` is the average distance of two mutations of one
    installation, in seconds; 0 = no pacing. `waited` is told how many seconds each write waited for its turn. `places`: of all
    processes together; None = this one has the database to itself."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        sleep: Sleep,
        interval: float,
        waited: Callable[[float], None] = lambda _seconds: None,
        places: Places | None = None,
    ) -> None:
        self._places = places
        self._store = store
        self._clock = clock
        self._sleep = sleep
        self._interval = interval
        self._waited = waited
        self._lanes: dict[int, _Lane] = {}
        self._guesses: dict[int, tuple[datetime, timedelta]] = {}
        self._order = count()

    async def respect_pause(self, repo: Repo, what: str) -> None:
        """Nothing is asked before the pause is over: the caller comes again."""
        until = await self.paused_until(repo)
        if until is not None:
            raise RateLimited(f"{what}: GitHub asked for a pause", until)

    async def paused_until(self, repo: Repo) -> datetime | None:
        until = await self._store.read(lambda tx: tx.not_before(repo.installation_id))
        return until if until is not None and until > self._clock.now() else None

    async def remember(self, repo: Repo, until: datetime) -> None:
        await self._store.run(lambda tx: tx.set_not_before(repo.installation_id, until))

    async def refused(self, repo: Repo, failure: RateLimited) -> None:
        """Where GitHub names no time, the pause is doubled for each repetition."""
        until = failure.until if failure.named else self._guess(repo.installation_id, failure.until)
        await self.remember(repo, until)

    def _guess(self, installation: int, until: datetime) -> datetime:
        """What was under way together with the first is no repetition, and neither is what comes long afterwards."""
        now = self._clock.now()
        first = max(until - now, timedelta(0))
        ended, length = self._guesses.get(installation, (now, timedelta(0)))
        if now >= ended:
            repeated = now - ended <= 2 * length
            length = max(first, min(2 * length, LONGEST_GUESS)) if repeated else first
            ended = now + length
            self._guesses[installation] = (ended, length)
        return ended

    async def take_turn(self, repo: Repo, priority: int) -> None:
        """Wait until the lane is free and nobody who goes first waits as well."""
        began = self._clock.monotonic()
        lane = self._lane(repo)
        me = (priority, next(self._order))
        lane.waiting.append(me)
        try:
            while True:
                wait = lane.free_at - self._clock.monotonic()
                if wait <= 0 and min(lane.waiting) == me:
                    break
                await self._sleep(wait if wait > 0 else self._interval)
            if self._places is not None:
                await self._places.take(repo.installation_id)
        finally:
            lane.waiting.remove(me)
        self.book(repo)
        self._waited(self._clock.monotonic() - began)

    def book(self, repo: Repo) -> None:
        """A rest saves up no burst; a merge that did not wait makes the next one wait longer."""
        lane = self._lane(repo)
        lane.free_at = max(self._clock.monotonic(), lane.free_at) + self._interval

    async def book_among_all(self, repo: Repo) -> None:
        """As `book`, for other processes. That it cannot be said holds up no merge."""
        if self._places is not None:
            with suppress(StoreUnavailable, CommitUnknown):
                await self._places.book(repo.installation_id)

    def _lane(self, repo: Repo) -> _Lane:
        return self._lanes.setdefault(repo.installation_id, _Lane(self._clock.monotonic()))


class PacedForge:
    def __init__(self, forge: Forge, pacing: Pacing) -> None:
        self._forge = forge
        self._pacing = pacing

    async def read(self, repo: Repo, question: Question[T]) -> Answer[T]:
        await self._pacing.respect_pause(repo, type(question).__name__)
        try:
            return await self._forge.read(repo, question)
        except RateLimited as failure:
            await self._pacing.refused(repo, failure)
            raise

    async def together(self, repo: Repo, questions: Collection[Question[Any]]) -> Mapping[Question[Any], Answer[Any]]:
        await self._pacing.respect_pause(repo, "together")
        try:
            return await self._forge.together(repo, questions)
        except RateLimited as failure:
            await self._pacing.refused(repo, failure)
            raise

    async def perform(self, repo: Repo, write: Write, guard: Guard | None = None) -> Written:
        await self._pacing.respect_pause(repo, write.kind)
        await self._pacing.take_turn(repo, FIRST_SERVED.get(write.kind, WITH_LABELS))
        await self._pacing.respect_pause(repo, write.kind)  # it may have begun while this one waited
        try:
            return await self._forge.perform(repo, write, guard)
        except RateLimited as failure:
            await self._pacing.refused(repo, failure)
            raise


class PacedMergeSender:
    def __init__(self, sender: MergeSender, pacing: Pacing) -> None:
        self._sender = sender
        self._pacing = pacing

    async def merge(self, repo: Repo, permit: MergePermit, may_send: Callable[[], bool]) -> MergeReply:
        until = await self._pacing.paused_until(repo)
        if until is not None:
            return MergeReply(api=permit.order.api, sent=False, why="GitHub asked for a pause", not_before=until)
        self._pacing.book(repo)
        await self._pacing.book_among_all(repo)
        reply = await self._sender.merge(repo, permit, may_send)
        if reply.not_before is not None:
            await self._pacing.remember(repo, reply.not_before)
        return reply
