"""No secret leaves through a log line: known values and everything that has the form of a token or key. What pydantic
could not read is hidden as well: it quotes it, and it is what somebody wrote."""

import re
from collections.abc import Iterable
from typing import Any

HIDDEN = "[redacted]"
#: A known value below this is part of ordinary words: hiding it there would show what it is.
SHORTEST = 4
_PATTERNS = re.compile(
    r"-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|\Z)"
    r"|\bgh[pousr]_[A-Za-z0-9._-]{16,}"
    r"|\bgithub_pat_[A-Za-z0-9_]{16,}"
    r"|\bsbx_[A-Za-z0-9_-]{16,}"
    r"|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"
    r"|(?<=input_value=).*(?=, input_type=)"
    r"|(?<=://)[^/\s:@]*:[^/\s@]+(?=@)"
)


class Redactor:
    """`known` are values of this installation that have no recognisable form, such as webhook secrets."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        values = sorted({value for value in known if len(value) >= SHORTEST}, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, values))) if values else None

    def text(self, text: str) -> str:
        if self._known is not None:
            text = self._known.sub(HIDDEN, text)
        return _PATTERNS.sub(HIDDEN, text)

    def value(self, value: Any) -> Any:
        """The same value, plain enough for a log line, with every string in it redacted."""
        match value:
            case None | bool() | int() | float():
                return value
            case dict():
                return {self.text(str(key)): self.value(item) for key, item in value.items()}
            case list() | tuple() | set() | frozenset():
                return [self.value(item) for item in value]
            case _:
                return self.text(str(value))
