"""A simulated GitHub with one repository, and the real adapter speaking to it in process."""

from dataclasses import dataclass
from datetime import UTC, datetime

import httpx
import pytest

from bot.domain.model.facts import Level
from bot.domain.model.ids import Repo
from bot.github.client import Endpoint, GitHubGateway, Identity
from bot.github.forge import GitHubForge
from bot.github.merging import GitHubMergeSender
from bot.simulator.asgi import build
from bot.simulator.forge import SimulatedForge
from bot.simulator.merge_sender import SimulatedMergeSender
from bot.simulator.model.repositories import Repository
from bot.simulator.routes.tokens import Tokens
from bot.simulator.world import World
from tests.kit.keys import app_key

START = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def no_sleep(seconds: float) -> None:
    """The Sleep port of tests that wait for nothing."""


@dataclass
class Setting:
    """`forge` and `sender` speak HTTP, the simulated ones ask the same world directly; `slept` is what retries waited."""

    world: World
    repository: Repository
    repo: Repo
    gateway: GitHubGateway
    forge: GitHubForge
    simulated: SimulatedForge
    sender: GitHubMergeSender
    simulated_sender: SimulatedMergeSender
    tokens: Tokens
    slept: list[float]

    def asked(self, operation: str) -> int:
        return sum(one.operation == operation for one in self.world.requests)


def setting(world: World, api_version: str = "2022-11-28") -> Setting:
    people: dict[str, Level] = {"ada": "maintain", "grace": "write", "lin": "triage", "omar": "read"}
    repository = world.repository("octo/app", members=people)
    key = app_key(world)
    asgi = build(world, token_clock=lambda: datetime.now(UTC))
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    endpoint = Endpoint(api_version=api_version, transport=httpx.ASGITransport(asgi))
    gateway = GitHubGateway(Identity(world.app.id, key), endpoint, world.clock, sleep)
    repo = Repo(installation_id=world.installation.id, id=repository.id, owner="octo", name="app")
    return Setting(
        world=world,
        repository=repository,
        repo=repo,
        gateway=gateway,
        forge=GitHubForge(gateway),
        simulated=SimulatedForge(world),
        sender=GitHubMergeSender(gateway),
        simulated_sender=SimulatedMergeSender(world),
        tokens=asgi.state.tokens,
        slept=slept,
    )


@pytest.fixture(params=["2022-11-28", "2026-03-10"])
def either(request: pytest.FixtureRequest) -> Setting:
    """Both REST versions that GitHub supports."""
    return setting(World(START), request.param)


@pytest.fixture
def here() -> Setting:
    return setting(World(START))
