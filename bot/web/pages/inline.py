"""Markdown to HTML that may stand on our pages: sanitised twice, without images, frames or raw HTML."""

import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import nh3
from markupsafe import Markup

if TYPE_CHECKING:  # 40 ms that a start can do without: the first page with a sentence imports it
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_SENTENCE_TAGS = {"a", "code", "strong", "em"}
_PLAN_TAGS = _SENTENCE_TAGS | {
    *("p", "br", "hr", "blockquote", "pre", "s", "ul", "ol", "li", "h3", "h4", "h5", "h6"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn"}
_ALLOWED = "\n\t\r\u200d"
_LINKS = {"a": {"href"}}
_SCHEMES = {"http", "https"}
#: Stands for our own address in sentences: links to it become relative, so that they work wherever we are reached.
HERE = "https://signalbox.invalid"


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415 - see above

    made = MarkdownIt("commonmark", {"html": False})
    return made.enable(["table", "strikethrough"]).disable(["image", "html_block", "html_inline"])


def sentence(text: str) -> Markup:
    """A sentence of ours, as comments and check runs carry it."""
    html = nh3.clean(
        _parser().renderInline(text),
        tags=_SENTENCE_TAGS,
        attributes=_LINKS,
        url_schemes=_SCHEMES,
        link_rel="noreferrer",
    )
    return Markup(html.replace(f'href="{HERE}/', 'href="/'))  # noqa: S704 - sanitised in the line above


@lru_cache(maxsize=32)
def plan(text: str) -> Markup:
    """A plan of somebody else. Its headings go below ours; its links are marked as leading away."""
    parser = _parser()
    tokens = parser.parse(revealed(text))
    _lower_headings(tokens)
    html = nh3.clean(
        parser.renderer.render(tokens, parser.options, {}),
        tags=_PLAN_TAGS,
        attributes=_LINKS | {"ol": {"start"}},
        set_tag_attribute_values={"a": {"class": "away"}},
        url_schemes=_SCHEMES,
        link_rel="noopener noreferrer nofollow ugc",
    )
    return Markup(html)  # noqa: S704 - sanitised in the line above


def is_web(address: str | None) -> bool:
    """Whether an address may be linked to: stored ones come from outside."""
    return address is not None and address.startswith(("https://", "http://"))


def revealed(text: str) -> str:
    """What is written but cannot be seen (direction marks, zero-width letters) is shown as �: who approves a plan approves
    those too. Joined emoji stay whole."""
    return "".join("�" if c not in _ALLOWED and unicodedata.category(c) in _HIDDEN else c for c in text)


def _lower_headings(tokens: "Sequence[Token]") -> None:
    """Below the page's own two levels, and without gaps, however the plan counts its levels."""
    open_levels: list[int] = []
    for token in tokens:
        if token.type == "heading_open":
            level = int(token.tag[1:])
            while open_levels and open_levels[-1] >= level:
                open_levels.pop()
            open_levels.append(level)
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, 2 + len(open_levels))}"
