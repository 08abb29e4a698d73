"""Work that waits for the word to go on: wherever that word is offered it is one and the same, and it works."""

import re

import pytest

from bot.app.browse import Name
from bot.app.evidence import stored
from bot.cli.explaining import tree
from bot.domain.explain.tree import explain
from bot.domain.lifecycle.results import Advance
from bot.domain.model.command_signals import Resume
from bot.domain.model.policy import STRICT
from bot.domain.model.record import Record
from bot.domain.projections.notices import notices
from bot.domain.projections.status_comment import status_comments
from tests.domain.commands.kit import hear, issue
from tests.domain.commands.moments import told
from tests.domain.lifecycle.columns import a_question, blocked, column
from tests.domain.lifecycle.happenings import said
from tests.domain.lifecycle.scene import Scene, gathered
from tests.kit.shows import show

OFFERED = re.compile(r"(?:/|signalbox )resume (?:octo/app#\d+ )?(\w+)")


def faces(record: Record) -> dict[str, str]:
    """What each face says of a blocked record."""
    shown = show(record)
    explained = [reason.model_dump(mode="json") for reason in explain(record, STRICT).reasons]
    return {
        "status": "\n".join(comment.text for comment in status_comments(shown)),
        "notice": "\n".join(notice.text for notice in notices(shown)),
        "help": told(issue(record), "maintain"),
        "terminal": "\n".join(tree(explained, "", Name("octo/app", record.issue))),
    }


@pytest.mark.parametrize("phase", ["planning", "plan_ready", "plan_rejected", "building", "testing", "submit"])
def test_the_command_that_is_offered_to_go_on_is_one_everywhere_and_works(phase: str) -> None:
    """In plan_ready and plan_rejected status comment, page and explain offered `/resume plan_ready`, which is refused."""
    record = blocked(column(phase), questions=())
    words = {face: set(OFFERED.findall(text)) for face, text in faces(record).items()}
    word = next(iter(words["help"]))
    assert words == {face: {word} for face in words}

    (heard,) = hear(f"/resume {word}", issue(record))
    assert isinstance(heard, Resume)
    result = gathered(Scene(record, said(Resume, "omar", "issue", phase=heard.phase)))
    assert isinstance(result, Advance)
    assert result.refusal is None
    assert result.steps[0].from_ == "blocked" != result.record.phase


@pytest.mark.parametrize("phase", ["plan_ready", "building"])
def test_that_going_on_costs_the_plan_is_said_before_it_is_done(phase: str) -> None:
    """A question asked while a plan waited cost the plan and its approvals, and nothing said so beforehand."""
    record = blocked(column(phase), questions=())
    costs = phase == "plan_ready"

    assert {face: "plan r2 and its approvals are given up" in text for face, text in faces(record).items()} == {
        "status": costs,
        "notice": costs,
        "help": costs,
        "terminal": costs,
    }
    result = gathered(Scene(record, said(Resume, "omar", "issue", phase="planning")))
    assert isinstance(result, Advance)
    assert ("given up" in (result.steps[0].detail or "")) == costs


def test_the_evidence_for_going_on_does_not_contradict_itself_after_an_answer() -> None:
    """It said that q1 needs an answer, and on its next line that q1 is answered."""
    record = blocked(column("building"), questions=(a_question().model_copy(update={"answer": "The old one."}),))
    assert record.blocked is not None
    why = record.blocked.model_copy(update={"reason": "question q1 needs an answer"})

    told = list(stored(record.model_copy(update={"blocked": why})))

    assert [line.partition(": ")[0::2] for line in told] == [
        (
            "blocked in building since 30 Nov 2026, 14:20 UTC",
            "every question is answered, and nobody has let it go on yet",
        ),
        ("question q1 is answered", "Which store holds the key?"),
    ]
