"""What became of something that was brought to the records."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Brought:
    """`changed`: a record was changed, or somebody was answered. `detail` is for people who read the list of deliveries."""

    changed: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Later:
    """It could not be decided yet: it must be brought again."""

    why: str


def together(parts: Sequence[Brought]) -> Brought | None:
    """What all of them came to, each detail once; None when there are none."""
    if not parts:
        return None
    return Brought(any(part.changed for part in parts), ", ".join(dict.fromkeys(part.detail for part in parts)))
