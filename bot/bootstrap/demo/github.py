"""The simulated GitHub as others meet it: an API on a socket, webhooks that arrive by HTTP, and a clock that runs."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import httpx
import uvicorn
from starlette.types import ASGIApp

from bot.bootstrap.demo.wire import TICK, forgive_lost_answers, served
from bot.simulator import asgi
from bot.simulator.webhooks import deliver
from bot.simulator.world import World

#: Every act of a person takes a second of the world's time, however fast it is done here. Whoever keeps another clock than
#: the world's lets it begin this much behind the real one, so that it does not run ahead of it.
BEHIND = timedelta(seconds=30)
#: How fast time passes over there while the world is ahead of the real clock.
SLOWED = 0.5
WEBHOOK_SECONDS = 10.0


class SimulatedGitHub:
    """`webhook_url` None = webhooks wait. `attempted` is set after every attempt to deliver. Everything happens in one
    event loop: the world is not made for threads."""

    def __init__(self, secret: str, webhook_url: str | None = None, *, behind: timedelta = BEHIND) -> None:
        self.world = World(_now() - behind)
        self.face: ASGIApp = asgi.build(self.world, token_clock=_now)
        self.webhook_url = webhook_url
        self.attempted = asyncio.Event()
        self.secret = secret

    @asynccontextmanager
    async def running(self, listener: socket.socket, face: ASGIApp | None = None) -> AsyncIterator[None]:
        """On that socket. `face`: what answers there, if it is something around `self.face`."""
        forgive_lost_answers()
        config = uvicorn.Config(
            face or self.face,
            http="h11",
            ws="none",
            lifespan="off",
            access_log=False,
            log_config=None,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=2,
        )
        async with served(config, listener):
            work = [asyncio.create_task(self._ticks()), asyncio.create_task(self._delivers())]
            try:
                yield
            finally:
                for task in work:
                    task.cancel()
                ended = await asyncio.gather(*work, return_exceptions=True)
        broken = [error for error in ended if isinstance(error, Exception)]
        if broken:
            raise broken[0]

    @property
    def silent(self) -> bool:
        """Every webhook was handed over, and GitHub knows what was answered."""
        return all(delivery.status_code is not None for delivery in self.world.hooks.log)

    async def _ticks(self) -> None:
        before = time.monotonic()
        while True:
            await asyncio.sleep(TICK)
            now = time.monotonic()
            ahead = self.world.clock.now() > _now()
            self.world.clock.advance((now - before) * (SLOWED if ahead else 1))
            before = now

    async def _delivers(self) -> None:
        no_keeping = httpx.Limits(max_keepalive_connections=0)
        async with httpx.AsyncClient(timeout=WEBHOOK_SECONDS, limits=no_keeping, trust_env=False) as client:

            async def post(body: bytes, headers: Mapping[str, str]) -> int:
                try:
                    answer = await client.post(self.webhook_url or "", content=body, headers=headers)
                except httpx.TransportError:
                    return 0
                return answer.status_code

            while True:
                if self.webhook_url is None or not await deliver(self.world, self.secret, post):
                    await asyncio.sleep(TICK)
                else:
                    self.attempted.set()


def _now() -> datetime:
    return datetime.now(UTC)
