from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.kit.town import MergeApi, Town


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def merge_api() -> MergeApi:
    """A story about one of the two endpoints is parametrized with this name."""
    return "auto"


@pytest.fixture
async def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, merge_api: MergeApi) -> AsyncIterator[Town]:
    monkeypatch.chdir(tmp_path)
    here = Town(tmp_path, merge_api)
    yield here
    await here.closes()
