"""Traces of e-mail in a comment: where a quoted message begins, and footers that only a pasted mail holds.

Replies by e-mail may bring our own comment back, unquoted and re-wrapped; what stands there is nobody's command.
"""

import re
import unicodedata
from collections.abc import Sequence

#: A line "On … wrote:" may be wrapped by the mail program into this many.
_WRAPPED_LINES = 3
_ORIGINAL = "original message"
_HEADERS = ("sent:", "to:", "cc:", "date:", "subject:", "reply-to:")
#: Rulers, emphasis and white space around the words of a separator.
_RULE = "-_=* \t\u00a0\u2013\u2014\u2500"
_WROTE = re.compile(r"\bwrote\s?:\W*$")
_GITHUB_FOOTERS = ("reply to this email directly", "you are receiving this because")
_OWN_FOOTER = ("why and history", "as of ")
_INVISIBLE = frozenset({"Cf", "Cc"})


def invisible(char: str) -> bool:
    """Zero-width, bidirectional and other format or control characters; white space is not among them."""
    return not char.isspace() and unicodedata.category(char) in _INVISIBLE


def seen(line: str) -> str:
    """The line as a reader sees it, without invisible characters."""
    return line if line.isascii() and line.isprintable() else "".join(c for c in line if not invisible(c))


def separator_at(lines: Sequence[str], index: int) -> int | None:
    """The column at which a quoted message begins in this line, or None if none begins here."""
    line = lines[index]
    initial = line.lstrip(_RULE)[:1]
    if not initial or (" " < initial < "\x7f" and initial not in "oOfF"):
        return None
    low = seen(line).strip(_RULE)[: len(_ORIGINAL) + 2].lower()
    if (
        (low.startswith("on ") and _says_wrote(lines, index))
        or low.rstrip(":") == _ORIGINAL
        or (low.startswith("from:") and _is_header_block(lines, index))
    ):
        return next(i for i, char in enumerate(line) if char not in _RULE and not invisible(char))
    return None


def holds_footer(lines: Sequence[str]) -> bool:
    """Whether GitHub's mail footer or ours stands outside quoted lines, however it was wrapped."""
    unquoted = [text for line in lines if (text := seen(line).lstrip()) and not text.startswith(">")]
    flat = re.sub(r"[\s*_]+", " ", " ".join(unquoted)).lower()
    if any(footer in flat for footer in _GITHUB_FOOTERS):
        return True
    start = flat.find(_OWN_FOOTER[0])
    return start >= 0 and flat.find(_OWN_FOOTER[1], start) >= 0


def _says_wrote(lines: Sequence[str], index: int) -> bool:
    for line in lines[index : index + _WRAPPED_LINES]:
        text = seen(line).strip()
        if not text:
            return False
        if _WROTE.search(text[-16:].lower()):
            return True
    return False


def _is_header_block(lines: Sequence[str], index: int) -> bool:
    """`From:` and one more header, on the next line or (re-wrapped) on the same one."""
    here = " ".join(seen(lines[index]).lower().replace("*", " ").split())
    if any(f" {header}" in here for header in _HEADERS):
        return True
    following = next((text for line in lines[index + 1 : index + 3] if (text := seen(line).strip(_RULE))), "")
    return following.lower().startswith(_HEADERS)
