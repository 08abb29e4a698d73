"""The kernel under documents that allow everything: every phase to every other, by any event, without one guard or action
(LIFECYCLE.md 8 and 9, I27)."""

from collections.abc import Iterator
from typing import get_args

import pytest

from bot.domain.gates.gate import complete, plan_approved, void_because
from bot.domain.lifecycle.decide import RULES
from bot.domain.lifecycle.facts import Facts
from bot.domain.lifecycle.kernel import OUT_OF_BLOCKED, KernelRefused
from bot.domain.lifecycle.turn import Rules, Turn
from bot.domain.machine.document import Document, Edge
from bot.domain.machine.engine import Machine, compile_machine
from bot.domain.model.own_signals import TimeCame
from bot.domain.model.policy import STRICT, GateRule, GateRules, Policy
from bot.domain.model.record import Phase, Record, Verification
from tests.domain.lifecycle import columns
from tests.domain.lifecycle.happenings import ours
from tests.kit.cases import NOW
from tests.kit.records import NEW_HEAD, PEOPLE, linked, planned

PHASES: tuple[Phase, ...] = get_args(Phase)
EVENTS = ("candidate", "gate_complete", "merge_confirmed", "time_came", *sorted(OUT_OF_BLOCKED))
WORKING = ("building", "testing", "submit")
TWO_PLANS = STRICT.model_copy(update={"gates": GateRules(plan=GateRule(reviews=2, operators=0))})


def lawless(end: str) -> Machine[Turn]:
    """From everywhere to one phase, by events that people cause too."""
    edges = [Edge.model_validate({"from": start, "event": event, "to": end}) for start in PHASES for event in EVENTS]
    document = RULES.machine.document.model_copy(update={"transitions": tuple(edges)})
    assert isinstance(document, Document)
    return compile_machine("lawless", document, RULES.machine.guards, RULES.machine.actions)


LAWLESS: dict[str, Machine[Turn]] = {end: lawless(end) for end in PHASES}
#: What each column holds, and what was blocked on the way, with more or less of what the next phase needs.
STANDING: dict[str, Record] = {name: columns.column(name) for name in columns.COLUMNS} | {
    "unplanned": columns.column("planning").model_copy(update={"decisions": ()}),
    "unapproved": planned(**columns.PULL),
    "judged": columns.complete_testing(),
    "ready": columns.ready(),
    "blocked in planning": columns.blocked(columns.column("planning")),
    "blocked in plan_ready": columns.blocked(columns.column("plan_ready")),
    "blocked in building": columns.blocked(linked(**columns.JUDGED)),
    "blocked and judged": columns.blocked(columns.complete_testing()),
    "blocked in submit": columns.blocked(columns.submit()),
    "blocked and pushed": columns.blocked(columns.submit(head=NEW_HEAD, head_epoch=4)),
    "blocked and revoked": columns.blocked(
        columns.submit(
            decisions=tuple(
                d.model_copy(update={"void": "revoked by grace"}) if d.gate == "testing" else d
                for d in columns.submit().decisions
            )
        )
    ),
    "blocked and merged": columns.merged_outside(),
}


def moved(record: Record, event: str, end: str, policy: Policy = STRICT) -> Record | None:
    """What the document made of it; None where the kernel did not let it."""
    turn = Turn(record, ours(TimeCame), Facts(answers={}), policy, NOW, Rules(LAWLESS[end], RULES.handle))
    try:
        assert turn.fire(event)
    except KernelRefused:
        return None
    return turn.record


def ends_of(record: Record, policy: Policy = STRICT) -> set[str]:
    """Where it can come to by any event at all."""
    return {end for end in PHASES for event in EVENTS if moved(record, event, end, policy) is not None}


def submit_was_judged(before: Record, after: Record) -> bool:
    """Complete testing authority; or what was consumed on the way into the submit that it was blocked in, all of it."""
    if complete(after, STRICT, "testing"):
        return True
    consumed = [d for d in after.decisions if d.gate == "testing" and d.consumed]
    came_back = before.blocked is not None and before.blocked.from_ == "submit"
    return came_back and {d.kind for d in consumed} == {"review", "operator"} and not void(after, "testing")


def void(record: Record, gate: str) -> list[str]:
    return [why for d in record.decisions if d.gate == gate and (why := void_because(record, d))]


def broken(before: Record, after: Record, end: str) -> Iterator[str]:
    if end in WORKING and not after.withdrawn and not plan_approved(after, STRICT):
        yield "without an approved plan"
    if end in WORKING and before.phase not in WORKING and not plan_approved(after, STRICT):
        yield "began without an approved plan"
    if end in {"testing", "submit"} and after.head is None:
        yield "without a head"
    if end == "submit" != before.phase and not submit_was_judged(before, after):
        yield "unjudged"
    if end == "done" and not (after.merge.state == "merged" and after.merge.sha):
        yield "unmerged"
    if before.phase == "done" != end:
        yield "done is final"
    if before.in_flight and end not in {"submit", "done"}:
        yield "GitHub may be merging"


@pytest.mark.parametrize("end", PHASES)
@pytest.mark.parametrize("standing", STANDING)
def test_i27_the_kernel_holds_under_a_document_that_allows_everything(standing: str, end: str) -> None:
    before = STANDING[standing]
    for event in EVENTS:
        after = moved(before, event, end)
        wrong = list(broken(before, after, end)) if after is not None else []
        assert wrong == [], f"{before.phase} by {event} to {end}"


@pytest.mark.parametrize("standing", [name for name, record in STANDING.items() if record.phase == "blocked"])
@pytest.mark.parametrize("end", [phase for phase in PHASES if phase != "blocked"])
def test_i27_no_document_leads_out_of_blocked_by_an_event_that_is_no_person_s(standing: str, end: str) -> None:
    for event in set(EVENTS) - OUT_OF_BLOCKED:
        assert moved(STANDING[standing], event, end) is None, f"by {event} to {end}"


BEFORE = {"planning", "plan_ready", "plan_rejected", "blocked"}


@pytest.mark.parametrize(
    ("standing", "ends"),
    [
        ("planning", BEFORE),
        ("unplanned", BEFORE),
        ("unapproved", BEFORE),
        ("plan_ready", {*BEFORE, "building", "testing"}),
        ("building", {*BEFORE, "building", "testing"}),
        ("testing", {*BEFORE, "building", "testing"}),
        ("judged", {*BEFORE, *WORKING}),
        ("blocked in building", {*BEFORE, "building", "testing"}),
        ("blocked", {*BEFORE, "building", "testing"}),
        ("blocked and judged", {*BEFORE, *WORKING}),
        ("blocked in submit", {*BEFORE, *WORKING}),
        ("blocked and pushed", {*BEFORE, "building", "testing"}),
        ("blocked and revoked", {*BEFORE, "building", "testing"}),
        ("blocked and merged", {*BEFORE, "building", "testing", "done"}),
    ],
)
def test_i27_a_lawful_document_still_moves_and_submit_is_only_for_what_was_judged(
    standing: str, ends: set[str]
) -> None:
    assert ends_of(STANDING[standing]) == ends


@pytest.mark.parametrize("start", ["plan_ready", "blocked in building", "building"])
def test_i27_where_two_must_approve_a_plan_nothing_begins_with_one(start: str) -> None:
    both = columns.adding(STANDING[start], "plan", "plan", "lin")
    stays = {"building"} if start == "building" else set()
    assert ends_of(STANDING[start], TWO_PLANS) & set(WORKING) == stays
    assert ends_of(both, TWO_PLANS) & set(WORKING) == {"building", "testing"}


def test_i27_rules_that_ask_for_more_do_not_shut_out_what_was_judged_before() -> None:
    """It comes back to where it was blocked and waits there; nothing is reserved before the gates hold under the new rules."""
    two = STRICT.model_copy(update={"gates": GateRules(testing=GateRule(reviews=2, operators=1))})
    assert "submit" in ends_of(STANDING["blocked in submit"], two)
    assert "submit" not in ends_of(STANDING["blocked and judged"], two)


def test_i27_a_head_that_moved_while_it_was_blocked_does_not_come_back_into_submit() -> None:
    """Also where the policy asks nobody in testing, so that no decision says which head was judged."""
    alone = STRICT.model_copy(update={"gates": GateRules(testing=GateRule(reviews=0, operators=0))})
    for moved_to, comes_back in (({}, True), ({"head": NEW_HEAD, "head_epoch": 4}, False), ({"base": "next"}, False)):
        nobody = {"decisions": tuple(d for d in columns.submit().decisions if d.gate == "plan")}
        stopped = columns.blocked(columns.submit(**nobody, verification=Verification(), **moved_to))
        assert ("submit" in ends_of(stopped, alone)) is comes_back, moved_to


def test_i27_who_wrote_the_plan_approves_it_for_no_document() -> None:
    own = tuple(d.model_copy(update={"by": PEOPLE["ada"]}) for d in STANDING["plan_ready"].decisions)
    assert ends_of(STANDING["plan_ready"].model_copy(update={"decisions": own})) == BEFORE
