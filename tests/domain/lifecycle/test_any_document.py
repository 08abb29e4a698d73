"""The kernel under a document that allows everything: every phase to every other, by any event, without one guard or action
(LIFECYCLE.md 8 and 9, I27)."""

import pytest

from bot.domain.gates.gate import complete, plan_approved
from bot.domain.lifecycle.decide import RULES
from bot.domain.lifecycle.facts import Facts
from bot.domain.lifecycle.kernel import OUT_OF_BLOCKED, KernelRefused
from bot.domain.lifecycle.turn import Rules, Turn
from bot.domain.machine.document import Document, Edge
from bot.domain.machine.engine import Machine, compile_machine
from bot.domain.model.own_signals import TimeCame
from bot.domain.model.policy import STRICT
from bot.domain.model.record import Record
from tests.domain.lifecycle import columns
from tests.domain.lifecycle.happenings import ours
from tests.kit.cases import NOW

PHASES = ("planning", "plan_ready", "plan_rejected", "building", "testing", "submit", "done", "blocked")
EVENTS = ("candidate", "gate_complete", "merge_confirmed", "resume_testing", "merged_externally", "time_came")


def lawless() -> Machine[Turn]:
    edges = [
        Edge.model_validate({"from": start, "event": f"{event}:{end}", "to": end})
        for start in PHASES
        for event in EVENTS
        for end in PHASES
    ]
    document = RULES.machine.document.model_copy(update={"transitions": tuple(edges)})
    assert isinstance(document, Document)
    return compile_machine("lawless", document, RULES.machine.guards, RULES.machine.actions)


LAWLESS = lawless()


def moved(record: Record, event: str, end: str) -> Record | None:
    """What the document made of it; None where the kernel did not let it."""
    turn = Turn(record, ours(TimeCame), Facts(answers={}), STRICT, NOW, Rules(LAWLESS, RULES.handle))
    try:
        assert turn.fire(f"{event}:{end}")
    except KernelRefused:
        return None
    return turn.record


@pytest.mark.parametrize("end", PHASES)
@pytest.mark.parametrize("column", columns.COLUMNS)
def test_i27_the_kernel_holds_under_a_document_that_allows_everything(column: str, end: str) -> None:
    before = columns.column(column)
    for event in EVENTS:
        after = moved(before, event, end)
        if after is None:
            continue
        where = f"{before.phase} by {event} to {end}"
        if end in {"building", "testing", "submit"} and not after.withdrawn:
            assert plan_approved(after, STRICT), f"{where}: without an approved plan"
        assert end not in {"testing", "submit"} or after.head is not None, f"{where}: without a head"
        assert (before.phase, end) != ("testing", "submit") or complete(after, STRICT, "testing"), f"{where}: unjudged"
        assert end != "done" or (after.merge.state == "merged" and after.merge.sha), f"{where}: unmerged"
        assert before.phase != "done" or end == "done", f"{where}: done is final"
        assert not before.in_flight or end in {"submit", "done"}, f"{where}: GitHub may be merging"
        assert (before.phase, end) != ("blocked", "done") or after.merge.state == "merged", f"{where}: unmerged"


@pytest.mark.parametrize("end", [phase for phase in PHASES if phase != "blocked"])
def test_i27_no_document_leads_out_of_blocked_by_an_event_that_is_no_person_s(end: str) -> None:
    blocked = columns.column("blocked")
    for event in EVENTS:
        assert f"{event}:{end}" not in OUT_OF_BLOCKED
        assert moved(blocked, event, end) is None, f"by {event} to {end}"


def test_i27_a_lawful_document_still_moves() -> None:
    assert moved(columns.column("planning"), "candidate", "planning") is not None
    assert moved(columns.column("testing"), "candidate", "building") is not None
