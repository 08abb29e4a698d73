"""One connection of a stranger takes neither all memory nor all time, nor a place for ever (threats T17)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from bot.bootstrap import protocol
from bot.bootstrap.serving import config

POST = b"POST /hook HTTP/1.1\r\nHost: x\r\n"
SIZED = POST + b"Content-Length: 4\r\n\r\nbody"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
ENOUGH = protocol.MOST_BESIDE * 2
#: Longer than anything here takes; then it is said that the connection waits still.
PATIENCE = 5.0
WAITS = b"waits still"


async def echo(_scope: Scope, receive: Receive, send: Send) -> None:
    size, more = 0, True
    while more:
        message = await receive()
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"8")]})
    await send({"type": "http.response.body", "body": b"%08d" % size})


@asynccontextmanager
async def _patience(heard: bytearray) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(PATIENCE):
            yield
    except ConnectionError:
        return
    except TimeoutError:
        heard += WAITS


def told(*parts: bytes, answers: int = 1) -> bytes:
    """What the server says to a connection that sends this and then waits, until it was answered so often or is closed."""

    async def talk() -> bytes:
        served = config(echo)
        served.load()
        made: Any = served.http_protocol_class
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: made(config=served, server_state=ServerState(), app_state={}), "127.0.0.1", 0
        )
        async with server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            async with _patience(heard := bytearray()):
                for part in parts:
                    writer.write(part)
                    await writer.drain()
                while heard.count(b"HTTP/1.1 ") < answers or not heard[-1:].isdigit():
                    piece = await reader.read(65536)
                    if not piece:
                        break
                    heard += piece
            writer.close()
        return bytes(heard)

    return asyncio.run(talk())


@pytest.mark.parametrize(
    "parts",
    [
        (POST + b"X: ", *[b"a" * 1024] * (ENOUGH // 1024)),
        (POST, *[b"X: aaaaaaaaa\r\n" * 100] * (ENOUGH // 1300)),
        (b"GET /", *[b"a" * 1024] * (ENOUGH // 1024)),
        (CHUNKED + b"0\r\n", *[b"X: aaaaaaaaa\r\n" * 100] * (ENOUGH // 1300)),
        (SIZED, POST + b"X: ", *[b"a" * 1024] * (ENOUGH // 1024)),
    ],
    ids=["one header", "many headers", "a long address", "trailers", "after an honest request"],
)
def test_a_request_that_never_comes_to_its_body_is_cut_off(parts: tuple[bytes, ...]) -> None:
    heard = told(*parts, answers=2)

    assert (heard.count(b"HTTP/1.1 "), heard.endswith(WAITS)) == (parts.count(SIZED), False)


@pytest.mark.parametrize(
    "begun", [b"", b"POST /ho", SIZED[:-1], CHUNKED], ids=["nothing", "a line", "a body", "chunks"]
)
def test_a_request_that_stops_arriving_gives_its_place_up(begun: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """threats.md, T17."""
    monkeypatch.setattr(protocol.BoundedProtocol, "seconds", 0.05)

    assert told(begun) == b""


def test_a_large_body_and_several_requests_on_one_connection_arrive() -> None:
    """known-faults.md, row 114."""
    size = ENOUGH * 10
    large = POST + b"Content-Length: %d\r\n\r\n" % size + b"b" * size
    chunks = CHUNKED + (b"1000\r\n" + b"b" * 0x1000 + b"\r\n") * 100 + b"0\r\n\r\n"

    heard = told(large, SIZED, chunks, answers=3)

    assert [part.rsplit(b"\r\n", 1)[1] for part in heard.split(b"HTTP/1.1 ")[1:]] == [
        b"%08d" % size,
        b"00000004",
        b"%08d" % (0x1000 * 100),
    ]
