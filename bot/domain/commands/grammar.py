"""Comment text to invocations: which lines begin with `/word` where GitHub shows plain text.

The grammar knows no command and no policy; `bot.domain.commands.reading` decides what is heard. Linear in the input.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from bot.domain.commands.commonmark import contexts
from bot.domain.commands.mail import holds_footer, invisible, seen, separator_at

LONG_FORM = "signalbox"

#: A word of two letters or more after the slash. It ends at white space, at punctuation, or at a symbol such as an
#: emoji; `/etc/x`, `/plan.md` and `/status?x=1` are paths. The group is atomic, so `/approveé` is never half-read as `/approve`.
_WORD = re.compile(r"/((?>[^\W\d_]{2,}(?:-[^\W\d_]+)*))(?=\s|$|[,:;!]|[.?]+(?:\s|$)|[^\x00-\x7f])")

#: What may stand between `/signalbox` and its verb: white space, and the punctuation people put after a name.
_BETWEEN = re.compile(r"[\s,:;.!?/]*")


class Invocation(NamedTuple):
    """One line that begins with `/verb`. `verb` is lower case, without the slash, and empty for a lone `/signalbox`.
    `seen` is the line from the slash on, without invisible characters; the verb ends after `length` of them. `column`
    is where the slash stands as written. A tuple, because a hostile comment holds thousands of them."""

    line: int
    verb: str
    length: int
    long: bool
    seen: str
    column: int

    @property
    def rest(self) -> str:
        """The line after the verb, as seen."""
        return self.seen[self.length :].strip()


@dataclass(frozen=True, slots=True)
class Reading:
    """A comment as read. Invocations stop before `separator`, the first line of a quoted e-mail outside code.
    `footer`: the comment holds the footer of a mail or of a comment of ours, so no line of it can be trusted."""

    lines: tuple[str, ...] = ()
    invocations: tuple[Invocation, ...] = ()
    separator: int | None = None
    footer: bool = False

    def text_of(self, invocation: Invocation, until: int | None = None) -> str:
        """What follows the verb, up to the line `until` (exclusive; None = to the end of the comment)."""
        following = self.lines[invocation.line + 1 : until]
        written = self.lines[invocation.line][invocation.column :]
        behind = written[_written_length(written, invocation.length) :]
        start = _first_visible(behind)
        first = "" if start is None else behind[start:]
        return "\n".join([first, *following]).strip("\n").rstrip()


def read(body: str) -> Reading:
    """Read a comment. Never raises: lone surrogates become `?`."""
    sound = body.encode("utf-8", "replace").decode("utf-8")
    lines = tuple(sound.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    candidates = [call for number, line in enumerate(lines) if "/" in line and (call := _candidate(number, line))]
    if not candidates:
        return Reading(lines)
    separators = {
        n: at for n, line in enumerate(lines) if line and line[0] != "/" and (at := separator_at(lines, n)) is not None
    }
    context = contexts(lines, separators | {call.line: call.column for call in candidates})
    separator = min((number for number in separators if context[number] != "code"), default=None)
    end = len(lines) if separator is None else separator
    invocations = tuple(call for call in candidates if call.line < end and context[call.line] == "text")
    return Reading(lines, invocations, separator, holds_footer(lines))


def _candidate(number: int, line: str) -> Invocation | None:
    """What the line would invoke if it were plain text."""
    column = line.find("/")
    if column < 0 or (column and _first_visible(line[:column]) is not None):
        return None
    visible = seen(line[column:])
    word = _WORD.match(visible)
    if word is None:
        return None
    verb, length = word[1].lower(), word.end()
    if verb == LONG_FORM:
        return Invocation(number, *_second_word(visible, length), long=True, seen=visible, column=column)
    return Invocation(number, verb, length, long=False, seen=visible, column=column)


def _first_visible(line: str) -> int | None:
    stripped = line.lstrip()
    if stripped and " " < stripped[0] < "\x7f":
        return len(line) - len(stripped)
    return next((i for i, char in enumerate(line) if not char.isspace() and not invisible(char)), None)


def _second_word(visible: str, start: int) -> tuple[str, int]:
    """The verb of the long form, and where it ends. Whatever stands there is taken: the long form is always answered."""
    between = _BETWEEN.match(visible, start)
    begin = between.end() if between else start
    rest = visible[begin:]
    if word := _WORD.match("/" + rest):
        return word[1].lower(), begin + word.end() - 1
    odd = rest.split(maxsplit=1)[0] if rest else ""
    return odd.lower(), begin + len(odd)


def _written_length(written: str, visible_length: int) -> int:
    """How much of the line as written makes up so many visible characters."""
    count = 0
    for position, char in enumerate(written):
        if count == visible_length:
            return position
        count += not invisible(char)
    return len(written)
