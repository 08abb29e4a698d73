"""What a refusal tells people to type is not refused in that very state; and it says who stopped the work, and since when."""

import pytest

from bot.domain.lifecycle.refusing import blocked, frozen, withdrawn
from bot.domain.model.policy import STRICT
from bot.domain.model.record import Record
from tests.kit.blocked_record import blocked as stopped
from tests.kit.records import PEOPLE, at


def blocked_by(cause: str, **changes: object) -> Record:
    record = stopped(questions=())
    assert record.blocked is not None
    stop = {"cause": cause, "reason": "it stopped", "from_": "testing", "since": at("10:05"), **changes}
    return record.model_copy(update={"blocked": record.blocked.model_copy(update=stop)})


@pytest.mark.parametrize(
    ("cause", "way"),
    [
        ("budget", "an operator can comment `/retry`."),
        ("external_merge", "an operator can comment `/settle merged` and the 40-digit merge commit."),
        ("issue_gone", "A builder can start again on another issue; this one is gone."),
        ("question", "an operator can comment `/resume testing`."),
        ("checks", "an operator can comment `/resume testing`."),
        ("merge_refused", "an operator can comment `/resume testing`."),
    ],
)
def test_who_is_refused_since_the_work_is_blocked_reads_of_the_way_on_that_there_is(cause: str, way: str) -> None:
    told = blocked(blocked_by(cause), STRICT).refusal.message

    assert told.endswith(way), told
    assert ("/resume" in told) is ("/resume" in way)


def test_who_is_refused_since_the_work_is_blocked_reads_who_blocked_it_and_since_when_and_why() -> None:
    told = blocked(blocked_by("question", by=PEOPLE["grace"]), STRICT).refusal.message

    assert told.startswith(
        "The record is **blocked** by `grace` since 30 Nov 2026, 10:05 UTC: it stopped. Nothing changed."
    )


def test_where_builders_let_work_go_on_they_are_named_for_that_and_not_for_a_used_up_budget() -> None:
    policy = STRICT.model_copy(update={"blocked_recovery": "builder"})

    assert (
        "a builder or an operator can comment `/resume testing`"
        in blocked(blocked_by("question"), policy).refusal.message
    )
    assert "builder" not in blocked(blocked_by("budget"), policy).refusal.message


def test_what_was_blocked_before_its_plan_was_approved_goes_on_in_planning() -> None:
    assert "`/resume planning`" in blocked(blocked_by("question", from_="plan_ready"), STRICT).refusal.message


def test_who_is_refused_on_a_frozen_record_reads_how_it_thaws_in_this_very_phase() -> None:
    """`/replan` is refused while blocked (LIFECYCLE.md 2.2), so `/resume planning` is named there."""
    lost = blocked_by("question").model_copy(update={"frozen": "database_behind"})
    told = frozen(lost, STRICT).refusal.message

    assert "/replan" not in told
    assert "`/resume planning`" in told
    assert "`/replan` and why" in frozen(lost.model_copy(update={"phase": "building"}), STRICT).refusal.message


def test_whoever_lifts_a_suspension_is_no_operator_of_ours() -> None:
    told = frozen(blocked_by("question").model_copy(update={"frozen": "suspended"}), STRICT).refusal.message

    assert "an owner of the organisation can lift the suspension on GitHub, or unarchive the repository." in told


def test_who_is_refused_on_cancelled_work_reads_since_when_and_that_the_label_is_taken_off_first() -> None:
    """`/cancel` leaves the issue open and the label on, so neither "reopening" nor "adding" alone is possible."""
    changes = {"withdrawn": True, "withdrawn_by": PEOPLE["ada"], "withdrawn_at": at("10:07")}
    told = withdrawn(blocked_by("question").model_copy(update=changes)).refusal.message

    assert told.startswith("The record is withdrawn by `ada` since 30 Nov 2026, 10:07 UTC, ")
    assert "taking it off first where it is still on" in told
