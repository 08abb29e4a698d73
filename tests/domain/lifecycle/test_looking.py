"""Looking at GitHub while an outcome is open: confirmed from two sides, released by proof only."""

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.lifecycle.results import Advance
from bot.domain.model.command_signals import SettleUnmerged
from bot.domain.model.effects import DeleteBranch
from bot.domain.model.facts import AsyncMergeFacts
from bot.domain.model.merge import MergeRead
from bot.domain.model.questions import AsyncMergeOf
from bot.domain.model.record import Record
from tests.kit.cases import (
    MERGE_SHA,
    NOW,
    SILENT,
    actor,
    advanced,
    events,
    evidence,
    judge,
    pull_facts,
    source,
    verdict,
)
from tests.kit.merge_steps import LOOK, PUSHED, TICK, UUID, WINDOW, answer, asked, remembered
from tests.kit.records import HEAD, NEW_HEAD, authorised, merging

A_DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)


def test_a_merge_that_both_sides_show_is_done() -> None:
    result = judge(asked("confirming", sha=MERGE_SHA), LOOK, evidence=evidence(asked()))
    after = advanced(result)
    assert (after.phase, after.merge.state, after.merge.sha, after.merge.external) == (
        "done",
        "merged",
        MERGE_SHA,
        False,
    )
    assert isinstance(result, Advance)
    assert [e.write for e in result.effects] == [DeleteBranch(ref="signalbox/12-retry", expected_head=HEAD)]


@pytest.mark.parametrize("state", ["requested", "ambiguous", "confirming"])
@pytest.mark.parametrize(
    "shown",
    [
        {"on_base": False},
        {"on_base": None},
        {"pull_merged": False, "pull_open": True},
        {"pull_merged": None},
        {"merge_sha": None},
    ],
    ids=str,
)
def test_one_side_alone_never_makes_it_done(state: str, shown: dict[str, Any]) -> None:
    record = asked(state, confirming_since=NOW)
    after = advanced(judge(record, LOOK, evidence=evidence(record, **shown)))
    assert (after.phase, after.merge.state) == ("submit", "confirming")


@pytest.mark.parametrize("since", [WINDOW, WINDOW + timedelta(hours=1)])
def test_one_side_alone_for_longer_than_the_window_is_not_known(since: timedelta) -> None:
    record = asked("confirming", confirming_since=NOW - since)
    after = advanced(judge(record, LOOK, evidence=evidence(record, on_base=False)))
    assert (after.merge.state, after.merge.locked) == ("ambiguous", False)


NOWHERE = {"pull_merged": False, "on_base": False, "merge_sha": None, "merged_by_us": False}


def unmerged(record: Record, **shown: Any) -> Any:
    return evidence(record, **NOWHERE | {"pull_open": True} | shown)


def test_one_look_that_finds_nothing_proves_nothing() -> None:
    record = asked("ambiguous", window_ends=NOW - WINDOW)
    after = advanced(judge(record, LOOK, evidence=unmerged(record, head=NEW_HEAD)))
    assert (after.merge.state, len(after.merge.reads)) == ("ambiguous", 1)


def earlier(**shown: Any) -> MergeRead:
    fields = {"at": NOW - timedelta(seconds=61), "merged": False, "on_base": False, "head": NEW_HEAD, "open": True}
    return MergeRead.model_validate(fields | shown)


def test_two_looks_far_enough_apart_after_the_window_release_it() -> None:
    record = asked("ambiguous", window_ends=NOW - WINDOW, reads=(earlier(),), remembered=remembered(PUSHED))
    moved = pull_facts(record, head_sha=NEW_HEAD)
    after = advanced(judge(record, LOOK, evidence=unmerged(record, head=NEW_HEAD), pull=moved))
    assert (after.head, after.merge.state) == (NEW_HEAD, "none")


def test_a_head_that_is_still_there_may_be_merged_at_any_time() -> None:
    record = asked("ambiguous", window_ends=NOW - WINDOW, reads=(earlier(head=HEAD),))
    assert advanced(judge(record, LOOK, evidence=unmerged(record))).merge.state == "ambiguous"


def test_a_pending_request_is_never_dead() -> None:
    record = asked("ambiguous", window_ends=NOW - WINDOW, reads=(earlier(),), uuid=UUID, requested_at=NOW - A_DAY)
    pending = {AsyncMergeOf(34, UUID): AsyncMergeFacts(status="pending")}
    gone = unmerged(record, head=NEW_HEAD)
    assert advanced(judge(record, LOOK, evidence=gone, also=pending)).merge.state == "ambiguous"
    forgotten = {AsyncMergeOf(34, UUID): AsyncMergeFacts(status="gone")}
    assert advanced(judge(record, LOOK, evidence=gone, also=forgotten)).merge.state != "ambiguous"


@pytest.mark.parametrize("said", [SILENT, *(AsyncMergeFacts(status=word) for word in ("enqueued", "unknown"))])
def test_a_request_that_cannot_be_read_is_never_dead(said: Any) -> None:
    record = asked("ambiguous", window_ends=NOW - WINDOW, reads=(earlier(),), uuid=UUID)
    after = advanced(judge(record, LOOK, evidence=unmerged(record, head=NEW_HEAD), also={AsyncMergeOf(34, UUID): said}))
    assert after.merge.state == "ambiguous"


def test_a_look_while_the_request_could_still_land_starts_the_count_again() -> None:
    record = asked("ambiguous", window_ends=NOW - WINDOW, reads=(earlier(live=True),), uuid=UUID)
    forgotten = {AsyncMergeOf(34, UUID): AsyncMergeFacts(status="gone")}
    after = advanced(judge(record, LOOK, evidence=unmerged(record, head=NEW_HEAD), also=forgotten))
    assert after.merge.state == "ambiguous"


def test_a_late_success_that_nothing_confirms_can_still_be_settled() -> None:
    record = merging("reserved", locked=True)
    landed = advanced(judge(record, answer(200, attempt="r-39.1", merged=True, sha=MERGE_SHA)))
    assert landed.merge.state == "confirming"
    later = NOW + WINDOW + timedelta(minutes=10)
    unsure = advanced(judge(landed, LOOK, now=later, evidence=unmerged(landed)))
    assert (unsure.merge.state, unsure.merge.window_ends is not None) == ("ambiguous", True)


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("merged", "confirming"),
        ("failed", "refused"),
        ("enqueued", "requested"),
        ("unknown", "requested"),
        (None, "requested"),
    ],
)
def test_what_the_asynchronous_request_says_of_itself(status: str | None, state: str) -> None:
    record = asked(uuid=UUID, api="async")
    said = SILENT if status is None else AsyncMergeFacts.model_validate({"status": status})
    after = advanced(judge(record, LOOK, evidence=unmerged(record), also={AsyncMergeOf(34, UUID): said}))
    assert after.merge.state == state


def test_a_look_that_github_does_not_answer_proves_nothing_and_starts_the_count_again() -> None:
    record = asked("ambiguous", window_ends=NOW - WINDOW, reads=(earlier(),))
    after = advanced(judge(record, LOOK, evidence=SILENT))
    assert after.merge.state == "ambiguous"
    assert (after.merge.reads[-1].merged, after.merge.reads[-1].on_base) == (None, None)


def test_a_merge_by_somebody_else_is_theirs_and_lists_what_was_missing() -> None:
    record = authorised(decisions=authorised().decisions[:-1])
    merged = pull_facts(record, merged=True, open=False, merge_sha=MERGE_SHA)
    shown = evidence(record, merged_by_us=False, merged_by={"id": 12, "login": "grace"})
    after = advanced(judge(record, TICK, pull=merged, evidence=shown))
    assert (after.phase, after.merge.external, after.merge.missing) == ("done", True, ("human gate (submit)",))
    assert after.decisions == record.decisions


def test_a_head_we_never_asked_for_is_not_ours_though_our_app_merged_it() -> None:
    record = asked("ambiguous").model_copy(update={"asked_heads": ()})
    assert advanced(judge(record, LOOK, evidence=evidence(record))).merge.external


def test_our_merge_that_lands_after_it_was_given_up_is_ours() -> None:
    record = authorised(asked_heads=(HEAD,))
    merged = pull_facts(record, merged=True, open=False, merge_sha=MERGE_SHA)
    result = judge(record, TICK, pull=merged, evidence=evidence(record))
    assert events(result)[-1] in {"merge_confirmed", "landed_late"}
    assert not advanced(result).merge.external


@pytest.mark.parametrize("says", [AsyncMergeFacts(status="gone"), SILENT], ids=["forgotten", "unreadable"])
def test_a_request_of_which_github_says_nothing_is_unknown_after_its_lease_and_gives_its_base_free(says: Any) -> None:
    record = asked("requested", uuid=UUID, api="async")
    request = {AsyncMergeOf(34, UUID): says}
    record = advanced(judge(record, LOOK, now=NOW + timedelta(days=2), evidence=unmerged(record), also=request))
    assert (record.merge.state, record.merge.locked) == ("ambiguous", False)


def forgotten_by_now() -> Record:
    """Asked, the window in which it may land is over, and a day after which GitHub keeps no request."""
    return asked("ambiguous", uuid=UUID, api="async", requested_at=NOW - A_DAY, window_ends=NOW - WINDOW)


def settles_unmerged(record: Record, says: Any, **shown: Any) -> Any:
    words = SettleUnmerged(key="s", actor=actor("omar"), source=source(NOW), why="closed by hand")
    seen = unmerged(record).model_copy(update=shown)
    return judge(record, words, evidence=seen, also={AsyncMergeOf(34, UUID): says})


@pytest.mark.parametrize("status", ["pending", "enqueued", "unknown", "merged"])
def test_a_request_that_github_still_has_cannot_be_settled_as_unmerged(status: str) -> None:
    record = forgotten_by_now()
    says = AsyncMergeFacts.model_validate({"status": status})
    assert verdict(settles_unmerged(record, says)) == "settle_mismatch"


def test_a_request_whose_state_cannot_be_read_is_not_settled_as_unmerged() -> None:
    record = forgotten_by_now()
    assert verdict(settles_unmerged(record, SILENT)) == "could_not_verify"


@pytest.mark.parametrize("status", ["failed", "gone"])
def test_a_request_that_github_gave_up_can_be_settled_as_unmerged(status: str) -> None:
    record = forgotten_by_now()
    after = advanced(settles_unmerged(record, AsyncMergeFacts.model_validate({"status": status})))
    assert after.merge.state == "refused"


def test_a_request_that_github_cannot_have_forgotten_is_not_dead_for_want_of_being_shown() -> None:
    """Two reads that agree, and for minutes GitHub answers that the request is not there: it keeps one for a day."""
    young = asked(
        "ambiguous", window_ends=NOW - WINDOW, reads=(earlier(),), uuid=UUID, requested_at=NOW - A_DAY + MINUTE
    )
    unseen = {AsyncMergeOf(34, UUID): AsyncMergeFacts(status="gone")}
    moved = unmerged(young, head=NEW_HEAD)
    assert advanced(judge(young, LOOK, evidence=moved, also=unseen)).merge.state == "ambiguous"
    jumped = judge(young, LOOK, evidence=moved, also=unseen, now=NOW + MINUTE, clock_ahead=MINUTE)
    assert advanced(jumped).merge.reads[-1].live
    assert verdict(settles_unmerged(young, AsyncMergeFacts(status="gone"))) == "settle_mismatch"


def test_on_a_closed_pull_request_nothing_lands_whatever_its_request_says() -> None:
    record = forgotten_by_now()
    after = advanced(settles_unmerged(record, AsyncMergeFacts(status="pending"), pull_open=False))
    assert after.merge.state == "refused"
