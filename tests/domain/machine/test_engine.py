"""The engine: the first edge whose guards pass wins, a blocked edge falls through, a refused event changes nothing."""

import pytest

from bot.domain.machine.document import Document, digest
from bot.domain.machine.engine import Machine, UnknownName, compile_machine

Said = list[str]
GUARDS = {"yes": lambda _: True, "no": lambda _: False}
ACTIONS = {"first": lambda said: said.append("first"), "second": lambda said: said.append("second")}


def document(*edges: dict[str, object]) -> Document:
    return Document.model_validate({"initial_state": "a", "terminal_states": ["z"], "transitions": edges})


def machine(*edges: dict[str, object]) -> "Machine[Said]":
    return compile_machine("letters", document(*edges), GUARDS, ACTIONS)


def edge(to: str, *guards: str, action: str = "first", event: str = "go") -> dict[str, object]:
    return {"from": "a", "event": event, "to": to, "guard": list(guards), "action": [action]}


@pytest.mark.parametrize(
    ("edges", "to"),
    [
        ((edge("b"), edge("c")), "b"),
        ((edge("b", "yes"), edge("c")), "b"),
        ((edge("b", "no"), edge("c")), "c"),
        ((edge("b", "yes", "no"), edge("c", "yes")), "c"),
        ((edge("b", "no", "yes"), edge("c", "no")), None),
        ((edge("b", event="other"),), None),
    ],
)
def test_the_first_edge_whose_guards_all_pass_wins(edges: tuple[dict[str, object], ...], to: str | None) -> None:
    taken = machine(*edges).fire("a", "go", [])
    assert (taken.to if taken else None) == to


def test_only_the_edge_that_is_taken_acts() -> None:
    said: Said = []
    machine(edge("b", "no", action="first"), edge("c", "yes", action="second")).fire("a", "go", said)
    assert said == ["second"]


def test_a_refused_event_changes_nothing() -> None:
    said: Said = []
    assert machine(edge("b", "no")).fire("a", "go", said) is None
    assert said == []


@pytest.mark.parametrize("wrong", [edge("b", "unheard"), edge("b", action="unheard")])
def test_an_unknown_name_is_refused_at_load(wrong: dict[str, object]) -> None:
    with pytest.raises(UnknownName, match="unheard"):
        machine(wrong)


def test_the_identity_of_a_machine_is_its_content() -> None:
    assert digest(document(edge("b"))) == digest(document(edge("b")))
    assert digest(document(edge("b"))) != digest(document(edge("c")))
    assert digest(document(edge("b"), edge("c"))) != digest(document(edge("c"), edge("b")))
