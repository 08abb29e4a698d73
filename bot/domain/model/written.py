"""A file that people write, as plain data with the place of every part, and what is found about it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from bot.domain.model.ids import Value

#: Where something stands in the data: keys of mappings and indexes of lists.
Path = tuple[str | int, ...]
#: An `error` keeps the file from being used. A `warning` is probably not meant. A `notice` names what was made laxer.
Level = Literal["error", "warning", "notice"]
_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Place(NamedTuple):
    """As people count: from 1."""

    line: int
    column: int


class Finding(Value):
    """`path` names the part as `gates.plan.reviews` or `checks.required[0].app`; empty = the whole file. It may hold what
    somebody wrote; `message` and `instead` hold that in code spans only. `instead` says what is in force in its place."""

    level: Level
    line: int
    column: int
    path: str
    message: str
    instead: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """`value` has mappings, lists, text, numbers, true, false and nothing else; None where there was nothing or it could
    not be read. `places` has the key of every entry of a mapping and every item of a list."""

    value: Any
    places: Mapping[Path, Place] = field(default_factory=dict)
    troubles: tuple[Finding, ...] = ()

    def place(self, path: Path) -> Place:
        """Of this part, or of the nearest one around it."""
        known = next((path[:size] for size in range(len(path), 0, -1) if path[:size] in self.places), None)
        return Place(1, 1) if known is None else self.places[known]

    def has(self, path: Path) -> bool:
        return path in self.places

    def finding(self, level: Level, path: Path, message: str) -> Finding:
        line, column = self.place(path)
        return Finding(level=level, line=line, column=column, path=spelled(path), message=message)


def spelled(path: Path) -> str:
    """`gates.plan.reviews`, `checks.required[0].app`; keys that are no plain names stand in quotes."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _PLAIN.fullmatch(part):
            text += f".{part}" if text else part
        else:
            text += f'["{part[:64]}"]'
    return text
