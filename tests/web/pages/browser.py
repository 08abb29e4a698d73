"""Chromium as Debian packages it, and a bot that serves the stories to it over a loopback socket."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from bot.bootstrap.serving import config
from bot.settings import Settings
from bot.store import engine
from tests.kit.npm import CACHE
from tests.web.kit import SetClock, house
from tests.web.pages.stories import Stories

CHROMIUM = Path("/usr/bin/chromium")
#: Where a run leaves what it saw, to be looked at.
SCREENS = CACHE / "screens"
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def serving(stories: Stories, directory: Path) -> Iterator[str]:
    """The address of a bot that shows the stories at the time at which they end."""
    settings = Settings(data_dir=directory)
    stories.keep(directory / "signalbox.db")
    bot = house(settings, engine.open(settings.database, SetClock(stories.now))).bot
    server = uvicorn.Server(config(bot.asgi))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join()


class Visitor:
    """One window. What its console says is kept: a page that works says nothing."""

    def __init__(self, context: BrowserContext, address: str, now: datetime) -> None:
        self.page: Page = context.new_page()
        self.page.clock.set_fixed_time(now)
        self.address = address
        self.said: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("requestfailed", lambda request: self.said.append(f"failed: {request.url}"))

    def visits(self, path: str) -> Page:
        answer = self.page.goto(f"{self.address}{path}")
        assert answer is None or answer.ok, f"{path}: {answer.status}"
        return self.page

    def overhang(self, width: int) -> int:
        """By how many pixels the page is wider than a window of this width."""
        self.page.set_viewport_size({"width": width, "height": 844 if width < 600 else 900})
        return int(self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
