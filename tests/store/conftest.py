from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.ports.store import Store
from bot.store import engine
from bot.store.inline import InlineStore
from tests.store.kit import HandClock, Kept


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


@pytest.fixture(params=["inline in memory", "inline on file", "writer thread"])
def kept(request: pytest.FixtureRequest, tmp_path: Path, clock: HandClock) -> Iterator[Kept]:
    kept = Kept(make(request.param, tmp_path, clock), clock)
    yield kept
    kept.close()
