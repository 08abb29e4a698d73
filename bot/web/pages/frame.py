"""What every page shares: the templates, the headers, the theme somebody chose."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from bot.domain.explain.offers import behind
from bot.domain.model.text import visible
from bot.web.pages import assets, inline, times

DIRECTORY = Path(__file__).parents[1] / "templates"
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Vary": "Authorization, Cookie",
}
_templates = Environment(
    loader=FileSystemLoader(DIRECTORY),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)
_templates.filters |= {
    "sentence": inline.sentence,
    "plan": inline.plan,
    "since": times.since,
    "clock": times.clock,
    "over": times.over,
    "day": times.day,
    "visible": visible,
    "revealed": inline.revealed,
    "behind": behind,
}
_templates.tests["web"] = inline.is_web
_templates.globals["asset"] = assets.address


def theme(request: Request) -> str:
    """What somebody chose in the footer; empty = as the system has it."""
    chosen = request.cookies.get("theme", "")
    return chosen if chosen in {"light", "dark"} else ""


def page(template: str, status: int = 200, headers: dict[str, str] | None = None, **values: Any) -> Response:
    html = _templates.get_template(template).render(values)
    return HTMLResponse(html, status, headers=HEADERS | (headers or {}))
