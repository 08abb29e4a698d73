"""A write is guarded last of all and has a time in which it is over: whoever may write is known until nothing can land."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

import httpx
import pytest

from bot.domain.model.effects import CreateComment, MarkReady, MinimizeComment, Write
from bot.github.client import Endpoint, GitHubGateway, Identity
from bot.github.forge import GitHubForge
from bot.github.tokens import Token
from bot.ports.failures import OutcomeUnknown, Unreachable
from bot.simulator.world import World
from tests.github.conftest import START, Setting, no_sleep
from tests.github.test_merging_sockets import REPO
from tests.kit.keys import app_key

pytestmark = pytest.mark.anyio

WRITE = CreateComment(number=1, body="Hello", marker="x")
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Road(httpx.AsyncBaseTransport):
    """Notes what passes."""

    def __init__(self, before: httpx.AsyncBaseTransport | None) -> None:
        assert before is not None
        self._before = before
        self.passed: list[str] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.passed.append(f"{request.method} {request.url.path}")
        return await self._before.handle_async_request(request)


def writes(here: Setting) -> dict[str, Write]:
    issue = here.world.opens_issue("ada", here.repository, "Greet people")
    comment = here.world.comments(here.world.bot, issue, "old")
    pull = here.world.opens_pull("ada", here.repository, draft=True)
    return {
        "rest": CreateComment(number=issue.number, body="Hello", marker="x"),
        "graphql": MarkReady(pull=pull.number, node_id=pull.node_id),
        "looks first": MinimizeComment(comment_id=comment.id),
    }


@pytest.mark.parametrize("kind", ["rest", "graphql", "looks first"])
async def test_nothing_comes_between_the_guard_and_the_write_not_even_a_token(here: Setting, kind: str) -> None:
    write = writes(here)[kind]
    road = Road(here.gateway.endpoint.transport)
    identity = Identity(here.gateway.app_id, app_key(here.world))
    gateway = GitHubGateway(identity, Endpoint(transport=road), here.world.clock, no_sleep)

    async def guard() -> None:
        road.passed.append("guard")

    await GitHubForge(gateway).perform(here.repo, write, guard)
    assert "access_tokens" in road.passed[0]
    assert road.passed.count("guard") == 1
    assert road.passed[-2] == "guard"
    assert road.passed[-1].startswith("POST ")


async def never(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """It reads and says nothing."""
    while await reader.read(65_536):
        pass


async def drips(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Always a little more, and never all of it."""
    await reader.read(65_536)
    with suppress(ConnectionError):
        writer.write(b"HTTP/1.1 201 Created\r\ncontent-length: 100000\r\n\r\n")
        while not writer.is_closing():
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.02)


async def given_up(serve: Serve, guard: Callable[[], Awaitable[None]] | None = None) -> tuple[type[Exception], bool]:
    """How a write ends that may take a fifth of a second, and whether it ended by itself."""
    talking: set[asyncio.Task[None] | None] = set()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talking.add(asyncio.current_task())
        await serve(reader, writer)
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    gateway = GitHubGateway(
        Identity(4711, app_key(World(START))), Endpoint(api_url=url, write_timeout=0.2), World(START).clock, no_sleep
    )
    gateway.tokens._tokens[REPO.installation_id, REPO.id] = Token("t1", 1e9, {})
    began = time.monotonic()
    async with server:
        with pytest.raises((OutcomeUnknown, Unreachable)) as failed:
            await GitHubForge(gateway).perform(REPO, WRITE, guard)
        took = time.monotonic() - began
        await gateway.close()
        await asyncio.gather(*filter(None, talking))
    return failed.type, took < 5


@pytest.mark.parametrize("serve", [never, drips])
async def test_a_write_that_is_not_answered_in_its_time_is_given_up_as_unknown(serve: Serve) -> None:
    assert await given_up(serve) == (OutcomeUnknown, True)


async def test_a_write_whose_guard_takes_all_of_its_time_never_leaves() -> None:
    async def guard() -> None:
        await asyncio.Event().wait()

    assert await given_up(never, guard) == (Unreachable, True)
