"""A town whose bot is several processes on one PostgreSQL database: all of them work at once, whoever comes first."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle
from typing import Any, NoReturn

import httpx

from bot.app.inbox import Inbox
from bot.app.timing import COLLECTING
from bot.bootstrap.bot import Bot
from bot.bootstrap.work import Step
from bot.ports.store import Store
from bot.simulator import webhooks
from bot.store.postgresql import opening
from tests.kit.stage import MOST_ROUNDS, is_collecting
from tests.kit.town import SECRET, HostClock, Killed, Road, Town

#: Real seconds in which a statement of PostgreSQL comes to its end, on a machine that does other things as well.
A_STATEMENT = 0.02


@dataclass
class Replica:
    """One process, on a machine of its own. Once it is `dead` nothing of it is stored, asked or answered any more."""

    host: HostClock
    store: Store
    bot: Bot
    http: httpx.AsyncClient
    steps: dict[str, Step]
    road: Road
    inbox: Inbox
    dead: bool = False

    async def once(self, name: str) -> bool:
        """One unit of one part; False for a dead one."""
        if self.dead:
            return False
        try:
            return await self.steps[name]()
        except Killed:
            return False

    def dies(self) -> NoReturn:
        """kill -9."""
        self.dead = True
        for name in ("run", "read"):
            setattr(self.store, name, _gone)
        raise Killed


async def _gone(*_anything: Any, **_named: Any) -> NoReturn:
    raise Killed


@dataclass(repr=False)
class Replicas(Town):
    """`url` of an empty database with the schema, whose clock is right. Webhooks go to one after the other."""

    url: str = ""
    number: int = 3
    members: list[Replica] = field(default_factory=list)

    def opens(self, database: str) -> None:
        clock = HostClock(self.world)
        for number in range(self.number):
            self.owner, self.host = f"bot-{number}", HostClock(self.world)
            store = opening.open(self.url, self.host.monotonic, clock=clock)
            self.store = store  # type: ignore[assignment]  # in the place of the one that stories look into
            self.bot = self._bot(self.private_key)
            transport = httpx.ASGITransport(self.bot.asgi)
            self.http = httpx.AsyncClient(transport=transport, base_url="http://signalbox.test")
            self.steps = self._steps(self.private_key)
            self.members.append(Replica(self.host, store, self.bot, self.http, self.steps, self.road, self.work.inbox))
        self._turn = cycle(self.members)

    async def sleeps(self, seconds: float) -> None:
        """Whoever has the turn may be waiting for the database, which takes no time of the world: it goes on meanwhile."""
        await asyncio.sleep(A_STATEMENT)
        await super().sleeps(seconds)

    async def settles(self, *, shown: bool = True) -> None:
        """All parts of all processes at once, until nothing is left to do."""
        for _ in range(MOST_ROUNDS):
            moved = await webhooks.deliver(self.world, SECRET, self.post) > 0
            units: list[Awaitable[bool]] = [one.once(name) for name in self.steps for one in self.members]
            moved = any(await asyncio.gather(*units)) or moved
            if not moved and not (shown and await is_collecting(self.alive.store)):
                return
            if not moved:
                self.world.clock.advance(COLLECTING)
        raise AssertionError(f"the bot never comes to rest: {self.log.lines[-5:]}")

    @property
    def alive(self) -> Replica:
        return next(one for one in self.members if not one.dead)

    async def hears(self) -> None:
        """Only the inboxes work."""
        await webhooks.deliver(self.world, SECRET, self.post)
        while any(await asyncio.gather(*(one.once("inbox") for one in self.members))):
            pass

    async def api(self, path: str) -> Any:
        self.store, self.http = self.alive.store, self.alive.http  # type: ignore[assignment]  # see `opens`
        return await super().api(path)

    def just_before(self, end: str, act: Callable[[], object]) -> None:
        """Whoever makes that request; once."""

        def once() -> object:
            for one in self.members:
                one.road.before.pop(end, None)
            return act()

        for one in self.members:
            one.road.before[end] = once

    async def post(self, body: bytes, headers: Mapping[str, str]) -> int:
        member = next(one for one in self._turn if not one.dead)
        answer = await member.http.post(member.bot.parts.settings.webhook_path, content=body, headers=dict(headers))
        return answer.status_code

    def kills_before(self, end: str, meanwhile: Callable[[], object] = lambda: None) -> None:
        """Whoever makes the next request to a path with this end is killed, and it never leaves."""

        def die(mine: Replica) -> None:
            for one in self.members:
                one.road.before.pop(end, None)
            meanwhile()
            mine.dies()

        for one in self.members:
            one.road.before[end] = partial(die, one)

    async def closes(self) -> None:
        self.store = self.alive.store  # type: ignore[assignment]  # see above
        for one in self.members:
            for name in ("run", "read"):
                vars(one.store).pop(name, None)
        await super().closes()
        for one in self.members:
            await one.http.aclose()
            await one.store.close()
