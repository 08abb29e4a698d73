"""One line of doctor's. It says where a secret came from, never what it is or a part of it."""

from dataclasses import dataclass
from typing import Literal

Mark = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """`why` says why it matters and `do` what helps; both are empty where all is well."""

    mark: Mark
    area: str
    what: str
    why: str = ""
    do: str = ""


def ok(area: str, what: str) -> Finding:
    return Finding("ok", area, what)


def warning(area: str, what: str, why: str, do: str) -> Finding:
    return Finding("warning", area, what, why, do)


def problem(area: str, what: str, why: str, do: str) -> Finding:
    return Finding("problem", area, what, why, do)


def some(names: list[str] | tuple[str, ...], most: int = 5) -> str:
    """`a, b, c`, and how many more."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def span(seconds: float) -> str:
    """A length of time, roughly."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
