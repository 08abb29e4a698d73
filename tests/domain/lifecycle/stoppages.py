"""What a condition of the table says about questions, about why work is blocked, and about what moved meanwhile."""

from collections.abc import Callable
from typing import Any

from bot.domain.model.record import Record, Work
from tests.domain.lifecycle import columns
from tests.domain.lifecycle.cells import Cell
from tests.domain.lifecycle.circumstances import Condition, no_candidate, not_on_base
from tests.domain.lifecycle.columns import blocked
from tests.domain.lifecycle.scene import Scene
from tests.kit.cases import evidence, pull_facts
from tests.kit.records import NEW_HEAD, PEOPLE, linked


def question_open(scene: Scene, cell: Cell) -> None:
    scene.change(questions=(columns.a_question(),))


def no_question(scene: Scene, cell: Cell) -> None:
    scene.change(questions=())


def stopped(build: Callable[[], Record], **changes: Any) -> Condition:
    """Blocked from this record."""

    def condition(scene: Scene, cell: Cell) -> None:
        scene.record = blocked(build(), **changes)

    return condition


def withdrawn_too(scene: Scene, cell: Cell) -> None:
    if cell.column == "withdrawn":
        scene.change(withdrawn=True, withdrawn_by=PEOPLE["ada"])


def building(**changes: Any) -> Record:
    return columns.column("building").model_copy(update=changes)


def plan_gone(scene: Scene, cell: Cell) -> None:
    """Blocked as far as the operator wants to go, and grace took her approval of the plan back."""
    record = columns.submit() if cell.event == "resume_submit" else columns.testing()
    gone = tuple(d.model_copy(update={"void": "revoked by grace"}) if d.gate == "plan" else d for d in record.decisions)
    scene.record = blocked(record, decisions=gone)


def fresh_head(scene: Scene, cell: Cell) -> None:
    scene.record = blocked(linked())


def head_moved(build: Callable[[], Record]) -> Condition:
    """Blocked in a gate, and pushed since: what GitHub shows is another head."""

    def condition(scene: Scene, cell: Cell) -> None:
        scene.record = blocked(build())
        scene.world["pull"] = pull_facts(scene.record, head_sha=NEW_HEAD)

    return condition


def head_moved_red(build: Callable[[], Record]) -> Condition:
    def condition(scene: Scene, cell: Cell) -> None:
        head_moved(build)(scene, cell)
        no_candidate(scene, cell)

    return condition


def testing_revoked(scene: Scene, cell: Cell) -> None:
    gone = tuple(
        d.model_copy(update={"void": "revoked by grace"}) if (d.gate, d.kind) == ("testing", "review") else d
        for d in columns.submit().decisions
    )
    scene.record = blocked(columns.submit(decisions=gone))


def task_failed(scene: Scene, cell: Cell) -> None:
    budgets = scene.record.budgets.model_copy(update={"review_cycles": (3, 3)})
    scene.change(work=Work(task={"status": "failed"}), budgets=budgets)


def out_of_budget(build: Callable[[], Record]) -> Condition:
    def condition(scene: Scene, cell: Cell) -> None:
        record = build()
        scene.record = blocked(
            record, cause="budget", budgets=record.budgets.model_copy(update={"review_cycles": (3, 3)})
        )

    return condition


def gone(scene: Scene, cell: Cell) -> None:
    scene.record = blocked(columns.testing(), cause="issue_gone")


def outside(scene: Scene, cell: Cell) -> None:
    scene.record = columns.merged_outside()
    withdrawn_too(scene, cell)
    pull = pull_facts(scene.record, open=False, merged=True, merge_sha=scene.record.merge.sha)
    scene.world |= {"pull": pull, "evidence": evidence(scene.record, merge_sha=scene.record.merge.sha)}


def outside_unconfirmed(scene: Scene, cell: Cell) -> None:
    outside(scene, cell)
    not_on_base(scene, cell)
