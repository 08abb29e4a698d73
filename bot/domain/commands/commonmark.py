"""Where in a Markdown document a place of its source ends up, according to GitHub's own parser.

A mark is put into the source, the document is rendered once, and the mark is looked for in the result. So the source
line is exact, and what counts as code or as a quote is GitHub's judgement, not ours. A mark is a private-use character
pair around a number: to the parser it is a word like any other and changes no block and no span.

Tables are left out: they blow up (20 MB of cells from 64 KiB of text), and every place that is code with them is code
without them. The binding never frees what it renders (some megabytes for a large comment), hence `_release`.
"""

import ctypes
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from cmarkgfm import cmark

#: `text` = words of a paragraph, list item or heading; `elsewhere` = quoted, struck out, part of a link, or not shown.
Context = Literal["text", "code", "elsewhere"]

_OPEN, _CLOSE, _OTHER = "\ue000", "\ue001", "\ue002"
_NEVER_OURS = str.maketrans({_OPEN: _OTHER, _CLOSE: _OTHER})
_MARK = rf"{_OPEN}(?P<mark>[0-9]+){_CLOSE}"
#: Where a numeric entity would become a mark of ours.
_ENTITY = re.compile(r"&#(?:[xX]0*[eE]00[01]|0*5734[45]);")
#: With raw HTML let through. Every alternative moves forward by what it matched, so the whole is linear.
_RAW_HTML = re.compile(
    rf"{_MARK}|<!--(?:.*?-->|.*)|</(?P<over>p|li|h[1-6])>"
    r"|<(?P<end>/?)(?P<tag>details|blockquote|table|pre|code|kbd|samp|tt|a|del|s|strike|q)\b[^<>]*>",
    re.DOTALL | re.IGNORECASE,
)
_HTML_BLOCKS = frozenset({"details", "blockquote", "table", "pre"})

_library = ctypes.CDLL(cmark._cmark.__file__)  # noqa: SLF001 - the only way to what the binding does not free
_c = ctypes.CDLL(None)
_library.cmark_node_free.argtypes = _c.free.argtypes = [ctypes.c_void_p]
_library.cmark_node_free.restype = _c.free.restype = None


def contexts(lines: Sequence[str], marks: Mapping[int, int]) -> dict[int, Context]:
    """For each marked line (its index: the column to ask about) what that place is. Lines hold no line ends."""
    source = list(lines)
    if any(_OPEN in line or _CLOSE in line for line in lines):
        source = [line.translate(_NEVER_OURS) for line in lines]
    for line, column in marks.items():
        text = source[line]
        source[line] = f"{text[:column]}{_OPEN}{line}{_CLOSE}{text[column:]}"
    document = "\n".join(source)
    if "&#" in document:
        document = _ENTITY.sub(_OTHER, document)
    raw_html_matters = "<" in document
    safe, raw = _rendered(document, with_raw_html=raw_html_matters)
    found: dict[int, Context] = dict.fromkeys(marks, "elsewhere")
    found.update(_read_safe(safe))
    if raw_html_matters:
        for line in _inside_html(raw):
            if found[line] == "text":
                found[line] = "elsewhere"
    return found


def _read_safe(html: str) -> dict[int, Context]:
    """Raw HTML is left out of this rendering, so whatever is found in it is Markdown text, and `<` begins a tag. Elements are
    counted from mark to mark: a hostile comment holds more tags than can be looked at one by one."""
    found: dict[int, Context] = {}
    code = quotes = spans = 0
    in_a_tag = False
    before, *marked = html.split(_OPEN)
    for piece in marked:
        if "<" in before or in_a_tag:
            code += before.count("<code") - before.count("</code>")
            quotes += before.count("<blockquote>") - before.count("</blockquote>")
            spans += before.count("<a ") + before.count("<del>") - before.count("</a>") - before.count("</del>")
            in_a_tag = before.rfind("<") > before.rfind(">") or (in_a_tag and ">" not in before)
        number, _, before = piece.partition(_CLOSE)
        if not in_a_tag:
            found[int(number)] = "code" if code else "elsewhere" if quotes or spans else "text"
    return found


def _inside_html(html: str) -> set[int]:
    """Marks inside an HTML element that quotes, folds, links or strikes out. Inline ones end with their paragraph, since
    `List<A>` in prose is such a tag, too; blocks that are never closed last to the end, as in a browser."""
    inside: set[int] = set()
    blocks = spans = 0
    for match in _RAW_HTML.finditer(html):
        if mark := match["mark"]:
            if blocks or spans:
                inside.add(int(mark))
        elif match["over"]:
            spans = 0
        elif tag := match["tag"]:
            step = -1 if match["end"] else 1
            if tag.lower() in _HTML_BLOCKS:
                blocks = max(0, blocks + step)
            else:
                spans = max(0, spans + step)
    return inside


def _rendered(document: str, *, with_raw_html: bool) -> tuple[str, str]:
    """The document as HTML without and (if asked for, else empty) with the raw HTML in it."""
    cmark.core_extensions_ensure_registered()
    parser = cmark.parser_new()
    root = None
    try:
        cmark.parser_attach_syntax_extension(parser, cmark.find_syntax_extension("strikethrough"))
        cmark.parser_feed(parser, document)
        root = cmark.parser_finish(parser)
        safe = _html(root, cmark.Options.CMARK_OPT_DEFAULT)
        raw = _html(root, cmark.Options.CMARK_OPT_UNSAFE) if with_raw_html else ""
    finally:
        if root is not None:
            _release(_library.cmark_node_free, root)
        cmark.parser_free(parser)
    return safe, raw


def _html(root: Any, options: int) -> str:
    binding = cmark._cmark  # noqa: SLF001 - `cmark.render_html` loses the pointer that must be freed
    pointer = binding.lib.cmark_render_html(root, options, binding.ffi.NULL)
    try:
        return str(binding.ffi.string(pointer).decode("utf-8"))
    finally:
        _release(_c.free, pointer)


def _release(free: Any, pointer: Any) -> None:
    free(int(cmark._cmark.ffi.cast("uintptr_t", pointer)))  # noqa: SLF001 - see `_html`
