"""Everything that can follow from `started`: the edges that are reached are those of LIFECYCLE.md 2.1, and no more."""

from collections import deque
from datetime import datetime
from typing import Any, NamedTuple

import pytest

from bot.domain.gates.gate import GATES, complete, counting, plan_approved
from bot.domain.lifecycle.builtin import DELIVERY
from bot.domain.lifecycle.decide import decide_start
from bot.domain.lifecycle.facts import Facts
from bot.domain.lifecycle.results import Advance, Step
from bot.domain.model.facts import Answer
from bot.domain.model.ids import Repo
from bot.domain.model.questions import PermissionOf, Question
from bot.domain.model.record import GateName, Record
from bot.domain.model.sightings import StartLabelAdded
from tests.domain.lifecycle.cells import SHARED
from tests.domain.lifecycle.happenings import fact
from tests.domain.lifecycle.moves import MINUTE, POLICY, possible
from tests.domain.lifecycle.scene import gathered
from tests.kit.cases import NOW, permission
from tests.kit.records import PEOPLE

WORKING = ("planning", "plan_ready", "plan_rejected", "building", "testing", "submit")
JUDGED = ("testing", "submit")
SENT_BACK = (
    "reject",
    "rework",
    "check_failed",
    "verification_failed",
    "head_moved",
    "retargeted",
    "pull_request_closed",
    "pull_request_replaced",
    "pull_request_unlinked",
)
#: LIFECYCLE.md 2.1, row by row of its table (from, event, to): the edges it stands for, in the words of the machine.
Edge = tuple[str, str, str]
ROWS: dict[tuple[str, str, str], frozenset[Edge]] = {
    ("none", "started", "planning"): frozenset(),  # where the walk begins
    ("planning", "plan submitted", "plan_ready"): frozenset({("planning", "plan_submitted", "plan_ready")}),
    ("plan_ready", "plan approved", "building"): frozenset({("plan_ready", "plan_approved", "building")}),
    ("plan_ready", "plan rejected", "plan_rejected"): frozenset({("plan_ready", "plan_rejected", "plan_rejected")}),
    ("plan_rejected", "revise", "planning"): frozenset({("plan_rejected", "revise", "planning")}),
    ("building", "candidate (2.3)", "testing"): frozenset({("building", "candidate", "testing")}),
    ("testing", "gate complete", "submit"): frozenset({("testing", "gate_complete", "submit")}),
    (
        "testing, submit",
        (
            "reject, rework, check failed, verification failed, head moved, retargeted, pull request closed, replaced or"
            " unlinked"
        ),
        "building",
    ): frozenset((phase, event, "building") for phase in JUDGED for event in SENT_BACK),
    ("building, testing, submit", "plan approval revoked", "plan_ready"): frozenset(
        (phase, "plan_approval_revoked", "plan_ready") for phase in ("building", *JUDGED)
    ),
    ("submit", "a consumed testing decision revoked", "building, then testing (two rows)"): frozenset(
        {("submit", "testing_decision_revoked", "building"), ("building", "candidate", "testing")}
    ),
    ("submit", "merge confirmed", "done"): frozenset({("submit", "merge_confirmed", "done")}),
    ("plan_ready", "replan (also by `/plan`: two rows)", "planning"): frozenset({("plan_ready", "replan", "planning")}),
    ("any but done, blocked", "replan", "planning"): frozenset(
        (phase, "replan", "planning") for phase in WORKING if phase != "planning"
    ),
    (
        "any but done, blocked",
        "block, checks overdue, budget exhausted, issue gone, merge refused for 24 h",
        "blocked",
    ): frozenset(
        {
            *((phase, event, "blocked") for phase in WORKING for event in ("block", "issue_gone")),
            *((phase, "checks_overdue", "blocked") for phase in JUDGED),
            ("building", "budget_exhausted", "blocked"),
            ("submit", "merge_refused", "blocked"),
        }
    ),
    ("blocked", "resume to T ≤ from", "T"): frozenset(
        {
            *(("blocked", "resume_unchanged", phase) for phase in ("planning", "building", *JUDGED)),
            ("blocked", "resume_planning", "planning"),
            ("blocked", "resume_building", "building"),
            ("blocked", "resume_testing", "testing"),
        }
    ),
    ("blocked by a budget", "retry", "from"): frozenset({("blocked", "retry", "building")}),
    ("any but done", "merged by somebody else", "done (or blocked, by policy)"): frozenset(
        {
            *((phase, "merged_externally", "done") for phase in (*WORKING, "blocked")),
            *((phase, "merged_outside", "blocked") for phase in WORKING),
            ("blocked", "settled", "done"),
        }
    ),
    ("withdrawn (flag)", "revived", "planning or blocked"): frozenset(
        (phase, "revived", "planning") for phase in WORKING if phase != "planning"
    ),
    ("any but done", "our own merge landed after it was settled as unmerged", "done"): frozenset(
        (phase, "landed_late", "done") for phase in (*WORKING, "blocked")
    ),
}
EDGES = frozenset(edge for edges in ROWS.values() for edge in edges)
#: In the machine, and reached only by budgets that agents use up: the walk has none.
BEYOND_THE_WALK = frozenset({("blocked", "retry", "testing"), ("blocked", "retry", "submit")})
BY_AN_OPERATOR = frozenset(
    {"resume_unchanged", "resume_planning", "resume_building", "resume_testing", "retry", "settled"}
)
BY_GITHUB = frozenset({"merged_externally", "landed_late"})


class Walk(NamedTuple):
    steps: tuple[tuple[Record, Step], ...]
    places: int
    complete: bool

    @property
    def edges(self) -> frozenset[tuple[str, str, str]]:
        return frozenset(
            (before.phase, step.event, step.record.phase)
            for before, step in self.steps
            if step.record.phase != before.phase
        )


def place(record: Record) -> tuple[object, ...]:
    """What of a record decides what may follow. Times, texts and numbers that only grow are left out, and so is whatever
    waits: while a record is withdrawn, held or blocked, what its gates had is told apart only as far as it can return."""
    pull, asked = record.pull, record.head in record.asked_heads
    linked = pull.open if pull else None
    if record.withdrawn or record.held is not None:
        return (record.phase, record.withdrawn, record.blocked and record.blocked.from_)
    match record.phase:
        case "done":
            return ("done",)
        case "planning" | "plan_ready" | "plan_rejected":
            return (record.phase, linked, asked)
        case "blocked":
            stop = record.blocked
            judged = tuple(complete(record, POLICY, gate) for gate in GATES)
            return (record.phase, stop and (stop.from_, stop.cause), judged, asked)
        case "building":
            again = record.red_head == record.head
            return (
                record.phase,
                linked,
                again,
                record.budgets.check_retries[0],
                record.head in record.rejected_heads,
                asked,
            )
        case _:
            seats = _seats(record)
            retries = record.budgets.check_retries[0] if not seats else None
            return (record.phase, record.verification.state, seats, _merge(record), retries, asked)


def _seats(record: Record) -> frozenset[tuple[str, str]]:
    gates: tuple[GateName, ...] = ("testing", "submit")
    return frozenset((gate, d.kind) for gate in gates for d in counting(record, gate))


def _merge(record: Record) -> tuple[object, ...]:
    merge = record.merge
    return (merge.state, bool(merge.remembered), merge.needs_gate_after is not None)


def started() -> Record:
    repo = Repo(installation_id=77, id=1, owner="octo", name="app")
    signal = fact(StartLabelAdded, issue=12, issue_id=1200, title="Retry uploads", label="signalbox")
    known: dict[Question[Any], Any] = {PermissionOf(PEOPLE["ada"].id, "ada"): Answer(permission("ada", "write"), NOW)}
    result = decide_start(repo, signal, Facts(answers=known), POLICY, NOW)
    assert isinstance(result, Advance)
    return result.record


def walked(most: int) -> Walk:
    """Breadth first from `started`, one record for each place; every step that any move made from them."""
    first = started()
    seen = {place(first)}
    queue: deque[tuple[Record, datetime]] = deque([(first, NOW)])
    steps: list[tuple[Record, Step]] = []
    while queue and len(seen) < most:
        record, now = queue.popleft()
        for _, move in possible(record):
            at = move(record, now + MINUTE)
            result = gathered(at)
            if not isinstance(result, Advance):
                continue
            before = record
            for step in result.steps:
                steps.append((before, step))
                before = step.record
            if place(before) not in seen:
                seen.add(place(before))
                queue.append((before, at.now))
    return Walk(tuple(steps), len(seen), not queue)


@pytest.fixture(scope="module")
def walk() -> Walk:
    """The kernel looked at every version of it: one that breaks a rule raises."""
    return walked(most=2000)


def test_every_edge_that_is_reached_is_an_edge_of_the_lifecycle_and_every_one_of_those_is_reached(walk: Walk) -> None:
    assert walk.complete
    assert walk.edges == EDGES


def test_the_machine_has_no_edge_that_the_lifecycle_does_not_have() -> None:
    written = {(from_, event, edge.to) for (from_, event), edges in DELIVERY.edges.items() for edge in edges}
    assert {edge for edge in written if edge[0] != edge[2]} == EDGES | BEYOND_THE_WALK


@pytest.mark.skipif(not SHARED.exists(), reason="the lifecycle is not on this machine")
def test_the_edges_are_those_of_the_table_row_by_row() -> None:
    table = SHARED.with_name("LIFECYCLE.md").read_text(encoding="utf-8").split("### 2.1")[1].split("### 2.2")[0]
    cells = [[cell.strip() for cell in line.split("|")[1:4]] for line in table.splitlines() if line.startswith("|")]
    assert [tuple(row) for row in cells[2:]] == list(ROWS)


def test_i6_nothing_leaves_done(walk: Walk) -> None:
    over = [(before, step.record) for before, step in walk.steps if before.phase == "done"]
    assert over
    for before, after in over:
        assert (after.phase, after.merge, after.decisions) == ("done", before.merge, before.decisions)


def test_i7_consecutive_rows_form_an_edge_of_the_machine(walk: Walk) -> None:
    for before, step in walk.steps:
        assert step.from_ == before.phase
        assert step.record.version == before.version + 1
        if step.record.phase != before.phase:
            edges = DELIVERY.edges[before.phase, step.event]
            assert step.record.phase in {edge.to for edge in edges}


def test_i8_from_requested_on_nothing_moves_backward(walk: Walk) -> None:
    asked = [(before, step.record) for before, step in walk.steps if before.in_flight]
    assert asked
    for before, after in asked:
        assert after.phase == "submit" or after.merge.state == "merged"
        assert after.in_flight <= (
            (after.head, after.base, after.decisions) == (before.head, before.base, before.decisions)
        )


def test_i9_from_planning_to_building_no_later_evidence_is_current(walk: Walk) -> None:
    for _, step in walk.steps:
        if step.record.phase in {"planning", "plan_ready", "plan_rejected", "building"}:
            assert not counting(step.record, "testing")
            assert not counting(step.record, "submit")


def test_i10_building_to_submit_and_our_own_done_imply_a_current_approval_of_the_stored_plan(walk: Walk) -> None:
    for _, step in walk.steps:
        record = step.record
        ours = record.phase == "done" and step.event == "merge_confirmed" and not record.merge.external
        if (record.phase in {"building", *JUDGED} and not record.withdrawn) or ours:
            assert plan_approved(record, POLICY), step


def test_i31_no_decision_counts_for_a_gate_that_opened_after_it_was_written(walk: Walk) -> None:
    for _, step in walk.steps:
        for gate in GATES:
            opened_at = step.record.gates_opened.of(gate).opened_at
            assert all(opened_at is not None and opened_at < d.at for d in counting(step.record, gate))


def test_i32_blocked_is_never_left_without_a_person_but_by_a_merge_on_github(walk: Walk) -> None:
    left = [step for before, step in walk.steps if before.phase == "blocked" and step.record.phase != "blocked"]
    assert {step.event for step in left} == BY_AN_OPERATOR | BY_GITHUB
    assert all(step.actor.login == "omar" for step in left if step.event in BY_AN_OPERATOR)
