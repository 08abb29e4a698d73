"""Which decisions count: every binding must equal the record's, and nobody sits where the policy says not."""

from typing import Any

import pytest

from bot.domain.explain.need_rows import plan_row
from bot.domain.gates.gate import authority_complete, complete, counting, plan_approved, seats, void_because
from bot.domain.gates.separation import excluded
from bot.domain.model.policy import STRICT, GateRule, GateRules, Policy, ReviewSplit, Separation
from bot.domain.model.record import CheckEvidence, Decision, GateName, OpenedGate, Record, Verification
from tests.kit.records import (
    DIGEST,
    HEAD,
    NEW_HEAD,
    PEOPLE,
    a_plan,
    a_pull,
    approval,
    at,
    authorised,
    decided,
    green,
    in_submit,
    in_testing,
    planned,
)

OTHER_DIGEST = "sha256:" + "1" * 64


def policy(**separation: Any) -> Policy:
    return STRICT.model_copy(update={"separation": Separation.model_validate(separation)})


def changed(record: Record, **binding: Any) -> Record:
    """The record with one thing moved away from what was judged."""
    plan = record.plan
    assert plan is not None
    if "revision" in binding or "digest" in binding:
        return record.model_copy(update={"plan": plan.model_copy(update=binding)})
    if "round" in binding:
        gate = binding["gate"]
        opened = record.gates_opened.model_copy(
            update={gate: OpenedGate(round=binding["round"], opened_at=at("14:40"))}
        )
        return record.model_copy(update={"gates_opened": opened})
    return record.model_copy(update=binding)


@pytest.mark.parametrize(
    ("moved", "why"),
    [
        ({"revision": 3}, "the plan moved"),
        ({"digest": OTHER_DIGEST}, "the plan moved"),
        ({"pull_request": 35}, "the pull request was replaced"),
        ({"base": "next"}, "the base moved"),
        ({"head": NEW_HEAD}, "the head moved"),
        ({"head_epoch": 4}, "the head was pushed again"),
        ({"gate": "submit", "round": 7}, "a new round began"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else value,
)
def test_a_decision_on_a_head_counts_only_while_every_binding_is_the_present_one(
    moved: dict[str, Any], why: str
) -> None:
    """threats.md, T8."""
    record = authorised()
    decision = next(d for d in record.decisions if d.gate == "submit")
    assert void_because(record, decision) is None
    assert void_because(changed(record, **moved), decision) == why
    assert not authority_complete(changed(record, **moved), STRICT)


@pytest.mark.parametrize(
    ("moved", "why"),
    [
        ({"revision": 3}, "the plan moved"),
        ({"digest": OTHER_DIGEST}, "the plan moved"),
        ({"gate": "plan", "round": 7}, "a new round began"),
        ({"plan": None}, "the plan moved"),
    ],
)
def test_a_plan_decision_counts_only_for_its_revision_text_and_round(moved: dict[str, Any], why: str) -> None:
    record = decided(planned(), ("plan", "plan", "grace", at("16:00")))
    (decision,) = record.decisions
    assert plan_approved(record, STRICT)
    after = record.model_copy(update=moved) if "plan" in moved else changed(record, **moved)
    assert void_because(after, decision) == why
    assert not plan_approved(after, STRICT)


def test_a_plan_decision_does_not_mind_a_new_head() -> None:
    assert plan_approved(authorised(head=NEW_HEAD, head_epoch=9, base="next"), STRICT)


def test_what_was_voided_for_good_never_counts_again() -> None:
    record = authorised()
    gone = record.decisions[-1].model_copy(update={"void": "the review was dismissed"})
    assert void_because(record, gone) == "the review was dismissed"
    voided = record.model_copy(update={"decisions": (*record.decisions[:-1], gone)})
    assert not authority_complete(voided, STRICT)


@pytest.mark.parametrize("gate", ["plan", "testing", "submit"])
def test_a_decision_counts_for_its_own_gate_only(gate: GateName) -> None:
    assert {d.gate for d in counting(authorised(), gate)} == {gate}


BARRED = [
    # separation, gate, kind, who may not
    ({}, "plan", "review", {"ada"}),
    ({}, "testing", "review", {"ada", "lin"}),
    ({}, "submit", "operator", {"ada", "lin"}),
    ({"author_may_review": True}, "plan", "review", set()),
    ({"author_may_review": True}, "testing", "review", set()),
    ({"author_may_review": True}, "submit", "operator", {"ada", "lin"}),
    ({"author_may_gate": True}, "submit", "operator", {"lin"}),
    ({"author_may_gate": True, "pusher_may_gate": True}, "submit", "operator", set()),
    ({"pusher_may_gate": True}, "submit", "operator", {"ada"}),
    ({"author_may_gate": True, "pusher_may_gate": True}, "testing", "review", {"ada", "lin"}),
    ({"requester_may_gate": False}, "submit", "operator", {"ada", "lin", "omar"}),
    ({"requester_may_gate": True}, "submit", "operator", {"ada", "lin"}),
    ({"requester_may_gate": "people"}, "submit", "operator", {"ada", "lin"}),
    ({"requester_may_gate": False}, "submit", "review", {"ada", "lin"}),
]


@pytest.mark.parametrize(("separation", "gate", "kind", "barred"), BARRED)
def test_who_may_not_fill_a_seat(separation: dict[str, Any], gate: GateName, kind: str, barred: set[str]) -> None:
    record = in_submit(pull=a_pull(author=PEOPLE["ada"], pushers=(PEOPLE["lin"],)), requester=PEOPLE["omar"])
    assert set(excluded(record, policy(**separation), gate, kind).values()) == barred


@pytest.mark.parametrize(("is_bot", "barred"), [(True, True), (False, False)])
def test_who_asked_a_bot_for_a_change_does_not_open_its_gate(is_bot: bool, barred: bool) -> None:
    record = in_submit(pull=a_pull(author_is_bot=is_bot), requester=PEOPLE["omar"])
    assert (PEOPLE["omar"].id in excluded(record, STRICT, "submit", "operator")) is barred


@pytest.mark.parametrize("who", ["ada", "lin"])
def test_a_stored_approval_of_an_author_or_pusher_fills_no_seat(who: str) -> None:
    record = in_testing(pull=a_pull(pushers=(PEOPLE["lin"],)))
    record = decided(record, ("testing", "review", who, at("13:00")), ("testing", "operator", "omar", at("13:10")))
    assert seats(record, STRICT, "testing", "review") == ()
    assert not complete(record, STRICT, "testing")


def test_nobody_fills_two_seats_of_one_gate() -> None:
    both = (("testing", "review", "grace", at("13:00")), ("testing", "operator", "grace", at("13:10")))
    record = decided(in_testing(), *both)  # type: ignore[arg-type]  # the gate's name is one
    assert not complete(record, STRICT, "testing")
    assert complete(record, policy(distinct_people=False), "testing")


def test_one_person_is_one_seat_however_often_it_is_said() -> None:
    two = STRICT.model_copy(
        update={"gates": STRICT.gates.model_copy(update={"plan": STRICT.gates.plan.model_copy(update={"reviews": 2})})}
    )
    twice = decided(planned(), ("plan", "plan", "grace", at("16:00")), ("plan", "plan", "grace", at("16:05")))
    assert not plan_approved(twice, two)
    assert plan_approved(decided(twice, ("plan", "plan", "lin", at("16:10"))), two)


def test_gates_may_be_asked_to_be_opened_by_different_people() -> None:
    assert authority_complete(authorised(), STRICT)
    assert not authority_complete(authorised(), policy(distinct_gates=True))


def test_a_later_no_of_the_same_person_takes_the_seat_back() -> None:
    record = decided(in_testing(), ("testing", "review", "grace", at("13:00")))
    no = approval(record, "testing", "grace", at("13:20"), verdict="reject")
    assert seats(record.model_copy(update={"decisions": (*record.decisions, no)}), STRICT, "testing", "review") == ()


RED = CheckEvidence(name="unit", state="failed")


@pytest.mark.parametrize(
    "verification",
    [
        Verification(),
        green(head=NEW_HEAD),
        Verification(state="pending", head=HEAD),
        Verification(state="failed", head=HEAD, checks=(RED,)),
        Verification(state="none", head=HEAD),
    ],
    ids=["never read", "of another head", "pending", "red", "none"],
)
def test_without_green_checks_of_this_head_no_authority_is_complete(verification: Verification) -> None:
    record = authorised(verification=verification)
    assert not complete(record, STRICT, "testing")
    assert not complete(record, STRICT, "submit")
    assert not authority_complete(record, STRICT)


@pytest.mark.parametrize("gate", ["plan", "testing", "submit"])
@pytest.mark.parametrize("kind", ["review", "operator"])
def test_every_seat_of_every_gate_is_needed(gate: GateName, kind: str) -> None:
    record = authorised()

    def is_it(decision: Decision) -> bool:
        return decision.gate == gate and (decision.kind == "operator") == (kind == "operator")

    without = record.model_copy(update={"decisions": tuple(d for d in record.decisions if not is_it(d))})
    assert authority_complete(record, STRICT)
    assert authority_complete(without, STRICT) is (without == record)
    assert (without == record) is (gate == "plan" and kind == "operator"), "only the plan has no human gate"


def test_the_plan_that_counts_is_the_stored_one() -> None:
    assert a_plan().digest == DIGEST
    assert not plan_approved(planned(), STRICT)


def test_people_and_agents_that_are_counted_apart_do_not_fill_each_others_seats() -> None:
    split = GateRules(plan=GateRule(reviews=ReviewSplit(people=1, agents=1)))
    both = STRICT.model_copy(update={"gates": split})
    people = decided(planned(), ("plan", "plan", "grace", at("16:00")), ("plan", "plan", "lin", at("16:05")))
    assert len(seats(people, both, "plan", "review")) == 2
    assert not plan_approved(people, both)
    assert plan_row(people, both, None).text == "1 of 2 approved, and nobody is left who may"

    first, second = people.decisions[-2:]
    mixed = people.model_copy(update={"decisions": (first, second.model_copy(update={"by_agent": True}))})
    assert plan_approved(mixed, both)
    assert plan_row(mixed, both, None).state == "ok"
