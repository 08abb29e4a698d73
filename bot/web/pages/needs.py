"""The explain tree as rows of a page: the same words as comment and check run, with the command to copy."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from bot.domain.explain.tree import NOTES, sentence
from bot.domain.model.explain import Explanation, Reason, ReasonState
from bot.domain.model.text import listed

Lamp = Literal["go", "wait", "stop", "later"]
LAMPS: dict[ReasonState, Lamp] = {"ok": "go", "waiting": "wait", "failed": "stop", "later": "later"}
WORDS: dict[Lamp, str] = {"go": "done", "wait": "waiting", "stop": "failed", "later": "later"}
_PHASES = frozenset({"building", "testing", "submit"})


@dataclass(frozen=True, slots=True)
class Need:
    """One row. `text`, `below` and `aside` are Markdown: the need and its state; who can do what; who did."""

    lamp: Lamp
    text: str
    below: str = ""
    aside: str = ""
    command: str = ""
    quiet: bool = False
    children: tuple["Need", ...] = ()


def needs(explanation: Explanation) -> tuple[Need, ...]:
    return tuple(_rows(explanation))


def lamps(explanation: Explanation, plan: Lamp) -> tuple[tuple[str, Lamp], ...]:
    """Plan, checks, review, operator. What the present step does not ask for is for later."""
    found = {row.what: LAMPS[row.state] for top in explanation.reasons for row in (top, *top.children)}
    return (
        ("plan", plan),
        ("checks", found.get("Checks", "later")),
        ("review", found.get("Review", "later")),
        ("operator", found.get("Human gate", "later")),
    )


def _rows(explanation: Explanation) -> Iterator[Need]:
    """The present step is not a row of its own: its needs are."""
    for row in explanation.reasons:
        if row.what == explanation.phase and row.children and row.what != "blocked":
            yield from map(_need, row.children)
        elif row.what in _PHASES and row.state == "later":
            yield Need("later", f"Then *{row.what}*: {row.text}", quiet=True)
        else:
            yield _need(row)


def _need(row: Reason) -> Need:
    lamp = LAMPS[row.state]
    children = tuple(map(_need, row.children))
    if row.what in NOTES:
        return Need(lamp, row.text, command=row.command or "", quiet=True, children=children)
    if row.what[:1].islower():  # a phase or an end, said in a sentence
        said = sentence(row.model_copy(update={"who_could": ()}))
        return Need(lamp, said, _who(row) if row.who_could else "", command=row.command or "", children=children)
    text = f"**{row.what}: {row.brief or row.text}**" if row.brief or row.text else f"**{row.what}**"
    if row.state == "ok" or not row.who_could:
        return Need(lamp, text, aside=row.how, command=row.command or "", children=children)
    return Need(lamp, text, below=_who(row), command=row.command or "", children=children)


def _who(row: Reason) -> str:
    """Who can move it on. How is left out where the command beside it says it all."""
    who = listed(row.who_could, "or")
    said = row.command is not None and row.how == f"comment `{row.command.strip()}`"
    words = who if said or not row.how else f"{who}: {row.how}" if who else row.how
    return f"{words[:1].upper()}{words[1:]}"
