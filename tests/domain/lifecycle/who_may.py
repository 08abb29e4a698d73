"""The table of who may what, as data: each command as it is typed, each kind of person, each phase."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.domain.lifecycle.columns import COLUMNS, IN_FLIGHT

TABLE = Path(__file__).parents[1] / "who_may.yaml"
#: Everybody the table knows, and every state of a record.
PEOPLE = ("reader", "builder", "reviewer", "operator", "author", "decider", "unread", "bot")
STATES = ("no_record", *COLUMNS, "frozen")
_OTHERS, _ELSE = "others", "otherwise"


@dataclass(frozen=True, slots=True)
class Command:
    """`typed` as people type it, without the slash; `on` the issue or the pull request."""

    typed: str
    on: str
    outcomes: dict[tuple[str, str], str]

    @property
    def verb(self) -> str:
        return self.typed.split()[0]

    @property
    def name(self) -> str:
        return f"/{self.typed} on the {self.on}"


def load() -> list[Command]:
    text: dict[str, dict[str, dict[str, Any]]] = yaml.load(TABLE.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return [Command(typed, on, _outcomes(rows)) for on, commands in text.items() for typed, rows in commands.items()]


def _outcomes(rows: dict[str, Any]) -> dict[tuple[str, str], str]:
    """Raises ValueError where a state or a person is said twice or is unknown."""
    named = [(state, said) for states, said in rows.items() if states != _ELSE for state in _states(states)]
    by_state = dict([("no_record", "no_record"), *named])
    if len({state for state, _ in named}) != len(named) or not set(by_state) <= set(STATES):
        raise ValueError(f"a state is said twice, or is none: {[state for state, _ in named]}")
    return {(state, who): code for state in STATES for who, code in _people(by_state.get(state) or rows[_ELSE]).items()}


def _states(written: str) -> Iterator[str]:
    """`merging` is every state in which GitHub may be merging."""
    for state in written.split(", "):
        yield from IN_FLIGHT if state == "merging" else (state,)


def _people(said: str | dict[str, str]) -> dict[str, str]:
    """One word is for everybody; otherwise `others` are those who are not named."""
    if isinstance(said, str):
        return dict.fromkeys(PEOPLE, said)
    named = {who: code for names, code in said.items() if names != _OTHERS for who in names.split(", ")}
    if not set(named) <= set(PEOPLE):
        raise ValueError(f"nobody is called like that: {sorted(named)}")
    return {who: named.get(who) or said[_OTHERS] for who in PEOPLE}
