"""A world with one repository, and the real client speaking to it in process."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from githubkit import AppInstallationAuthStrategy, GitHub
from githubkit.cache import MemCacheStrategy

from bot.simulator.asgi import build
from bot.simulator.model.repositories import Repository
from bot.simulator.world import World
from tests.kit.keys import app_key

START = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def world() -> World:
    return World(START)


@pytest.fixture
def repo(world: World) -> Repository:
    return world.repository("octo/app", members={"ada": "maintain", "grace": "write", "lin": "triage", "omar": "read"})


@dataclass
class Clients:
    """`app` signs as the App, `gh` as its installation; `http` sends what it is told."""

    world: World
    app: GitHub[Any]
    gh: GitHub[Any]
    http: httpx.AsyncClient
    token: str


def _now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def clients(world: World, repo: Repository) -> Clients:
    key = app_key(world)
    asgi = build(world, token_clock=_now)
    transport = httpx.ASGITransport(asgi)
    auth = AppInstallationAuthStrategy(world.app.id, key, world.installation.id)

    def client(strategy: Any) -> GitHub[Any]:
        return GitHub(
            strategy,
            async_transport=transport,
            auto_retry=False,
            http_cache=False,
            cache_strategy=MemCacheStrategy(),
            follow_redirects=False,
        )

    token = asgi.state.tokens.mint(None, None).text
    http = httpx.AsyncClient(
        transport=transport, base_url="https://api.github.com", headers={"Authorization": f"Bearer {token}"}
    )
    return Clients(world, client(auth.as_app()), client(auth), http, token)
