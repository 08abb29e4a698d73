from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.settings import AppCredentials, Settings
from tests.web.kit import SECRETS, House, house


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.chdir(tmp_path)
    return Settings(data_dir=tmp_path)


@pytest.fixture
def credentials() -> AppCredentials:
    return AppCredentials(1, "not a key", SECRETS)


@pytest.fixture
async def home(settings: Settings, credentials: AppCredentials) -> AsyncIterator[House]:
    """A bot that serves, over an in-memory database."""
    made = house(settings, app=credentials)
    yield made
    await made.http.aclose()
    await made.store.close()
