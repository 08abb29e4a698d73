"""The simulated GitHub of a soak: an API and a door for webhooks, both on loopback, in this process's event loop."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import cycle

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.bootstrap.demo.github import SimulatedGitHub
from bot.bootstrap.demo.wire import address, free_port, served
from bot.domain.model.facts import Level
from bot.simulator.model.repositories import Repository
from tests.kit.github_process import SECRET

#: Of repositories, each worked on beside the others.
REPOSITORIES = 3
MEMBERS: Mapping[str, Level] = {"ada": "write", "grace": "write", "omar": "maintain"}
DOOR_SECONDS = 10


class City:
    """`doors`: addresses of the processes that are there, which the balancer in front of them goes through in turn."""

    def __init__(self) -> None:
        self.github = SimulatedGitHub(SECRET)
        self.world = self.github.world
        self.doors: dict[int, str] = {}
        self.changed = asyncio.Condition()
        self.repositories = [self._repository(number) for number in range(1, REPOSITORIES + 1)]
        self.url = ""

    def _repository(self, number: int) -> Repository:
        return self.world.repository(f"octo/app-{number}", members=MEMBERS)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        api, door = free_port(), free_port()
        self.url = address(api)
        balancer = Starlette(routes=[Route("/{rest:path}", self._passes_on, methods=["POST"])])
        plain = {"lifespan": "off", "access_log": False, "log_config": None, "ws": "none"}
        async with (
            httpx.AsyncClient(timeout=DOOR_SECONDS, trust_env=False) as self._client,
            served(uvicorn.Config(balancer, **plain), door),  # type: ignore[arg-type]  # plain words
            self.github.running(api, self._told(self.github.face)),
        ):
            self.github.webhook_url = f"{address(door)}/api/github/webhooks"
            self._turn = cycle(range(1000))
            yield

    def _told(self, face: ASGIApp) -> ASGIApp:
        """Whoever waits for something to be seen is told after every request."""

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            await face(scope, receive, send)
            async with self.changed:
                self.changed.notify_all()

        return answer

    async def _passes_on(self, request: Request) -> Response:
        """As a balancer does it that knows who is there; a process that was killed a moment ago costs a 502."""
        doors = sorted(self.doors.items())
        if not doors:
            return Response(status_code=503)
        _, url = doors[next(self._turn) % len(doors)]
        headers = [(name, value) for name, value in request.headers.items() if name not in {"host", "content-length"}]
        try:
            answer = await self._client.post(
                f"{url}{request.url.path}", content=await request.body(), headers=dict(headers)
            )
        except httpx.TransportError:
            return Response(status_code=502)
        return Response(answer.content, answer.status_code)
