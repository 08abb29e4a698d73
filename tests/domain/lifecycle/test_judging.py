"""Verdicts on a head: who may say what, about which gate and head, and when it was written."""

from typing import Any

import pytest

from bot.domain.model.command_signals import Approve, OpenGate, Reject
from bot.domain.model.linked import UnexplainedHead
from bot.domain.model.policy import STRICT, GateRule, GateRules
from bot.domain.model.record import Held, Record
from tests.kit.cases import (
    LEVEL,
    NOW,
    SILENT,
    advanced,
    approves,
    events,
    judge,
    opens_gate,
    permission,
    refusal,
    rejects,
    showed,
    verdict,
)
from tests.kit.records import (
    HEAD,
    OLD_HEAD,
    PEOPLE,
    a_pull,
    a_record,
    at,
    authorised,
    decided,
    in_submit,
    in_testing,
    linked,
    merged,
    merging,
    planned,
)
from tests.kit.verdicts import SUBMIT, TESTING, policy


def test_an_approval_is_stored_with_everything_it_was_about() -> None:
    after = advanced(judge(in_testing(), approves("grace", **TESTING)))
    given = after.decisions[-1]
    assert (given.gate, given.kind, given.verdict, given.by) == ("testing", "review", "approve", PEOPLE["grace"])
    assert (given.head, given.epoch, given.base, given.pull_request) == (HEAD, 3, "main", 34)
    assert (given.revision, given.round, given.at, given.source) == (2, 5, NOW, "comment:grace")


def test_the_last_seat_of_testing_opens_submit_in_a_new_round() -> None:
    record = decided(in_testing(), ("testing", "review", "grace", at("13:00")))
    result = judge(record, opens_gate("omar", **TESTING))
    assert events(result) == ["gate_complete"]
    after = advanced(result)
    assert (after.phase, after.review_round, after.gates_opened.submit.round) == ("submit", 6, 6)
    assert all(d.consumed for d in after.decisions if d.gate == "testing")


def test_the_last_seat_of_submit_reserves() -> None:
    record = decided(in_submit(), ("submit", "review", "grace", at("14:20")))
    after = advanced(judge(record, opens_gate("omar", **SUBMIT)))
    assert (after.phase, after.merge.state, after.merge.head, after.merge.locked) == ("submit", "reserved", HEAD, True)


# Who may.


@pytest.mark.parametrize(
    ("level", "code"),
    [
        ("write", None),
        ("maintain", None),
        ("admin", None),
        ("triage", "not_allowed"),
        ("read", "not_allowed"),
        ("none", "not_allowed"),
        (SILENT, "could_not_verify"),
        (permission("grace", "admin", user_id=999), "not_allowed"),
        (permission("grace", "admin", is_bot=True), "not_allowed"),
    ],
    ids=["write", "maintain", "admin", "triage", "read", "none", "unknown", "another account", "a bot"],
)
@pytest.mark.parametrize("signal", [approves("grace", **TESTING), rejects("grace")], ids=["approve", "reject"])
def test_only_a_proven_reviewer_decides(level: Any, code: str | None, signal: Approve | Reject) -> None:
    result = judge(in_testing(), signal, level={"grace": level})
    assert verdict(result) == code


@pytest.mark.parametrize(
    ("level", "code"),
    [("maintain", None), ("admin", None), ("write", "not_allowed"), (SILENT, "could_not_verify")],
    ids=["maintain", "admin", "write", "unknown"],
)
def test_only_a_proven_operator_opens_the_human_gate(level: Any, code: str | None) -> None:
    result = judge(in_testing(), opens_gate("omar", **TESTING), level={"omar": level})
    assert verdict(result) == code


@pytest.mark.parametrize("kind", ["agent", "app", "bot", "cli"])
def test_nobody_but_a_person_fills_a_seat(kind: Any) -> None:
    assert refusal(judge(in_testing(), approves("grace", kind=kind, **TESTING))) == "not_allowed"


@pytest.mark.parametrize(
    ("who", "signal", "separation", "code"),
    [
        ("ada", "approve", {}, "self_approval"),
        ("ada", "gate", {}, "self_approval"),
        ("lin", "approve", {}, "self_approval"),
        ("lin", "gate", {}, "self_approval"),
        ("ada", "gate", {"author_may_gate": True, "pusher_may_gate": True}, None),
        ("lin", "gate", {"pusher_may_gate": True}, None),
        ("ada", "approve", {"author_may_review": True}, None),
    ],
)
def test_authors_and_pushers_fill_no_seat(who: str, signal: str, separation: Any, code: str | None) -> None:
    record = in_testing(pull=a_pull(pushers=(PEOPLE["lin"],)))
    said = approves(who, **TESTING) if signal == "approve" else opens_gate(who, **TESTING)
    result = judge(record, said, policy(**separation), level={who: "admin"})
    assert verdict(result) == code


def test_nobody_fills_both_kinds_of_seat_of_one_gate() -> None:
    reviewed = decided(in_testing(), ("testing", "review", "omar", at("13:00")))
    opened = decided(in_testing(), ("testing", "operator", "omar", at("13:00")))
    assert refusal(judge(reviewed, opens_gate("omar", **TESTING))) == "same_person"
    assert refusal(judge(opened, approves("omar", **TESTING))) == "same_person"
    assert verdict(judge(reviewed, opens_gate("omar", **TESTING), policy(distinct_people=False))) is None


def test_the_same_decision_twice_is_recorded_once() -> None:
    reviewed = decided(in_testing(), ("testing", "review", "grace", at("13:00")))
    assert refusal(judge(reviewed, approves("grace", **TESTING))) == "already_recorded"


def test_different_gates_are_opened_by_different_people_where_the_policy_says_so() -> None:
    assert refusal(judge(in_submit(), opens_gate("omar", **SUBMIT), policy(distinct_gates=True))) == "same_person"
    assert verdict(judge(in_submit(), opens_gate("omar", **SUBMIT))) is None


@pytest.mark.parametrize(
    "unknown",
    [{"pull": a_pull(pusher_unknown=True)}, {"unexplained_head": UnexplainedHead(before=OLD_HEAD, after=HEAD)}],
)
def test_an_unknown_pusher_may_be_refused(unknown: dict[str, Any]) -> None:
    record = in_testing(**unknown)
    assert refusal(judge(record, approves("grace", **TESTING), policy(unknown_pusher="refuse"))) == "unknown_pusher"
    assert verdict(judge(record, approves("grace", **TESTING))) is None


# Where it is not the moment.

BLOCKED = {
    "phase": "blocked",
    "blocked": {"reason": "why", "from": "testing", "since": NOW},
}


def blocked() -> Record:
    return Record.model_validate(in_testing().model_dump(by_alias=True) | BLOCKED)


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (a_record(), "wrong_phase"),
        (planned(), "wrong_phase"),
        (linked(), "wrong_phase"),
        (blocked(), "blocked"),
        (merged(), "wrong_phase"),
        (merging("requested"), "merge_in_flight"),
        (merging("ambiguous"), "merge_in_flight"),
        (merging("confirming"), "merge_in_flight"),
        (in_testing(withdrawn=True), "withdrawn"),
        (in_testing(frozen="suspended"), "frozen"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value.phase}-{value.merge.state}",
)
@pytest.mark.parametrize(
    "signal", [approves("grace", **TESTING), opens_gate("omar", **TESTING)], ids=["approve", "gate"]
)
def test_where_no_gate_is_open_nothing_is_stored(record: Record, code: str, signal: Approve | OpenGate) -> None:
    assert refusal(judge(record, signal)) == code


def test_an_approval_beside_a_reservation_changes_nothing_about_it() -> None:
    assert (
        refusal(judge(merging("reserved"), opens_gate("lin", **SUBMIT), level={"lin": "admin"})) == "already_recorded"
    )
    assert advanced(judge(merging("reserved"), approves("lin", **SUBMIT))).merge.state == "reserved"


# Stops.


def test_a_rejection_sends_the_head_back_and_voids_what_was_decided_about_it() -> None:
    after = advanced(judge(authorised(), rejects("grace", reason="the key is gone")))
    assert (after.phase, after.feedback, after.rejected_heads) == ("building", "the key is gone", (HEAD,))
    assert all(d.void is not None for d in after.decisions if d.gate != "plan")
    assert after.budgets.review_cycles == (1, 3)


def test_a_rejection_releases_what_has_asked_nothing() -> None:
    after = advanced(judge(merging("reserved", locked=True), rejects("grace")))
    assert (after.phase, after.merge.state, after.merge.locked) == ("building", "none", False)


@pytest.mark.parametrize("state", ["requested", "ambiguous", "confirming"])
def test_a_rejection_stops_nothing_that_was_asked(state: str) -> None:
    assert refusal(judge(merging(state), rejects("grace"))) == "merge_in_flight"


@pytest.mark.parametrize(
    "row", [{"gate": "testing"}, {"round": 1}, {"epoch": 1}, {"gate": None}, {"updated_at": at("09:00")}], ids=str
)
def test_a_rejection_is_never_stale_while_its_head_is_there(row: dict[str, Any]) -> None:
    record = in_submit()
    seen = showed(record, "submit", at("14:00")).model_copy(update=row)
    assert advanced(judge(record, rejects("grace", at("14:10")), shown=(seen,))).phase == "building"


def test_a_rejection_of_a_head_that_is_gone_says_that_it_is_void_already() -> None:
    record = in_submit()
    seen = showed(record, "submit", at("14:00"), head=OLD_HEAD)
    by_now = showed(record, "submit", at("14:15"))
    assert refusal(judge(record, rejects("grace", at("14:10")), shown=(seen, by_now))) == "head_moved"


def test_a_held_record_collects_decisions_and_reserves_nothing() -> None:
    held = Held(by=PEOPLE["omar"], since=NOW)
    record = decided(in_submit(held=held), ("submit", "review", "grace", at("14:20")))
    after = advanced(judge(record, opens_gate("omar", **SUBMIT)))
    assert (after.merge.state, len(after.decisions)) == ("none", len(record.decisions) + 1)


def test_two_reviewers_are_two_people_where_two_are_asked_for() -> None:
    two = STRICT.model_copy(update={"gates": GateRules(testing=GateRule(reviews=2, operators=0))})
    one = decided(in_testing(), ("testing", "review", "grace", at("13:00")))
    assert refusal(judge(one, approves("grace", **TESTING), two)) == "already_recorded"
    assert advanced(judge(one, approves("lin", **TESTING), two)).phase == "submit"


def test_everybody_in_these_tables_has_a_level() -> None:
    assert set(LEVEL) == set(PEOPLE)


@pytest.mark.parametrize("frozen", ["suspended", "instance_conflict", "database_behind"])
@pytest.mark.parametrize("record", [in_testing(), authorised()], ids=["testing", "submit"])
def test_a_reject_counts_while_the_record_is_frozen(record: Record, frozen: str) -> None:
    after = advanced(judge(record.model_copy(update={"frozen": frozen}), rejects("grace")))
    assert (after.phase, after.rejected_heads) == ("building", (HEAD,))
