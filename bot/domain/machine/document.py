"""A state machine as a document (`signalbox.state-machines.v1`) and its identity."""

import hashlib
import json
from typing import Any

from pydantic import Field

from bot.domain.model.ids import Value


class Edge(Value):
    """One transition. Edges are tried in document order; the first whose guards all pass wins."""

    from_: str = Field(alias="from")
    event: str
    to: str
    guard: tuple[str, ...] = ()
    action: tuple[str, ...] = ()

    model_config = {"frozen": True, "extra": "forbid", "populate_by_name": True}


class Named(Value):
    id: str


class Document(Value):
    """One machine. `terminal_states` have no way out."""

    initial_state: str
    terminal_states: tuple[str, ...]
    transitions: tuple[Edge, ...]
    guards: tuple[Named, ...] = ()
    actions: tuple[Named, ...] = ()

    @property
    def states(self) -> frozenset[str]:
        ends = {state for edge in self.transitions for state in (edge.from_, edge.to)}
        return frozenset(ends | {self.initial_state, *self.terminal_states})


def canonical(value: Any) -> str:
    """JSON with sorted keys and no spaces: equal values have equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(document: Document) -> str:
    """`sha256:` and 64 hex digits over the canonical JSON: the identity stored with every transition."""
    text = canonical(document.model_dump(mode="json", by_alias=True))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
