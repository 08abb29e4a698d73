"""ASGI applications on sockets beside other work in one event loop, without taking the process' signals."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import httpx
import uvicorn

LOOPBACK = "127.0.0.1"
#: Seconds between two looks at something that is about to happen in this process.
TICK = 0.02


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Whoever started it ends it."""
        yield


@asynccontextmanager
async def served(config: uvicorn.Config, listener: socket.socket) -> AsyncIterator[None]:
    """Answers inside the block; the lifespan has ended when it is left. Raises RuntimeError when it does not start."""
    server = _Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        while not server.started:
            if serving.done():
                raise RuntimeError("a server of the demo did not start; its log says why")
            await asyncio.sleep(TICK)
        yield
    finally:
        server.should_exit = True
        await serving


def free_port() -> socket.socket:
    """A listening socket on a loopback port that nobody else has."""
    return socket.create_server((LOOPBACK, 0))


def address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{host}:{port}"


def forgive_lost_answers() -> None:
    """A connection that the simulation breaks on purpose is no error of the server that carries it."""
    logging.getLogger("uvicorn.error").addFilter(_not_on_purpose)


def _not_on_purpose(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], httpx.TransportError))
