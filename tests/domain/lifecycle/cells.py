"""The cells as data: one pair of phase and event with its condition, and what must follow."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

OURS = Path(__file__).parents[1] / "cells.yaml"
#: Of signals that the shared table does not name.
BEYOND = Path(__file__).parents[1] / "own_cells.yaml"
SHARED = Path(__file__).parents[4] / "shared" / "cells.yaml"


@dataclass(frozen=True, slots=True)
class Cell:
    event: str
    column: str
    phases: tuple[str, ...]
    merge: str | None
    refusal: str | None
    effects: frozenset[str]
    condition: str | None

    @property
    def name(self) -> str:
        return "-".join(part for part in (self.event, self.column, self.condition) if part)


def load(path: Path = OURS) -> list[Cell]:
    text: dict[str, list[dict[str, Any]]] = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return [_cell(event, entry) for event, entries in text.items() for entry in entries]


def _cell(event: str, entry: dict[str, Any]) -> Cell:
    effect = entry["effect"]
    return Cell(
        event=event,
        column=entry["column"],
        phases=tuple(entry["phases"]),
        merge=entry.get("merge"),
        refusal=entry["refusal"],
        effects=frozenset([effect] if isinstance(effect, str) else effect),
        condition=entry.get("condition"),
    )
