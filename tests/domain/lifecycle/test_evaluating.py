"""Delegated verification: evidence of exactly the present head, where the policy asks for it."""

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.explain.tree import explain, step_rows, waiting_on
from bot.domain.gates.gate import complete
from bot.domain.model.own_signals import VerificationReported
from bot.domain.model.policy import STRICT, Policy
from bot.domain.model.record import DelegatedEvidence, Record
from tests.domain.lifecycle import columns, marks
from tests.domain.lifecycle.circumstances import with_gate
from tests.domain.lifecycle.happenings import ours
from tests.domain.lifecycle.scene import Scene, gathered
from tests.kit.cases import NOW, declares, judge, refusal, source
from tests.kit.records import HEAD, NEW_HEAD

BOTH = with_gate(STRICT, "testing", verification="both")


def evidence(**changes: Any) -> DelegatedEvidence:
    return DelegatedEvidence.model_validate({"name": "replay", "head": HEAD, "passed": True, "at": NOW} | changes)


def reported(record: Record, *, passed: bool, head: str = HEAD, policy: Policy = BOTH) -> Record:
    scene = Scene(record, ours(VerificationReported, head=head, name="replay", passed=passed), policy)
    return marks.after(scene, gathered(scene))


@pytest.mark.parametrize(
    ("found", "counts"),
    [
        ((), False),
        ((evidence(),), True),
        ((evidence(head=NEW_HEAD),), False),
        ((evidence(passed=False),), False),
        ((evidence(), evidence(name="load", passed=False)), False),
    ],
    ids=["none yet", "passed", "of another head", "failed", "one of two failed"],
)
def test_a_gate_that_asks_for_verification_waits_for_it(found: tuple[DelegatedEvidence, ...], *, counts: bool) -> None:
    record = columns.complete_testing(delegated=found)
    assert complete(record, BOTH, "testing") is counts
    assert complete(record, with_gate(STRICT, "testing", verification="contract"), "testing") is counts
    assert complete(record, STRICT, "testing")


def test_the_last_result_that_was_missing_opens_submit() -> None:
    assert reported(columns.complete_testing(), passed=True).phase == "submit"
    assert reported(columns.testing(), passed=True).phase == "testing"


def test_a_failed_verification_sends_the_head_back_and_one_of_an_old_head_says_nothing() -> None:
    back = reported(columns.complete_testing(), passed=False)
    assert (back.phase, back.rejected_heads, back.rejected_at) == ("building", (HEAD,), NOW)
    early = declares("ada", HEAD[:12]).model_copy(update={"source": source(NOW - timedelta(minutes=1))})
    assert refusal(judge(back, early)) == "stale_comment"
    assert reported(columns.complete_testing(), passed=False, head=NEW_HEAD) == columns.complete_testing()


def test_it_is_said_that_whoever_can_change_the_rules_is_awaited_where_nothing_gives_a_verification() -> None:
    record = columns.complete_testing()
    assert waiting_on(record, BOTH) == ("operators",)
    rows = {row.what: row.text for row in step_rows(explain(record, BOTH))}
    assert rows["Verification"] == "no result for this head, and nobody is left who may"
    failed = explain(columns.complete_testing(delegated=(evidence(passed=False),)), BOTH)
    assert {row.what: row.text for row in step_rows(failed)}["Verification"] == "`replay` failed"
