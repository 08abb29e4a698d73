"""Safe fragments of GitHub Markdown. User text enters our output only through `quoted` and `code`.

Inside a code span GitHub finds no mentions, references, images or closing keywords (UX.md section 2).
"""

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime, timedelta

#: Characters of user text shown before it is cut (UX.md section 3).
USER_TEXT_LIMIT = 300
NO_BREAK_SPACE = "\u00a0"
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn"}
#: Letters, digits, single spaces and quiet punctuation: nothing that Markdown or GitHub reads as more than text.
_WORDS = re.compile(r"[^\W_](?:[^\W_]|[ ,;?'%()-]|[.:](?= |$)|(?<=\d):(?=\d))*")
_SPAN = re.compile(r"`[^`|]+`")
#: What GitHub links without any sign: `GH-12`, and words that look like a commit.
_REFERENCE = re.compile(r"(?i)\bgh-\d|\b[0-9a-f]{7,}\b|  |\bwww\b")
_WEB = re.compile(r"https?://[^\s<>\x00-\x1f]+")
_ESCAPED = {ord(c): f"%{ord(c):02X}" for c in "()[]|`\"'\\*"}


def visible(text: str) -> str:
    """User text without control, bidirectional, zero-width or private characters; newlines and tabs become spaces."""
    spaced = re.sub(r"[\r\n\t\u2028\u2029]+", " ", text)
    return "".join(c for c in spaced if unicodedata.category(c) not in _INVISIBLE)


def same_name(one: str, other: str) -> bool:
    """Names of labels as GitHub treats them: where `Signalbox` exists, `signalbox` is that one."""
    return one.lower() == other.lower()


def code(text: str, *, limit: int = USER_TEXT_LIMIT, in_table: bool = False) -> str:
    """One code span, with a delimiter longer than any run of backticks inside. Our hidden markers cannot be imitated."""
    clean = visible(text).strip().replace("<!--", "<! --")
    if len(clean) > limit:
        clean = clean[: limit - 1].rstrip() + "…"
    if in_table:
        clean = clean.replace("\\", "").replace("|", "¦")
    runs = [len(run) for run in re.findall(r"`+", clean)]
    fence = "`" * (max(runs, default=0) + 1)
    pad = " " if clean.startswith("`") or clean.endswith("`") or not clean else ""
    return f"{fence}{pad}{clean}{pad}{fence}"


def quoted(text: str, *, limit: int = USER_TEXT_LIMIT, max_lines: int = 8) -> str:
    """User text as a quote of code spans, one per line, cut as a whole. No line of it begins with a slash: mail
    programs paste our comments back, and a line that begins with a command would be one."""
    cut = text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
    lines = [line for line in re.split(r"[\r\n\u2028\u2029]+", cut) if visible(line).strip()]
    if len(lines) > max_lines:
        lines = [*lines[: max_lines - 1], "…"]
    return "\n".join("> " + unslashed(code(line)) for line in lines) if lines else "> ` `"


def plain(text: str, *, limit: int = USER_TEXT_LIMIT) -> str:
    """Text as prose where it is nothing but words and code spans; anything that could mean more to GitHub goes whole into
    a code span. For reasons that are ours as often as a person's."""
    clean = visible(text).strip()
    # A letter stands for each span: what is around it must read as words.
    bare = _SPAN.sub("x", clean)
    quiet = _WORDS.fullmatch(bare) and not _REFERENCE.search(bare) and "<!--" not in clean
    return unslashed(clean if quiet and len(clean) <= limit else code(text, limit=limit, in_table=True))


def unslashed(span: str) -> str:
    """A fragment that may begin a line, a cell or an item: it never begins with a slash."""
    return f"· {span}" if span.strip("` ").startswith("/") else span


def link(text: str, url: str | None) -> str:
    """A Markdown link; just the text where the address is not a plain web address. `text` is Markdown."""
    if url is None or not _WEB.fullmatch(url):
        return text
    return f"[{text}]({url.translate(_ESCAPED)})"


def spanned(sha: str | None) -> str:
    """A commit, or a part of its SHA, in a code span; never an empty span, which would pair with the next one."""
    return f"`{sha}`" if sha else "no commit"


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


def until(at: datetime) -> str:
    """The end of something that goes on, rounded up: at the minute that is named it is over."""
    return moment(at.replace(second=0, microsecond=0) + timedelta(minutes=1) if at.second or at.microsecond else at)


def clock(at: datetime) -> str:
    return f"{at:%H:%M} UTC"


def when(at: datetime, as_of: datetime | None) -> str:
    """The clock alone on the day of the text it stands in, with the date otherwise."""
    return clock(at) if as_of is not None and at.date() == as_of.date() else moment(at)


def seconds_clock(at: datetime) -> str:
    return f"{at:%H:%M:%S} UTC"


def settled_from(at: datetime) -> str:
    """When a window is over, to the second and rounded up: whoever waits for it is told the same everywhere."""
    whole = whole_second(at)
    return f"{day(whole)}, {seconds_clock(whole)}"


def whole_second(at: datetime) -> datetime:
    """Rounded up: what ends is over by then."""
    return at.replace(microsecond=0) + timedelta(seconds=1) if at.microsecond else at


def listed(words: Sequence[str], last: str = "and", limit: int = 3) -> str:
    """`a`, `a and b`, `a, b and c`, `a, b, c and 2 more`."""
    if len(words) > limit:
        return f"{', '.join(words[:limit])} and {len(words) - limit} more"
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def counted(number: int, singular: str, plural: str | None = None) -> str:
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def in_words(number: int) -> str:
    """Small numbers as people write them: "two needs"."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def of(have: int, need: int) -> str:
    """`1 of 2`, with no-break spaces so that it stays together in a table."""
    return f"{have}{NO_BREAK_SPACE}of{NO_BREAK_SPACE}{need}"
