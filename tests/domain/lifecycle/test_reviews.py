"""Native reviews: they fill reviewers' seats, are never answered, and a dismissal takes them back."""

from typing import Any

import pytest

from bot.domain.lifecycle.results import Advance
from bot.domain.model.facts import Unknown
from bot.domain.model.own_signals import TimeCame
from bot.domain.model.policy import STRICT
from bot.domain.model.record import Record
from bot.domain.model.sightings import DraftChanged, HeadPushed, ReviewDismissed
from tests.kit.cases import actor, advanced, events, judge, left_alone, permission, pull_facts, reviews, showed, waits
from tests.kit.records import HEAD, NEW_HEAD, OLD_HEAD, PEOPLE, a_pull, at, authorised, decided, in_testing, linked
from tests.kit.verdicts import OPENED


def seen(record: Record, gate: Any = "testing", **changes: Any) -> dict[str, Any]:
    return {"shown": (showed(record, gate, at("13:00"), **changes),)}


def test_a_native_approval_fills_a_reviewers_seat() -> None:
    after = advanced(judge(in_testing(), reviews("grace"), **seen(in_testing())))
    assert (after.decisions[-1].kind, after.decisions[-1].native, after.decisions[-1].review_id) == ("review", True, 70)


@pytest.mark.parametrize(
    ("review", "changes"),
    [
        (reviews("grace", commit=OLD_HEAD), {}),
        (reviews("grace", "COMMENTED"), {}),
        (reviews("grace", pull=35), {}),
        (reviews("grace", written=OPENED), {"updated_at": at("12:00")}),
        (reviews("grace", written=at("13:00")), {}),
        (reviews("grace"), {"round": 4}),
        (reviews("grace"), {"epoch": 2}),
        (reviews("ada"), {}),
        (reviews("forge-1"), {}),
    ],
    ids=[
        "old head",
        "comment",
        "other pull",
        "before the gate",
        "same second",
        "old round",
        "old epoch",
        "author",
        "reader",
    ],
)
def test_a_native_review_that_fills_no_seat_is_left_alone(review: Any, changes: dict[str, Any]) -> None:
    record = in_testing()
    row = showed(record, "testing", at("13:00")).model_copy(update=changes)
    assert left_alone(judge(record, review, shown=(row,)))


def test_a_native_approval_is_left_alone_where_the_policy_wants_none() -> None:
    no = STRICT.model_copy(update={"reviews": STRICT.reviews.model_copy(update={"native": False})})
    assert left_alone(judge(in_testing(), reviews("grace"), no, **seen(in_testing())))


@pytest.mark.parametrize(
    "level", ["read", permission("grace", "admin", user_id=999)], ids=["reader", "another account"]
)
def test_a_review_of_somebody_without_the_right_is_left_alone(level: Any) -> None:
    assert left_alone(judge(in_testing(), reviews("grace", "CHANGES_REQUESTED"), level={"grace": level}))


def test_an_approving_review_whose_writer_could_not_be_verified_comes_again() -> None:
    silent = {"grace": Unknown("502")}
    assert waits(judge(in_testing(), reviews("grace"), level=silent, **seen(in_testing())))


def test_changes_requested_sends_the_head_back_whatever_was_shown() -> None:
    after = advanced(judge(authorised(), reviews("grace", "CHANGES_REQUESTED", reason="no")))
    assert (after.phase, after.feedback) == ("building", "no")


@pytest.mark.parametrize("frozen", ["suspended", "instance_conflict", "database_behind"])
@pytest.mark.parametrize("record", [in_testing(), authorised()], ids=["testing", "submit"])
def test_changes_requested_count_while_the_record_is_frozen(record: Record, frozen: str) -> None:
    after = advanced(judge(record.model_copy(update={"frozen": frozen}), reviews("grace", "CHANGES_REQUESTED")))
    assert (after.phase, after.rejected_heads, after.frozen) == ("building", (HEAD,), frozen)


@pytest.mark.parametrize(
    ("pull", "kept"), [(Unknown("502"), True), (pull_facts(in_testing()), False)], ids=["unread", "read"]
)
def test_changes_requested_on_an_older_head_are_kept_where_nobody_can_see_whether_it_is_back(
    pull: Any, kept: bool
) -> None:
    record = in_testing(rejected_heads=(OLD_HEAD,))
    result = judge(record, reviews("grace", "CHANGES_REQUESTED", commit=OLD_HEAD), pull=pull)
    assert bool(result.record.rejected_ahead if isinstance(result, Advance) else ()) is kept
    if kept:
        back = HeadPushed(key="p", actor=actor("ada"), pull=34, before=HEAD, after=OLD_HEAD)
        assert advanced(judge(advanced(result), back, pull=pull_facts(record, head_sha=OLD_HEAD))).is_rejected


@pytest.mark.parametrize("begin", [in_testing, linked], ids=["testing", "building"])
def test_changes_requested_on_no_commit_are_kept_for_the_head_that_could_not_be_read(begin: Any) -> None:
    record = begin()
    no = reviews("grace", "CHANGES_REQUESTED", commit=None)
    push = HeadPushed(key="p", actor=actor("ada"), pull=34, before=HEAD, after=NEW_HEAD)

    said = advanced(judge(record, no, pull=Unknown("502")))
    after = advanced(judge(said, push, pull=pull_facts(record, head_sha=NEW_HEAD)))

    assert after.rejected_heads == (HEAD, NEW_HEAD)


def test_changes_requested_on_no_commit_are_over_with_the_head_that_was_shown_after_them() -> None:
    record = in_testing()
    said = advanced(judge(record, reviews("grace", "CHANGES_REQUESTED", commit=None), pull=Unknown("502")))
    shown = advanced(judge(said, TimeCame(key="", actor=actor("ada"))))
    push = HeadPushed(key="p", actor=actor("ada"), pull=34, before=HEAD, after=NEW_HEAD)

    after = advanced(judge(shown, push, pull=pull_facts(record, head_sha=NEW_HEAD)))

    assert (after.head, after.is_rejected) == (NEW_HEAD, False)


def test_a_dismissed_review_no_longer_counts() -> None:
    record = decided(in_testing(), ("testing", "review", "grace", at("13:00")))
    native = record.decisions[-1].model_copy(update={"review_id": 70, "native": True})
    record = record.model_copy(update={"decisions": (*record.decisions[:-1], native)})
    gone = ReviewDismissed(key="d", actor=actor("ada"), pull=34, review_id=70)
    after = advanced(judge(record, gone))
    assert after.decisions[-1].void is not None
    other = advanced(judge(record, gone.model_copy(update={"review_id": 71})))
    assert other.decisions == record.decisions


def test_a_dismissed_testing_review_takes_submit_with_it() -> None:
    record = authorised()
    marked = tuple(
        d.model_copy(update={"review_id": 70}) if (d.gate, d.kind) == ("testing", "review") else d
        for d in record.decisions
    )
    gone = ReviewDismissed(key="d", actor=actor("ada"), pull=34, review_id=70)
    result = judge(record.model_copy(update={"decisions": marked}), gone)
    assert "testing_decision_revoked" in events(result)
    after = advanced(result)
    assert after.merge.state == "none"
    assert not [d for d in after.decisions if d.gate == "submit" and d.void is None]


def test_changes_requested_on_a_draft_keep_that_commit_from_being_judged_when_the_draft_is_ready() -> None:
    record = linked(pull=a_pull(draft=True))
    told = advanced(judge(record, reviews("grace", "CHANGES_REQUESTED"), pull=pull_facts(record, draft=True)))
    assert (told.phase, told.rejected_heads, told.feedback_by) == ("building", (HEAD,), PEOPLE["grace"])

    ready = judge(told, DraftChanged(key="d", actor=actor("ada"), pull=34, draft=False))

    assert advanced(ready).phase == "building"
