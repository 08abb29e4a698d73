"""An answer as bytes and headers, or a connection that breaks."""

import hashlib
from email.utils import format_datetime
from typing import Literal

import httpx
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from bot.simulator.edge import Reply
from bot.simulator.wire.places import as_json, pages_at
from bot.simulator.world import World

_BREAKS: dict[str, type[httpx.TransportError]] = {
    "refused": httpx.ConnectError,
    "reset": httpx.ReadError,
    "timeout": httpx.ReadTimeout,
}


class Cut(Response):
    """The answer never arrives. In process the client sees the very exception it would see on a wire. On a socket the
    server has sent a head and breaks off, so that the connection is closed in the middle of the answer."""

    def __init__(self, how: Literal["refused", "reset", "timeout"]) -> None:
        super().__init__()
        self._error = _BREAKS[how](f"the simulated connection broke: {how}")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  # ASGI's signature
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        raise self._error


def rendered(world: World, request: Request, reply: Reply) -> Response:
    """With GitHub's headers; a GET whose `If-None-Match` still fits is 304 and free."""
    now = world.clock.stamp()
    headers = {
        "Date": format_datetime(now, usegmt=True),
        "Vary": "Accept, Authorization, Cookie, X-GitHub-OTP",
        "X-GitHub-Media-Type": "github.v3; format=json",
        "X-GitHub-Request-Id": f"{len(world.requests):04X}:0000:0000:0000:00000000",
        "X-RateLimit-Limit": str(world.rate_limit),
        "X-RateLimit-Remaining": str(world.rate_limit - 1),
        "X-RateLimit-Used": "1",
        "X-RateLimit-Reset": str(int(now.timestamp()) + 3600),
        "X-RateLimit-Resource": "graphql" if request.url.path == "/graphql" else "core",
    }
    given = {key.lower() for key in reply.headers}
    headers = {key: value for key, value in headers.items() if key.lower() not in given} | dict(reply.headers)
    body = b"" if reply.body is None else as_json(reply.body)
    body = pages_at(world.hooks.web, body)
    if request.method == "GET" and reply.status == 200:
        headers["Cache-Control"] = "private, max-age=60, s-maxage=60"
        headers["ETag"] = _etag(request, body)
        if request.headers.get("if-none-match") == headers["ETag"]:
            world.requests[-1].status = 304
            return Response(status_code=304, headers=headers)
    media = "application/json; charset=utf-8" if body else None
    return Response(body, reply.status, headers, media)


def _etag(request: Request, body: bytes) -> str:
    """Differs per token and `Accept`, as GitHub's do."""
    varying = f"{request.headers.get('authorization')}|{request.headers.get('accept')}|".encode()
    return f'W/"{hashlib.sha256(varying + body).hexdigest()}"'
