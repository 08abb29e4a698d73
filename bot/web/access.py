"""Who may call a route. Every route says its audience; nothing is open because somebody forgot it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hmac import compare_digest
from typing import Any, Literal, NamedTuple

from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.app.tokens import Ended, TokenDesk, may_see
from bot.domain.model.text import moment
from bot.web.answers import error_body
from bot.web.local import is_local
from bot.web.pages.notices import not_signed_in, reads_pages

#: `reader`: a token, or whoever sits at this machine. `metrics`: the token for metrics, or whoever sits at this machine.
Audience = Literal["public", "token", "reader", "metrics"]
Endpoint = Callable[[Request], Awaitable[Response]]


class _Thread(IntegerConvertor):
    """The number of an issue. What is longer is none, and an address that does not exist: it would be read as a number before
    anybody is asked who calls, and Python refuses to read thousands of digits."""

    regex = "[0-9]{1,40}"


register_url_convertor("thread", _Thread())


@dataclass(frozen=True, slots=True)
class Entry:
    """One GET route. `summary` stands in the API's description; `parameters` are names of query parameters."""

    path: str
    audience: Audience
    endpoint: Endpoint
    summary: str
    parameters: tuple[str, ...] = ()


class Caller(NamedTuple):
    """Who calls, on a route that is not public, and which repositories they may know of."""

    name: str
    may_see: Callable[[str], bool]


NOBODY = "A bearer token is needed. An operator makes one with `signalbox token create`."
UNKNOWN = "This token is not known here. An operator makes one with `signalbox token create`."
#: Whoever may open a connection here could read the database as well.
HERE = Caller("this machine", lambda _repository: True)


class Guard:
    """Asks for a bearer token before the endpoint of a route that is not public is reached."""

    def __init__(self, tokens: TokenDesk, metrics_token: str | None = None) -> None:
        self._tokens = tokens
        self._metrics_token = metrics_token

    def route(self, entry: Entry) -> Route:
        return Route(entry.path, self._guarded(entry), methods=["GET"])

    def _guarded(self, entry: Entry) -> Endpoint:
        if entry.audience == "public":
            return entry.endpoint
        if entry.audience == "metrics":
            return self._for_metrics(entry.endpoint)

        async def guarded(request: Request) -> Response:
            caller = await self._caller(request)
            if isinstance(caller, str) and entry.audience == "reader" and is_local(request):
                caller = HERE
            if isinstance(caller, str):
                return unauthenticated(request, caller)
            request.state.caller = caller
            return await entry.endpoint(request)

        return guarded

    def _for_metrics(self, endpoint: Endpoint) -> Endpoint:
        """Numbers only: no token for agents opens them. A wrong token is refused here as well."""

        async def guarded(request: Request) -> Response:
            said, wanted = _bearer(request), self._metrics_token
            knows = said is not None and wanted is not None and compare_digest(said.encode(), wanted.encode())
            if not knows and ("authorization" in request.headers or not is_local(request)):
                return unauthenticated(request)
            return await endpoint(request)

        return guarded

    async def _caller(self, request: Request) -> Caller | str:
        """Who calls, or a sentence that says why nobody is known to."""
        token = _bearer(request)
        if token is None:
            return NOBODY
        found = await self._tokens.verify(token)
        if isinstance(found, Ended):
            return f"The token {found.name} {found.how}, {moment(found.at)}. An operator makes another one."
        return Caller(found.name, lambda repository: may_see(found, repository)) if found else UNKNOWN


def _bearer(request: Request) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def caller_of(request: Request) -> Caller:
    """Who calls, on a route that is not public."""
    caller: Caller = request.state.caller
    return caller


def sight(request: Request) -> Callable[[str], bool]:
    """Which repositories the caller may know of."""
    return caller_of(request).may_see


def unauthenticated(request: Request, why: str = NOBODY) -> Response:
    challenge = {"WWW-Authenticate": "Bearer"}
    if reads_pages(request):
        return not_signed_in(request, challenge)
    return error(401, "not_authenticated", why, challenge)


def error(
    status: int, code: str, message: str, headers: dict[str, str] | None = None, details: dict[str, Any] | None = None
) -> Response:
    body = error_body(code, message, details)
    return JSONResponse(body, status_code=status, headers={"Cache-Control": "no-store"} | (headers or {}))
