"""The ASGI lifespan protocol: start before the first request, stop after the last."""

from collections.abc import Awaitable, Callable

from starlette.types import Receive, Scope, Send


class Lifespan:
    def __init__(self, start: Callable[[], Awaitable[None]], stop: Callable[[], Awaitable[None]]) -> None:
        self._start = start
        self._stop = stop

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await self._start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._stop()
        await send({"type": "lifespan.shutdown.complete"})
