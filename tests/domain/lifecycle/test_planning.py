"""Plans: who submits, who judges, and that an approval is of exactly one text."""

from typing import Any

import pytest

from bot.domain.lifecycle.planning import digest_of
from bot.domain.lifecycle.results import Ignore
from bot.domain.model.command_signals import Replan
from bot.domain.model.policy import STRICT, GateRule, GateRules, Separation
from bot.domain.model.record import Record
from tests.kit.cases import (
    SILENT,
    actor,
    advanced,
    approves,
    events,
    judge,
    plans,
    refusal,
    rejects,
    showed,
    source,
    verdict,
)
from tests.kit.records import (
    PEOPLE,
    a_plan,
    a_record,
    approved,
    at,
    decided,
    in_submit,
    in_testing,
    linked,
    merged,
    merging,
    planned,
)

OPENED = at("15:31", day=29)


def approval(by: str = "grace", **said: Any) -> Any:
    return approves(by, thread="issue", **{"revision": 2} | said)


def test_a_plan_opens_its_gate_in_a_new_round() -> None:
    after = advanced(judge(a_record(), plans("ada", "  Retry three times. ")))
    assert after.plan is not None
    assert (after.phase, after.plan.revision, after.plan.round, after.review_round) == ("plan_ready", 1, 1, 1)
    assert (after.plan.text, after.plan.digest) == ("Retry three times.", digest_of("Retry three times."))


def test_a_new_revision_voids_what_was_said_about_the_old_one() -> None:
    two = STRICT.model_copy(update={"gates": GateRules(plan=GateRule(reviews=2))})
    record = decided(planned(), ("plan", "plan", "grace", at("16:00")))
    result = judge(record, plans("ada"), two)
    assert events(result) == ["replan", "plan_submitted"]
    after = advanced(result)
    assert after.plan is not None
    assert (after.plan.revision, after.phase) == (3, "plan_ready")
    assert all(d.void is not None for d in after.decisions)


@pytest.mark.parametrize(
    "record", [a_record(plan=a_plan()), planned(), approved(), in_submit()], ids=lambda record: record.phase
)
def test_a_plan_from_before_somebody_wanted_it_planned_anew_is_not_submitted(record: Record) -> None:
    """The words are heard in the other order; a /replan from before that one moves nothing back."""

    def wanted(since: Record, when: str) -> Record:
        word = Replan(key=when, actor=actor("omar"), source=source(at(when), "issue"), why="otherwise")
        result = judge(since, word)
        return since if isinstance(result, Ignore) else advanced(result)

    anew = wanted(wanted(record, "14:25"), "14:10")

    assert refusal(judge(anew, plans("ada", written=at("14:20")))) == "stale_comment"
    assert advanced(judge(anew, plans("ada", written=at("14:26")))).phase == "plan_ready"


@pytest.mark.parametrize("text", ["", "  \n ", "x" * 60_001])
def test_a_plan_is_text_of_a_bounded_length(text: str) -> None:
    assert refusal(judge(a_record(), plans("ada", text))) == "bad_argument"
    assert verdict(judge(a_record(), plans("ada", "x" * 60_000))) is None


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (linked(), "wrong_phase"),
        (in_testing(), "wrong_phase"),
        (in_submit(), "wrong_phase"),
        (merging("reserved"), "merge_in_flight"),
        (merging("requested"), "merge_in_flight"),
        (merged(), "wrong_phase"),
        (a_record(withdrawn=True), "withdrawn"),
        (a_record(frozen="suspended"), "frozen"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value.phase}-{value.merge.state}",
)
def test_a_plan_is_submitted_only_while_planning(record: Record, code: str) -> None:
    assert refusal(judge(record, plans("ada"))) == code


@pytest.mark.parametrize(
    ("level", "code"), [("triage", "not_allowed"), ("read", "not_allowed"), (SILENT, "could_not_verify")], ids=str
)
def test_only_a_builder_submits_a_plan(level: Any, code: str) -> None:
    assert refusal(judge(a_record(), plans("ada"), level={"ada": level})) == code


def test_an_approved_plan_is_built() -> None:
    result = judge(planned(), approval())
    assert events(result) == ["plan_approved"]
    assert advanced(result).phase == "building"


@pytest.mark.parametrize(
    ("signal", "world", "code"),
    [
        (approval(revision=1), {}, "revision_moved"),
        (approval(revision=3), {}, "revision_moved"),
        (approval("ada"), {}, "self_approval"),
        (approval("forge-1"), {}, "not_allowed"),
        (approval("grace", kind="agent"), {}, "not_allowed"),
        (approval(), {"level": {"grace": SILENT}}, "could_not_verify"),
        (approval(written=OPENED), {}, "stale_comment"),
        (approval(written=at("15:30", day=29)), {}, "stale_comment"),
        (approval(revision=None), {}, "stale_comment"),
    ],
    ids=["older", "newer", "own plan", "reader", "agent", "unknown", "same second", "too early", "nothing shown"],
)
def test_why_an_approval_of_a_plan_does_not_count(signal: Any, world: dict[str, Any], code: str) -> None:
    assert refusal(judge(planned(), signal, **world)) == code


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({}, None),
        ({"revision": 1}, "stale_comment"),
        ({"round": 1}, "stale_comment"),
        ({"gate": None}, "stale_comment"),
        ({"updated_at": at("16:00")}, "stale_comment"),
    ],
    ids=str,
)
def test_the_short_form_approves_the_plan_that_was_shown(row: dict[str, Any], code: str | None) -> None:
    seen = showed(planned(), "plan", at("15:50")).model_copy(update=row)
    result = judge(planned(), approval(revision=None, written=at("16:00")), shown=(seen,))
    assert verdict(result) == code


def test_a_plan_may_need_two_people() -> None:
    two = STRICT.model_copy(update={"gates": GateRules(plan=GateRule(reviews=2))})
    one = advanced(judge(planned(), approval(), two))
    assert one.phase == "plan_ready"
    assert refusal(judge(one, approval(), two)) == "already_recorded"
    assert advanced(judge(one, approval("lin"), two)).phase == "building"


@pytest.mark.parametrize("record", [approved(), linked(), in_testing(), in_submit()], ids=lambda r: r.phase)
def test_another_reviewer_re_affirms_the_plan_later(record: Record) -> None:
    after = advanced(judge(record, approval("lin")))
    assert (after.phase, after.decisions[-1].gate, after.decisions[-1].by) == (record.phase, "plan", PEOPLE["lin"])


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (a_record(), "wrong_phase"),
        (merged(), "wrong_phase"),
        (merging("requested"), "merge_in_flight"),
        (planned(withdrawn=True), "withdrawn"),
        (planned(frozen="suspended"), "frozen"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value.phase}-{value.merge.state}",
)
def test_where_no_plan_can_be_judged(record: Record, code: str) -> None:
    assert refusal(judge(record, approval())) == code


def test_a_rejected_plan_keeps_the_reason_and_no_approval() -> None:
    two = STRICT.model_copy(update={"gates": GateRules(plan=GateRule(reviews=2))})
    record = decided(planned(), ("plan", "plan", "lin", at("16:00")))
    after = advanced(judge(record, rejects("grace", thread="issue", reason="too vague"), two))
    assert (after.phase, after.feedback, after.feedback_by) == ("plan_rejected", "too vague", PEOPLE["grace"])
    assert all(d.void is not None for d in after.decisions)
    again = advanced(judge(after, plans("ada")))
    assert again.plan is not None
    assert (again.plan.revision, again.phase) == (3, "plan_ready")


def test_a_rejection_of_a_plan_is_never_stale_but_for_another_revision() -> None:
    seen = showed(planned(), "plan", at("16:00"), round=1)
    assert advanced(judge(planned(), rejects("grace", thread="issue"), shown=(seen,))).phase == "plan_rejected"
    other = showed(planned(), "plan", at("16:00"), revision=1, updated_at=at("14:00"))
    by_now = showed(planned(), "plan", at("17:00"))
    assert refusal(judge(planned(), rejects("grace", thread="issue"), shown=(other, by_now))) == "revision_moved"
    assert refusal(judge(planned(), rejects("grace", thread="issue", revision=1))) == "revision_moved"
    assert refusal(judge(planned(), rejects("forge-1", thread="issue"))) == "not_allowed"


def test_an_author_may_review_where_the_policy_says_so() -> None:
    alone = STRICT.model_copy(update={"separation": Separation(author_may_review=True)})
    assert advanced(judge(planned(plan=a_plan()), approval("ada"), alone)).phase == "building"
