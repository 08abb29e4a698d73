"""One planted defect."""

from dataclasses import dataclass
from pathlib import Path


class Stale(Exception):
    """The text to replace is not in the product exactly once: the list must follow the code."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """`killer` is the test that must fail, by node id below tests/. Without a parameter any case of it: each is run until one
    fails, so that where cases are many or dear the one that finds the defect is named. `why` says what the defect would
    let happen. `twin`: a second guard that holds alone, spoiled with it; without that nobody would see the first one go."""

    name: str
    file: str
    old: str
    new: str
    killer: str
    why: str
    twin: "Mutant | None" = None

    @property
    def node(self) -> str:
        return f"tests/{self.killer}"

    def planted(self, text: str) -> str:
        """The file's text with the defect. Raises Stale."""
        found = text.count(self.old)
        if found != 1:
            raise Stale(f"{self.name}: the text stands {found} times in {self.file}, not once:\n{self.old}")
        return text.replace(self.old, self.new)

    def edits(self) -> "tuple[Mutant, ...]":
        return (self, *(self.twin.edits() if self.twin else ()))

    def read(self, root: Path) -> str:
        return (root / self.file).read_text(encoding="utf-8")


def is_of(node: str, wanted: str) -> bool:
    """Whether this test is the wanted one, or a case of it."""
    return node == wanted or node.startswith(f"{wanted}[")
