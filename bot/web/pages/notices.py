"""Pages that say one thing and read nothing: not found, not signed in, the database is down, our own fault."""

from starlette.requests import Request
from starlette.responses import Response

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


def not_signed_in(headers: dict[str, str]) -> Response:
    return page(
        "notice.html",
        401,
        headers,
        title="You are not signed in",
        sentences=(
            "Pages are shown at the machine itself, and to requests with a token.",
            "At another machine, open a tunnel (ssh -L 3000:127.0.0.1:3000 HOST) and visit http://localhost:3000.",
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
