"""Fire an event: the first edge whose guards pass wins, a blocked edge falls through, a refused event changes nothing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.domain.machine.document import Document, Edge, digest

Context = TypeVar("Context")

Guard = Callable[[Context], bool]
Action = Callable[[Context], None]


class UnknownName(ValueError):
    """A document names a guard or action that is not registered. Raised at load, never while running."""


@dataclass(frozen=True, slots=True)
class Machine(Generic[Context]):
    """A compiled document: every name resolved, edges indexed by (state, event) in document order."""

    name: str
    hash: str
    document: Document
    edges: Mapping[tuple[str, str], tuple[Edge, ...]]
    guards: Mapping[str, Guard[Context]]
    actions: Mapping[str, Action[Context]]

    def allows(self, state: str, event: str) -> bool:
        """Whether some edge leaves `state` by `event`, guards aside."""
        return (state, event) in self.edges

    def fire(self, state: str, event: str, context: Context) -> Edge | None:
        """Run the actions of the first edge whose guards pass and return it; None when no edge does."""
        for edge in self.edges.get((state, event), ()):
            if all(self.guards[name](context) for name in edge.guard):
                for name in edge.action:
                    self.actions[name](context)
                return edge
        return None


def compile_machine(
    name: str,
    document: Document,
    guards: Mapping[str, Guard[Context]],
    actions: Mapping[str, Action[Context]],
) -> Machine[Context]:
    """Resolve all names. Raises UnknownName for one that is not registered."""
    edges: dict[tuple[str, str], tuple[Edge, ...]] = {}
    for edge in document.transitions:
        unknown = [g for g in edge.guard if g not in guards] + [a for a in edge.action if a not in actions]
        if unknown:
            raise UnknownName(f"{name}: {edge.from_} --{edge.event}--> {edge.to} names {', '.join(unknown)}")
        edges[edge.from_, edge.event] = (*edges.get((edge.from_, edge.event), ()), edge)
    return Machine(name, digest(document), document, edges, guards, actions)
