from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.ports.store import Store
from bot.store import engine
from bot.store.inline import InlineStore
from tests.kit import postgresql
from tests.store.kit import HandClock, Kept

KINDS = ("inline in memory", "inline on file", "writer thread")


def make(kind: str, folder: Path, clock: HandClock) -> Store:
    """One of the stores that must behave alike."""
    match kind:
        case "inline in memory":
            return InlineStore(":memory:", clock)
        case "inline on file":
            return InlineStore(str(folder / "inline.db"), clock)
        case _:
            return engine.open(f"sqlite:///{folder}/threads.db", clock)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture(scope="session")
def server() -> postgresql.Server:
    return postgresql.server()


@pytest.fixture
def database(server: postgresql.Server) -> Iterator[str]:
    """A PostgreSQL database of the test's own, with the schema and nothing else."""
    name = server.clone()
    yield name
    server.drop(name)


@pytest.fixture(params=[*KINDS, "postgresql"])
def kept(request: pytest.FixtureRequest, tmp_path: Path, clock: HandClock) -> Iterator[Kept]:
    if request.param == "postgresql":
        server = request.getfixturevalue("server")
        store: Store = postgresql.opened(server, server.washed(), clock)
    else:
        store = make(request.param, tmp_path, clock)
    kept = Kept(store, clock)
    yield kept
    kept.close()
