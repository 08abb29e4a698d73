"""Safe fragments of GitHub Markdown. User text enters our output only through `quoted` and `code`.

Inside a code span GitHub finds no mentions, references, images or closing keywords (UX.md section 2).
"""

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime

#: Characters of user text shown before it is cut (UX.md section 3).
USER_TEXT_LIMIT = 300
NO_BREAK_SPACE = "\u00a0"
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn"}


def visible(text: str) -> str:
    """User text without control, bidirectional, zero-width or private characters; newlines and tabs become spaces."""
    spaced = re.sub(r"[\r\n\t\u2028\u2029]+", " ", text)
    return "".join(c for c in spaced if unicodedata.category(c) not in _INVISIBLE)


def code(text: str, *, limit: int = USER_TEXT_LIMIT, in_table: bool = False) -> str:
    """One code span, with a delimiter longer than any run of backticks inside."""
    clean = visible(text).strip()
    if len(clean) > limit:
        clean = clean[: limit - 1].rstrip() + "…"
    if in_table:
        clean = clean.replace("\\", "").replace("|", "¦")
    runs = [len(run) for run in re.findall(r"`+", clean)]
    fence = "`" * (max(runs, default=0) + 1)
    pad = " " if clean.startswith("`") or clean.endswith("`") or not clean else ""
    return f"{fence}{pad}{clean}{pad}{fence}"


def quoted(text: str, *, limit: int = USER_TEXT_LIMIT) -> str:
    """User text as a quote of code spans, one per line, cut as a whole."""
    cut = text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
    lines = [line for line in re.split(r"[\r\n\u2028\u2029]+", cut) if visible(line).strip()]
    return "\n> ".join(["> " + code(lines[0]), *(code(line) for line in lines[1:])]) if lines else "> ` `"


def sha7(sha: str) -> str:
    """As GitHub shows it in prose."""
    return sha[:7]


def sha12(sha: str) -> str:
    """As commands carry it: 7 digits can be ground out in minutes."""
    return sha[:12]


def day(at: datetime) -> str:
    return f"{at.day} {at:%b %Y}"


def moment(at: datetime) -> str:
    """Absolute UTC with the date: texts never depend on when they are read."""
    return f"{day(at)}, {at:%H:%M} UTC"


def clock(at: datetime) -> str:
    return f"{at:%H:%M} UTC"


def seconds_clock(at: datetime) -> str:
    return f"{at:%H:%M:%S} UTC"


def listed(words: Sequence[str], last: str = "and", limit: int = 3) -> str:
    """`a`, `a and b`, `a, b and c`, `a, b, c and 2 more`."""
    if len(words) > limit:
        return f"{', '.join(words[:limit])} and {len(words) - limit} more"
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def counted(number: int, singular: str, plural: str | None = None) -> str:
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def of(have: int, need: int) -> str:
    """`1 of 2`, with no-break spaces so that it stays together in a table."""
    return f"{have}{NO_BREAK_SPACE}of{NO_BREAK_SPACE}{need}"
