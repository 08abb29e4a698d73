"""`GET /metrics`: what Prometheus scrapes."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from bot.web.access import Entry
from bot.web.health import NO_STORE


class Metrics:
    """`scrape()` is the whole text, of that content type."""

    def __init__(self, scrape: Callable[[], Awaitable[bytes]], content_type: str) -> None:
        self._scrape = scrape
        self._content_type = content_type

    def entries(self) -> tuple[Entry, ...]:
        return (Entry("/metrics", "metrics", self.text, "Numbers for Prometheus"),)

    async def text(self, _request: Request) -> Response:
        return Response(await self._scrape(), headers={"Content-Type": self._content_type, **NO_STORE})
