from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from bot.settings import Settings
from tests.web.kit import House, house
from tests.web.pages.reading import Node, read
from tests.web.pages.stories import Stories


class Site:
    """A bot's pages as somebody at this machine sees them."""

    def __init__(self, stories: Stories, home: House) -> None:
        self.stories = stories
        self.home = home
        self.http = home.http

    async def get(self, path: str, **headers: str) -> httpx.Response:
        return await self.http.get(
            path,
            headers={"host": "localhost:3000", "accept": "text/html"}
            | {name.replace("_", "-"): value for name, value in headers.items()},
        )

    async def page(self, path: str, status: int = 200) -> Node:
        answer = await self.get(path)
        assert answer.status_code == status, answer.text
        return read(answer.text)

    async def lifecycle(self, story: str, query: str = "") -> Node:
        return await self.page(f"{self.stories.path(story)}{query}")


@pytest.fixture(scope="session")
def stories() -> Stories:
    told = Stories()
    told.tells_all()
    return told


@pytest.fixture
async def site(stories: Stories, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Site]:
    monkeypatch.chdir(tmp_path)
    made = house(Settings(data_dir=tmp_path), stories.stage.store)
    yield Site(stories, made)
    await made.http.aclose()
