"""A scene: one record, one signal, the rules, the time, and a world that answers whatever `decide` asks."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bot.domain.lifecycle.decide import decide
from bot.domain.lifecycle.facts import Facts
from bot.domain.lifecycle.results import Gather, Result
from bot.domain.model.facts import Answer, Unknown
from bot.domain.model.policy import STRICT, Policy
from bot.domain.model.policy_file import ABSENT
from bot.domain.model.questions import ChecksOn, IssueOf, MergeEvidenceOf, PermissionOf, Question
from bot.domain.model.record import Record
from bot.domain.model.signals import Signal
from tests.kit.cases import LEVEL, NOW, answers, permission, runs
from tests.kit.records import PEOPLE

RED: dict[str, str | None] = {"build": "failure", "lint": "success", "unit": "success", "types": "success"}
PEOPLE_MAY = {PermissionOf(PEOPLE[name].id, name): permission(name, level) for name, level in LEVEL.items()}
#: More questions than this in one turn is a loop.
MOST_QUESTIONS = 40


@dataclass
class Scene:
    """`world` is what differs on GitHub from the record (see tests.kit.cases.answers); `known` what the store knows;
    `red` = a required check of every head has failed."""

    record: Record
    signal: Signal
    policy: Policy = STRICT
    now: datetime = NOW
    world: dict[str, Any] = field(default_factory=dict)
    known: dict[str, Any] = field(default_factory=dict)
    red: bool = False

    def change(self, **fields: Any) -> None:
        self.record = self.record.model_copy(update=fields)


def gathered(scene: Scene) -> Result:
    """What `decide` says once every question it asked is answered; it is told only what it asked for."""
    told: dict[Question[Any], Any] = {}
    known: dict[str, Any] = {"policy_file": ABSENT} | scene.known
    for _ in range(MOST_QUESTIONS):
        result = decide(
            scene.record,
            scene.signal,
            Facts(answers=told, **known),
            scene.policy,
            scene.now,
        )
        if not isinstance(result, Gather):
            return result
        for question in result.questions:
            value = _truth(scene, question)
            told[question] = value if isinstance(value, Unknown) else Answer(value, scene.now)
    raise AssertionError(f"asked for more than {MOST_QUESTIONS} facts")


def _is_gone(record: Record) -> bool:
    return (record.issue_gone is not None and not record.withdrawn) or (
        record.blocked is not None and record.blocked.cause == "issue_gone"
    )


def _truth(scene: Scene, question: Question[Any]) -> Any:
    match question:
        case PermissionOf() if question in PEOPLE_MAY and "level" not in scene.world:
            return PEOPLE_MAY[question]
        case ChecksOn() if scene.red:
            return runs(question.head, **RED)
        case IssueOf() if _is_gone(scene.record):
            return None
        case MergeEvidenceOf() if "evidence" in scene.world:
            return scene.world["evidence"]
        case _:
            return answers(scene.record, **scene.world)[question]
