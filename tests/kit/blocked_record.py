"""Work that waits for an answer."""

from typing import Any

from bot.domain.model.record import Blocked, Question, Record
from tests.kit.records import PEOPLE, approved, at


def blocked(**changes: Any) -> Record:
    why = Blocked(
        reason="the task cannot read the old key",
        evidence="run 52, last lines",
        from_="building",
        since=at("10:05"),
        version=7,
    )
    question = Question(id="q1", text="Which key store holds the old signing key?", asked_by=PEOPLE["forge-1"])
    fields = {"issue": 18, "phase": "blocked", "blocked": why, "questions": (question,)}
    return approved(**(fields | changes))
