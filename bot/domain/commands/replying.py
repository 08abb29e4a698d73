"""The one answer to a comment: a reaction, and a reply only where something was not counted or was asked for.

A reply can come back by e-mail as somebody's words, so none of its lines begins with a command. What people wrote
stands in code spans, where GitHub finds no mention, reference or image.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from bot.domain.model.refusals import Refusal
from bot.domain.model.text import code

#: Lines that the refusal of one command may have (UX.md section 3).
MOST_LINES = 6
_WRITTEN_LIMIT = 80
#: Lines of a plan that its answer names.
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of one command. `text` as written, in one line. `told`: what to say although it was
    accepted; our own words, beginning with a word."""

    text: str
    refusal: Refusal | None = None
    told: str | None = None

    @property
    def refused(self) -> bool:
        """What is recorded already is as good as done."""
        return self.refusal is not None and self.refusal.code != "already_recorded"


@dataclass(frozen=True, slots=True)
class CommentAnswer:
    reaction: Literal["+1", "confused"]
    reply: str | None


def compose(outcomes: Sequence[Answered]) -> CommentAnswer:
    """Answer the commands of one comment, given in their order; at least one."""
    reaction: Literal["+1", "confused"] = "confused" if any(one.refused for one in outcomes) else "+1"
    if all(not one.refused and one.told is None for one in outcomes):
        return CommentAnswer(reaction, None)
    if len(outcomes) == 1:
        return CommentAnswer(reaction, _alone(outcomes[0]))
    return CommentAnswer(reaction, _several(outcomes))


def with_lines_of_the_plan(plan: Answered, lines: Sequence[str]) -> Answered:
    """The answer to a plan that holds lines which look like commands: whoever wrote them may believe that they count."""
    if not lines:
        return plan
    more = f" and {len(lines) - _MOST_NAMED} more" if len(lines) > _MOST_NAMED else ""
    named = ", ".join(code(line, limit=_WRITTEN_LIMIT) for line in lines[:_MOST_NAMED])
    it, own = ("it", "a comment of its own") if len(lines) == 1 else ("them", "another comment")
    told = (
        f"Below {code(plan.text, limit=_WRITTEN_LIMIT)} everything is the plan, so {named}{more} did nothing there. "
        f"To have {it} count, write {it} in {own}."
    )
    if plan.refusal is None:
        return replace(plan, told=told if plan.told is None else f"{plan.told}\n{told}")
    return replace(plan, refusal=plan.refusal.model_copy(update={"message": f"{plan.refusal.message}\n{told}"}))


def _alone(outcome: Answered) -> str:
    if not outcome.refused:
        return outcome.told or ""
    return "\n".join(_refused(outcome).splitlines()[:MOST_LINES])


def _several(outcomes: Sequence[Answered]) -> str:
    accepted = [one for one in outcomes if not one.refused]
    quiet = [code(one.text, limit=_WRITTEN_LIMIT) for one in accepted if one.told is None]
    lines = [f"Of {len(outcomes)} commands, {_were(len(accepted))} accepted."]
    if quiet:
        lines.append(f"- Accepted: {', '.join(quiet)}.")
    for one in outcomes:
        if one.refused:
            lines.append("- " + " ".join(_refused(one).split("\n")))
        elif one.told is not None:
            told = one.told.replace("\n", "\n  ")
            lines.append(f"- Accepted: {code(one.text, limit=_WRITTEN_LIMIT)}. {told}")
    return "\n".join(lines)


def _were(number: int) -> str:
    return {0: "none was", 1: "1 was"}.get(number, f"{number} were")


def _refused(outcome: Answered) -> str:
    refusal = outcome.refusal
    assert refusal is not None, "asked only of refused commands"
    if refusal.code == "wrong_place":
        return f"Not here: {refusal.message}"
    label = "Not a command" if refusal.code == "unknown_command" else "Not counted"
    return f"{label}: {code(outcome.text, limit=_WRITTEN_LIMIT)}. {refusal.message}"
