"""Who may call a route. Every route says its audience; nothing is open because somebody forgot it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.app.tokens import TokenDesk, may_see
from bot.ports.store import TokenRow
from bot.web.answers import error_body

Audience = Literal["public", "token"]
Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Entry:
    """One GET route. `summary` stands in the API's description; `parameters` are names of query parameters."""

    path: str
    audience: Audience
    endpoint: Endpoint
    summary: str
    parameters: tuple[str, ...] = ()


class Guard:
    """Asks for a bearer token before the endpoint of a route that is not public is reached."""

    def __init__(self, tokens: TokenDesk) -> None:
        self._tokens = tokens

    def route(self, entry: Entry) -> Route:
        endpoint = entry.endpoint if entry.audience == "public" else self._with_token(entry.endpoint)
        return Route(entry.path, endpoint, methods=["GET"])

    def _with_token(self, endpoint: Endpoint) -> Endpoint:
        async def guarded(request: Request) -> Response:
            scheme, _, token = request.headers.get("authorization", "").partition(" ")
            row = await self._tokens.verify(token.strip()) if scheme.lower() == "bearer" else None
            if row is None:
                return unauthenticated()
            request.state.token = row
            return await endpoint(request)

        return guarded


def token_of(request: Request) -> TokenRow:
    """Who calls, on a route that is not public."""
    row: TokenRow = request.state.token
    return row


def sight(request: Request) -> Callable[[str], bool]:
    """Which repositories the caller may know of."""
    row = token_of(request)
    return lambda repository: may_see(row, repository)


def unauthenticated() -> Response:
    return error(401, "not_authenticated", "A bearer token is needed.", {"WWW-Authenticate": "Bearer"})


def error(
    status: int, code: str, message: str, headers: dict[str, str] | None = None, details: dict[str, Any] | None = None
) -> Response:
    body = error_body(code, message, details)
    return JSONResponse(body, status_code=status, headers={"Cache-Control": "no-store"} | (headers or {}))
