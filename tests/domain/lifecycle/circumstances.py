"""What a condition of the table changes in a scene: checks, decisions, GitHub, the merge."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from bot.domain.model.facts import BaseRules, RequiredCheck
from bot.domain.model.merge import Remembered
from bot.domain.model.own_signals import PolicyChanged, TimeCame
from bot.domain.model.policy import GateRule, Policy
from bot.domain.model.record import CheckEvidence, GateName, Held, Record, Verification, Work
from tests.domain.lifecycle import columns
from tests.domain.lifecycle.cells import Cell
from tests.domain.lifecycle.columns import adding, blocked, complete_testing, ready, without
from tests.domain.lifecycle.happenings import ours
from tests.domain.lifecycle.scene import Scene
from tests.kit.cases import REQUIRED, actor, evidence, pull_facts, reviews, showed
from tests.kit.records import GITHUB_ACTIONS, HEAD, PEOPLE, at, linked

Condition = Callable[[Scene, Cell], None]
PULL_EVENTS = frozenset({"push", "retarget", "pull_request_reopened", "link_other"})


def with_gate(policy: Policy, gate: str, **rule: Any) -> Policy:
    gates = policy.gates.model_copy(update={gate: GateRule.model_validate(policy.gates.of(gate).model_dump() | rule)})  # type: ignore[arg-type]  # the name of a gate
    return policy.model_copy(update={"gates": gates})


def pending() -> Verification:
    """Everything green but the build, which runs."""
    states = {name: ("pending" if name == "build" else "success") for name in REQUIRED}
    checks = tuple(
        CheckEvidence.model_validate({"name": name, "app": GITHUB_ACTIONS, "state": state, "since": at("12:06")})
        for name, state in states.items()
    )
    return Verification(state="pending", head=HEAD, checks=checks, read_at=at("12:06"))


# What is usual.


def usual(scene: Scene, cell: Cell) -> None:
    """No condition, or "otherwise": the other cells of the pair do not apply."""
    judged = cell.column in {"testing", "submit"}
    if cell.event in PULL_EVENTS or (cell.event == "ready_for_review" and cell.column == "building"):
        no_candidate(scene, cell)
    if cell.event in {"check_green", "check_red", "checks_overdue"} and (
        judged or cell.column in {"building", "blocked"}
    ):
        scene.change(verification=pending())
    if cell.event == "gate_command" and judged:
        gate: GateName = "testing" if cell.column == "testing" else "submit"
        scene.record = without(scene.record, gate, "review")


def no_candidate(scene: Scene, cell: Cell) -> None:
    scene.red = True


def candidate(scene: Scene, cell: Cell) -> None:
    """The head that is there after the event is green, and was neither rejected nor judged in this epoch and base."""
    scene.change(rejected_heads=())
    if cell.event == "ready_for_review":
        scene.change(tried=())


# Checks.


def green_again(scene: Scene, cell: Cell) -> None:
    failed = pending().model_copy(update={"state": "failed"})
    scene.change(rejected_heads=(), red_head=HEAD, verification=failed)


def green_too_often(scene: Scene, cell: Cell) -> None:
    green_again(scene, cell)
    scene.change(budgets=scene.record.budgets.model_copy(update={"check_retries": (20, 20)}))


def completes_testing(scene: Scene, cell: Cell) -> None:
    match cell.event:
        case "check_green":
            scene.record = complete_testing(verification=pending())
        case "verification_passed":
            scene.record = complete_testing()
            scene.policy = with_gate(scene.policy, "testing", verification="both")
        case "approve_head":
            scene.record = without(complete_testing(), "testing", "review")
        case "gate_command":
            pass
        case _:
            raise AssertionError(cell.name)


def completes_submit(scene: Scene, cell: Cell) -> None:
    match cell.event:
        case "check_green":
            changes: dict[str, Any] = {"verification": pending()}
        case "unhold":
            changes = {"held": scene.record.held}
        case "ready_for_review":
            changes = {"pull": scene.record.pull}
        case "policy_changed":
            changes = {}
        case "approve_head":
            scene.record = adding(without(ready(), "submit", "review"), "submit", "operator", "omar")
            return
        case "gate_command":
            return
        case _:
            raise AssertionError(cell.name)
    scene.record = ready(**changes | merge_of(scene.record))


def merge_of(record: Record) -> dict[str, Any]:
    return {"merge": record.merge, "asked_heads": record.asked_heads}


# Revoked decisions.


def of_submit(scene: Scene, cell: Cell) -> None:
    """Grace has decided at submit only."""
    if cell.event == "review_revoked":
        judged = without(scene.record, "testing", "review")
        scene.record = adding(judged, "testing", "review", "lin", consumed=True)


def of_testing(scene: Scene, cell: Cell) -> None:
    if cell.event == "review_revoked":
        scene.record = adding(without(scene.record, "submit", "review"), "submit", "review", "lin")
        return
    consumed = next(d for d in scene.record.decisions if d.gate == "testing" and d.review_id)
    scene.signal = scene.signal.model_copy(update={"review_id": consumed.review_id})


def plan_stands(scene: Scene, cell: Cell) -> None:
    scene.record = adding(scene.record, "plan", "plan", "lin")


def plan_falls(scene: Scene, cell: Cell) -> None:
    """Grace alone approved it."""


# Approvals.


def more_plan_reviews(scene: Scene, cell: Cell) -> None:
    scene.policy = with_gate(scene.policy, "plan", reviews=3)


def completes_plan(scene: Scene, cell: Cell) -> None:
    scene.policy = with_gate(scene.policy, "plan", reviews=1 if cell.event == "policy_changed" else 2)


def completes_plan_red(scene: Scene, cell: Cell) -> None:
    completes_plan(scene, cell)
    no_candidate(scene, cell)


def by_command(scene: Scene, cell: Cell) -> None:
    """As every happening is."""


def by_review(scene: Scene, cell: Cell) -> None:
    state = "APPROVED" if cell.event == "approve_head" else "CHANGES_REQUESTED"
    scene.signal = reviews("lin", state)
    gates: dict[str, GateName] = {"testing": "testing", "submit": "submit"}
    scene.known["shown"] = (showed(scene.record, gates.get(scene.record.phase), at("14:25")),)


def last_review_cycle(scene: Scene, cell: Cell) -> None:
    budgets = scene.record.budgets.model_copy(update={"review_cycles": (2, 3)})
    scene.change(work=Work(task={"status": "reviewing"}), budgets=budgets)


# Merging.


def all_holds(scene: Scene, cell: Cell) -> None:
    scene.record = ready(**merge_of(scene.record))


def held(scene: Scene, cell: Cell) -> None:
    scene.record = ready(held=Held(by=PEOPLE["lin"], since=at("14:00")), **merge_of(scene.record))


def unmergeable(**world: Any) -> Condition:
    def condition(scene: Scene, cell: Cell) -> None:
        all_holds(scene, cell)
        scene.world |= world

    return condition


def draft(scene: Scene, cell: Cell) -> None:
    all_holds(scene, cell)
    scene.world["pull"] = pull_facts(scene.record, draft=True)


def stacked(scene: Scene, cell: Cell) -> None:
    all_holds(scene, cell)
    scene.world["pull"] = pull_facts(scene.record, stack=(30, 34))


def not_green(scene: Scene, cell: Cell) -> None:
    scene.record = ready(verification=pending(), **merge_of(scene.record))


def rules(**changes: Any) -> BaseRules:
    return BaseRules(required=tuple(RequiredCheck(name=name) for name in REQUIRED), protected=True, **changes)


def window_open(scene: Scene, cell: Cell) -> None:
    scene.now -= timedelta(minutes=50)


def as_said(scene: Scene, cell: Cell) -> None:
    """The happening already has GitHub agree with the operator."""


def not_on_base(scene: Scene, cell: Cell) -> None:
    scene.world["evidence"] = evidence(scene.record, on_base=False, merge_sha=None)


def shows_merged(scene: Scene, cell: Cell) -> None:
    scene.world["evidence"] = evidence(scene.record)


def by_us(scene: Scene, cell: Cell) -> None:
    scene.world["evidence"] = evidence(scene.record)


def external(rule: str) -> Condition:
    def condition(scene: Scene, cell: Cell) -> None:
        scene.policy = scene.policy.model_copy(update={"external_merge": rule})

    return condition


def one_side(scene: Scene, cell: Cell) -> None:
    scene.world["evidence"] = evidence(scene.record, on_base=False, merge_sha=None)


def only_attempt(scene: Scene, cell: Cell) -> None:
    """As every record in flight is."""


def another_attempt(scene: Scene, cell: Cell) -> None:
    merge = scene.record.merge.model_copy(update={"live_attempts": ("a-0", "a-1")})
    scene.change(merge=merge)


def fifth_try(scene: Scene, cell: Cell) -> None:
    scene.change(merge=scene.record.merge.model_copy(update={"tries": 4}))


def remembered(scene: Scene, cell: Cell) -> None:
    """Something that changes no phase when it is applied."""
    item = Remembered(signal=ours(PolicyChanged).model_dump(mode="json"), at=at("14:30"))
    scene.change(merge=scene.record.merge.model_copy(update={"remembered": (item,)}))


# Labels, policy, leases.


def blocked_then_withdrawn(scene: Scene, cell: Cell) -> None:
    scene.record = blocked(columns.testing(), withdrawn=True, withdrawn_by=PEOPLE["ada"])


def by_anybody(scene: Scene, cell: Cell) -> None:
    scene.signal = scene.signal.model_copy(update={"actor": actor("forge-1")})


def testing_complete_under(scene: Scene, cell: Cell) -> None:
    scene.record = without(complete_testing(), "testing", "operator")
    scene.policy = with_gate(scene.policy, "testing", operators=0)


def no_longer_complete(scene: Scene, cell: Cell) -> None:
    scene.policy = with_gate(scene.policy, "submit", reviews=2)


def task_lease_ended(scene: Scene, cell: Cell) -> None:
    """The head came while an agent held the work, so it was never offered; now nobody does, and the clock tells."""
    scene.record = linked()
    scene.signal = ours(TimeCame)
