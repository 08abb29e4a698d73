"""Open questions of blocked work, as the issue's comment and the notice show them."""

from collections.abc import Sequence

from bot.domain.explain.ended_rows import MAX_QUESTIONS
from bot.domain.explain.offers import person
from bot.domain.model.record import Question
from bot.domain.model.text import code, counted, quoted


def shown_questions(questions: Sequence[Question]) -> str:
    """One is quoted. Several are listed, each with the id that its answer names."""
    if len(questions) == 1:
        return quoted(questions[0].text)
    return listed_questions(questions)


def listed_questions(questions: Sequence[Question]) -> str:
    lines = [
        f"- {code(each.id)} by {person(each.asked_by.login)}: {code(each.text)}" for each in questions[:MAX_QUESTIONS]
    ]
    hidden = len(questions) - len(lines)
    return "\n".join([*lines, *([f"- and {counted(hidden, 'question')} more"] if hidden else [])])
