"""Pages that say one thing and read nothing: not found, not signed in, the database is down, our own fault."""

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from bot.web.local import reached_at
from bot.web.pages.frame import page

RETRY_SECONDS = 30


def reads_pages(request: Request) -> bool:
    """Whether a person asks, who is better served with a page than with JSON."""
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")


def missing() -> Response:
    """The same words for what is not there and for what the caller may not see."""
    return page(
        "notice.html",
        404,
        title="There is nothing here",
        sentences=("No lifecycle has this address, or you may not see it.",),
        home=True,
    )


def not_signed_in(request: Request, headers: dict[str, str]) -> Response:
    """With the tunnel that leads to this page. The address is what the caller sent, so it tells nothing of what is here."""
    name, port = reached_at(request)
    asked = request.scope["query_string"].decode("latin-1")
    address = f"http://localhost:{port}{quote(request.scope['path'])}{f'?{asked}' if asked else ''}"
    return page(
        "notice.html",
        401,
        headers,
        title="You are not signed in",
        sentences=(
            "Pages are shown at the machine itself, and to requests with a token.",
            f"At another machine, open a tunnel (ssh -L {port}:127.0.0.1:{port} {name or 'HOST'}) and visit {address}",
        ),
        home=False,
    )


def database_down() -> Response:
    return page(
        "notice.html",
        503,
        {"Retry-After": str(RETRY_SECONDS)},
        title="The database does not answer",
        sentences=(
            "Nothing can be shown now, and nothing is lost: deliveries that could not be stored are sent again.",
            f"Load this page again in {RETRY_SECONDS} seconds.",
        ),
        home=False,
    )


def our_fault() -> Response:
    return page(
        "notice.html",
        500,
        title="This page could not be made",
        sentences=("This is a fault of Signalbox. Its log says more. The record itself is not touched by it.",),
        home=True,
    )
