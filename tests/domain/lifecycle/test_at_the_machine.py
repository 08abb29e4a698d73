"""Who types at the machine of Signalbox is an operator for what an operator repairs, and for nothing else."""

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.lifecycle.results import Advance, Ignore
from bot.domain.model import command_signals
from bot.domain.model.command_signals import CommandBase
from bot.domain.model.ids import Actor
from tests.domain.lifecycle import columns
from tests.domain.lifecycle.columns import blocked
from tests.domain.lifecycle.scene import Scene, gathered
from tests.kit.cases import MERGE_SHA, NOW, evidence, judge, refusal, source
from tests.kit.records import HEAD, at

OPERATOR = Actor(kind="cli", id=0, login="bastion:sam")


def typed(kind: type[CommandBase], thread: str = "pull", **words: Any) -> Any:
    return kind(key="", actor=OPERATOR, source=source(NOW, thread), **words)


@pytest.mark.parametrize(
    "order",
    [
        typed(command_signals.Approve, gate="submit", sha=HEAD),
        typed(command_signals.OpenGate, gate="submit", sha=HEAD),
        typed(command_signals.Reject, reason="not yet"),
        typed(command_signals.Rework, why="not yet"),
        typed(command_signals.Hold, why="not yet"),
        typed(command_signals.MergeNow),
        typed(command_signals.SetPriority, priority=1),
        typed(command_signals.Cancel, why="not yet"),
        typed(command_signals.BlockWork, question="Why?"),
        typed(command_signals.Replan, why="not yet"),
    ],
    ids=lambda order: str(order.kind),
)
def test_no_judgement_and_no_gate_comes_from_the_machine(order: Any) -> None:
    """Not even where every other need of submit is met."""
    assert refusal(judge(columns.submit(), order)) == "not_allowed"


@pytest.mark.parametrize("phase", ["testing", "building", "planning"])
def test_blocked_work_is_resumed_from_the_machine(phase: str) -> None:
    stopped = blocked(columns.testing())
    scene = Scene(stopped, typed(command_signals.Resume, "issue", phase=phase))
    result = gathered(scene)

    assert isinstance(result, Advance)
    assert (result.record.phase, result.steps[0].actor) == (phase, OPERATOR)
    assert {d.id for d in result.record.decisions} == {d.id for d in stopped.decisions}


def test_after_a_settlement_from_the_machine_the_next_gate_is_later_by_github_s_clock() -> None:
    """The clock of the machine is an hour behind."""
    unknown = columns.asked("ambiguous")
    unmerged = evidence(unknown, pull_merged=False, on_base=False)
    late = (unknown.merge.window_ends or NOW) + timedelta(minutes=1)
    slow = typed(command_signals.SettleUnmerged, why="I looked.").model_copy(
        update={"source": source(late - timedelta(hours=1))}
    )

    result = judge(unknown, slow, now=late, date=at("16:00"), evidence=unmerged)

    assert isinstance(result, Advance)
    assert result.steps[0].record.merge.needs_gate_after == at("16:00")


@pytest.mark.parametrize(
    ("order", "answer"),
    [
        (typed(command_signals.SettleMerged, sha=MERGE_SHA), None),
        (typed(command_signals.SettleMerged, sha="f" * 40), "settle_mismatch"),
        (typed(command_signals.SettleUnmerged, why="I saw nothing."), "settle_mismatch"),
    ],
    ids=["true", "another-commit", "unmerged"],
)
def test_what_is_false_of_a_proven_merge_is_refused_and_what_is_true_is_known(order: Any, answer: str | None) -> None:
    result = judge(columns.column("done"), order)

    assert refusal(result) == answer if answer else isinstance(result, Ignore)
