"""All routes in one table behind one guard, and the webhook in front of them."""

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.ports.runtime import Log
from bot.ports.store import StoreUnavailable
from bot.web.access import Entry, Guard, error
from bot.web.answers import send_error
from bot.web.pages.notices import database_down, missing, our_fault, reads_pages

_SENTENCES = {
    404: ("not_found", "There is nothing here."),
    405: ("method_not_allowed", "This is only read."),
}


def pages(entries: Sequence[Entry], guard: Guard, log: Log) -> ASGIApp:
    """Everything but the webhook. An address that is not in `entries` is 404 for everybody."""
    app = Starlette(
        routes=[guard.route(entry) for entry in entries],
        # Inside Starlette's own last resort, which would answer in plain text before anybody else is asked.
        middleware=[Middleware(Errors, log=log)],
        exception_handlers={HTTPException: _http_error, StoreUnavailable: _store_error},
    )
    app.router.redirect_slashes = False
    return app


class Front:
    """What the server calls: the webhook's path goes past all routing, and the lifespan belongs to the process."""

    def __init__(self, webhook_path: str, webhook: ASGIApp, pages: ASGIApp, lifespan: ASGIApp) -> None:
        self._webhook_path = webhook_path
        self._webhook = webhook
        self._pages = pages
        self._lifespan = lifespan

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(scope, receive, send)
        elif scope["path"] == self._webhook_path:
            await self._webhook(scope, receive, send)
        else:
            await self._pages(scope, receive, send)


class Errors:
    """The web error middleware: our own bugs are logged with their trace and answered without one."""

    def __init__(self, app: ASGIApp, log: Log) -> None:
        self._app = app
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error_:
            self._log("error", "request_failed", path=scope["path"], error=error_)
            if started:
                raise
            if reads_pages(Request(scope)):
                await our_fault()(scope, receive, send)
                return
            await send_error(send, 500, "internal", "This is a fault of the server. Its log says more.")


async def _http_error(request: Request, failed: Exception) -> Response:
    assert isinstance(failed, HTTPException)
    if failed.status_code == 404 and reads_pages(request):
        return missing()
    code, message = _SENTENCES.get(failed.status_code, ("bad_request", "The request cannot be answered."))
    return error(failed.status_code, code, message, dict(failed.headers or {}))


async def _store_error(request: Request, _failed: Exception) -> Response:
    if reads_pages(request):
        return database_down()
    return error(503, "store_unavailable", "The database does not answer.", {"Retry-After": "30"})
