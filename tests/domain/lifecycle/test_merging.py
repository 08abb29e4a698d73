"""The merge section: asked once, judged, looked at, confirmed from two sides, given back by proof only."""

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.lifecycle.ending import both_sides_of
from bot.domain.lifecycle.waking import wake_at
from bot.domain.merging.reservation import may_wait, pause
from bot.domain.model.facts import BaseRules, RequiredCheck
from bot.domain.model.ids import SIGNALBOX
from bot.domain.model.own_signals import MergeAnswered, ReleaseReservation
from bot.domain.model.policy import STRICT
from bot.domain.model.sightings import ChecksChanged
from bot.domain.model.signals import Signal
from tests.kit.cases import (
    MERGE_SHA,
    NOW,
    REQUIRED,
    actor,
    advanced,
    events,
    evidence,
    judge,
    left_alone,
    order_of,
    pull_facts,
)
from tests.kit.merge_steps import ASK, EXPIRED, NOT_SENT, PUSHED, TICK, UUID, answer, asked, remembered
from tests.kit.records import HEAD, NEW_HEAD, merging

TIP, OLD_TIP = "e" * 40, "d" * 40

# Asking.


def test_the_request_is_stored_for_exactly_the_reserved_head() -> None:
    reserved = merging("reserved", locked=True)
    result = judge(reserved, ASK)
    record = advanced(result)
    assert (record.merge.state, record.merge.attempt, record.merge.attempts) == ("requested", "r-39.1", 1)
    assert (record.merge.live_attempts, record.asked_heads) == (("r-39.1",), (HEAD,))
    order = order_of(reserved, result)
    assert order is not None
    assert (order.head, order.pull, order.base, order.method, order.attempt) == (HEAD, 34, "main", "squash", "r-39.1")


@pytest.mark.parametrize("state", ["none", "requested", "ambiguous", "confirming", "refused"])
def test_only_a_reservation_asks(state: str) -> None:
    assert left_alone(judge(merging(state), ASK))


@pytest.mark.parametrize("change", [{"reservation": "r-38"}, {"attempts": 1}, {"attempts": -1}], ids=str)
def test_only_the_next_attempt_of_this_reservation_asks(change: dict[str, Any]) -> None:
    assert left_alone(judge(merging("reserved"), ASK.model_copy(update=change)))


def test_an_attempt_has_a_name_that_was_never_used() -> None:
    record = advanced(judge(merging("reserved", attempts=3), ASK.model_copy(update={"attempts": 3})))
    assert (record.merge.attempt, record.merge.attempts) == ("r-39.4", 4)


@pytest.mark.parametrize(("known", "stored"), [(None, TIP), (OLD_TIP, OLD_TIP)], ids=["first", "again"])
def test_what_the_base_was_before_the_first_request_is_stored_with_it(known: str | None, stored: str) -> None:
    rules = BaseRules(required=tuple(RequiredCheck(name=name) for name in REQUIRED), protected=True, tip=TIP)
    record = advanced(judge(merging("reserved", base_tip=known), ASK, rules=rules))
    assert record.merge.base_tip == stored
    where = both_sides_of(record)
    shown = evidence(record, pull_merged=False, on_base=False)
    no = answer(405, "r-39.1", message="Pull Request is not mergeable")
    assert where.since == stored
    assert advanced(judge(record, no, evidence=shown, also={where: shown})).merge.state == "refused"


# A record in flight asks nothing and moves nowhere.


@pytest.mark.parametrize("state", ["requested", "ambiguous", "confirming"])
def test_while_github_may_be_merging_nothing_is_reserved_and_nothing_moves(state: str) -> None:
    record = asked(state)
    assert left_alone(judge(record, TICK))
    checks = ChecksChanged(key="c", actor=actor("ada"), head=HEAD, name="build")
    after = advanced(judge(record, checks))
    assert (after.phase, after.merge.state, after.merge.id) == ("submit", state, "r-39")


@pytest.mark.parametrize("state", ["requested", "ambiguous", "confirming"])
def test_a_push_is_remembered_in_order_and_changes_no_head(state: str) -> None:
    record = asked(state, remembered=remembered(ChecksChanged(key="c", actor=actor("ada"), head=HEAD)))
    after = advanced(judge(record, PUSHED))
    assert (after.head, after.head_epoch, after.phase) == (HEAD, 3, "submit")
    assert [item.signal["kind"] for item in after.merge.remembered] == ["checks_changed", "head_pushed"]


# Answers.


def test_a_success_is_confirmed_before_it_is_believed() -> None:
    after = advanced(judge(asked(), answer(200, merged=True, sha=MERGE_SHA)))
    assert (after.phase, after.merge.state, after.merge.sha, after.merge.locked) == (
        "submit",
        "confirming",
        MERGE_SHA,
        True,
    )


@pytest.mark.parametrize(
    "reply",
    [
        answer(None, why="timeout"),
        answer(502),
        answer(200),
        answer(405, message="Merge already in progress"),
        answer(418, message="teapot"),
        answer(409, message="something new"),
    ],
    ids=["no answer", "502", "unreadable 200", "in progress", "unknown 4xx", "unknown 409"],
)
def test_what_may_have_landed_keeps_the_pull_request_and_frees_the_base(reply: MergeAnswered) -> None:
    after = advanced(judge(asked(), reply))
    assert (after.merge.state, after.merge.id, after.merge.locked) == ("ambiguous", "r-39", False)
    assert after.merge.live_attempts == ("a-1",)


def test_a_moved_head_is_a_definitive_no_and_goes_back_to_building() -> None:
    after = advanced(judge(asked(), answer(409, message="Head branch was modified.")))
    assert (after.phase, after.merge.state, after.merge.locked) == ("building", "none", False)


def test_a_policy_no_is_refused_with_its_reason_and_waits() -> None:
    after = advanced(judge(asked(), answer(405, message="At least 1 approving review is required")))
    assert (after.phase, after.merge.state, after.merge.locked) == ("submit", "refused", False)
    assert "approving review" in (after.merge.reason or "")


def test_a_moved_base_is_asked_again_by_the_same_reservation_five_times_at_most() -> None:
    no = answer(405, message="Base branch was modified.")
    again = advanced(judge(asked(), no))
    assert (again.merge.state, again.merge.id, again.merge.attempt, again.merge.tries) == ("reserved", "r-39", None, 1)
    assert advanced(judge(asked(tries=4), no)).merge.state == "refused"


def test_a_refusal_does_not_release_while_another_attempt_can_still_land() -> None:
    record = asked(live_attempts=("a-0", "a-1"))
    after = advanced(judge(record, answer(405, attempt="a-0", message="Base branch was modified.")))
    assert (after.merge.state, after.merge.live_attempts) == ("requested", ("a-1",))


def test_an_answer_to_an_attempt_that_is_over_changes_nothing() -> None:
    assert left_alone(judge(asked(), answer(405, attempt="a-0", message="Base branch was modified.")))
    assert left_alone(judge(asked("refused"), answer(200, merged=True, sha=MERGE_SHA)))


def test_where_there_is_no_asynchronous_merge_the_synchronous_one_is_asked() -> None:
    after = advanced(judge(asked(api="async"), answer(404, api="async", message="Not Found")))
    assert (after.merge.state, after.merge.api) == ("reserved", "sync")


@pytest.mark.parametrize(
    ("known", "setting", "asks_with"),
    [
        ({"api": "async"}, {"api": "sync"}, "sync"),
        ({"api": "sync"}, {"api": "async"}, "async"),
        ({"api": "sync", "no_async": True}, {"api": "async"}, "sync"),
        ({"api": "sync", "no_async": True}, {"api": "async", "async_only": True}, "async"),
    ],
    ids=["sync", "auto", "auto and learnt", "async"],
)
def test_the_next_request_obeys_the_setting_whatever_was_asked_before(
    known: dict[str, Any], setting: dict[str, Any], asks_with: str
) -> None:
    signal = ASK.model_copy(update={"api": setting["api"]})
    after = advanced(judge(merging("reserved", **known), signal, async_only=setting.get("async_only", False)))
    assert after.merge.api == asks_with


def test_a_new_reservation_remembers_that_there_is_no_asynchronous_merge() -> None:
    known = merging("refused", api="sync", no_async=True, look_at=NOW, refused_since=NOW)
    after = advanced(judge(known, TICK))
    assert (after.merge.state, after.merge.no_async) == ("reserved", True)


def test_an_asynchronous_request_keeps_its_name() -> None:
    after = advanced(judge(asked(api="async"), answer(202, api="async", body_status="pending", uuid=UUID)))
    assert (after.merge.state, after.merge.uuid) == ("requested", UUID)


def test_what_never_left_is_asked_again() -> None:
    after = advanced(judge(asked(), NOT_SENT))
    assert (after.merge.state, after.merge.attempt, after.merge.live_attempts) == ("reserved", None, ())
    late = advanced(judge(asked("ambiguous"), NOT_SENT))
    assert (late.merge.state, late.merge.live_attempts) == ("refused", ())


def test_what_never_left_is_no_try_of_what_github_refuses_for_a_moment() -> None:
    record = asked(tries=4, reserved_at=NOW - timedelta(seconds=20))
    after = advanced(judge(record, NOT_SENT))
    assert (after.merge.state, after.merge.tries) == ("reserved", 4)


def test_what_github_refused_for_a_moment_has_its_whole_patience_again() -> None:
    """Not from its reservation, which the tries before used up; and what never leaves does not begin it anew."""
    record = asked(tries=3, reserved_at=NOW - timedelta(minutes=3))
    again = advanced(judge(record, answer(405, message="Base branch was modified."))).merge
    assert (again.state, again.look_at) == ("reserved", NOW + timedelta(seconds=40))
    tried = [NOW + timedelta(seconds=seconds) for seconds in (40, 42, 99, 159, 160)]
    pauses = [pause(again, at).total_seconds() if may_wait(again, at) else None for at in tried]
    assert pauses == [1, 2, 59, 60, None]

    unsent = record.model_copy(update={"merge": again.model_copy(update={"state": "requested", "attempt": "a-1"})})
    assert advanced(judge(unsent, NOT_SENT, now=tried[-1])).merge.state == "refused"


def test_what_cannot_be_sent_for_long_gives_the_base_to_others_and_comes_again_by_itself() -> None:
    record = asked(reserved_at=NOW - timedelta(minutes=3))
    after = advanced(judge(record, NOT_SENT))
    assert (after.merge.state, after.merge.locked, after.merge.reason_code) == ("refused", False, "not_sent")
    assert after.merge.reason == "the request was never sent: connection refused"
    later = NOW + timedelta(seconds=31)
    assert wake_at(after, STRICT, NOW) == NOW + timedelta(seconds=30)
    assert advanced(judge(after, TICK, now=later)).merge.state == "reserved"


def test_what_never_left_does_not_release_while_another_attempt_can_still_land() -> None:
    after = advanced(judge(asked(live_attempts=("a-0", "a-1")), NOT_SENT))
    assert (after.merge.state, after.merge.live_attempts) == ("requested", ("a-0",))


# What was remembered.


def test_what_happened_meanwhile_happens_when_the_merge_did_not() -> None:
    record = asked(remembered=remembered(PUSHED))
    no = answer(405, message="At least 1 approving review is required")
    result = judge(record, no, pull=pull_facts(record, head_sha=NEW_HEAD))
    assert events(result)[:2] == ["merge_refused", "head_moved"]
    after = advanced(result)
    assert (after.head, after.head_epoch, after.merge.remembered) == (NEW_HEAD, 4, ())
    assert not [d for d in after.decisions if d.gate == "submit" and d.void is None]


def test_something_remembered_ends_the_reservation_instead_of_asking_again() -> None:
    record = asked(remembered=remembered(PUSHED))
    no = answer(405, message="Base branch was modified.")
    after = advanced(judge(record, no, pull=pull_facts(record, head_sha=NEW_HEAD)))
    assert after.merge.state in {"none", "refused"}
    assert after.head == NEW_HEAD


# Time.


def test_a_request_whose_owner_is_gone_is_ambiguous_and_never_released() -> None:
    later = NOW + timedelta(hours=9)
    after = advanced(judge(asked(), EXPIRED, now=later))
    assert (after.phase, after.merge.state, after.merge.id) == ("submit", "ambiguous", "r-39")
    assert after.merge.live_attempts == ("a-1",)


def test_a_lease_that_still_runs_is_not_over() -> None:
    record = asked(lease_ends=NOW + timedelta(seconds=1))
    assert left_alone(judge(record, EXPIRED))
    assert left_alone(judge(asked(), EXPIRED.model_copy(update={"attempt": "a-0"}), now=NOW + timedelta(hours=1)))


@pytest.mark.parametrize("state", ["requested", "ambiguous", "confirming"])
def test_nothing_that_was_asked_is_given_back_by_a_release(state: str) -> None:
    assert left_alone(judge(asked(state), ReleaseReservation(key="", actor=SIGNALBOX, reservation="r-39", why="w")))


def test_a_reservation_that_asked_nothing_is_given_back() -> None:
    release = ReleaseReservation(key="", actor=SIGNALBOX, reservation="r-39", why="no check")
    assert advanced(judge(merging("reserved", locked=True), release)).merge.state == "none"
    assert left_alone(judge(merging("reserved"), release.model_copy(update={"reservation": "r-38"})))


# Frozen while GitHub was asked.


@pytest.mark.parametrize(
    ("frozen", "api", "told"),
    [
        ("instance_conflict", "sync", answer(405, message="Base branch was modified.")),
        ("database_behind", "async", answer(404, api="async", message="Not Found")),
        ("suspended", "sync", NOT_SENT),
    ],
)
def test_a_request_that_would_be_asked_again_ends_where_the_record_is_frozen(
    frozen: str, api: str, told: Signal
) -> None:
    record = asked(api=api).model_copy(update={"frozen": frozen})
    after = advanced(judge(record, told))
    assert (after.merge.state, after.merge.locked) == ("refused", False)
