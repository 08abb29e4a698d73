"""Requested changes whose writer could not be verified stand in the way, for as long as it takes (LIFECYCLE.md 2.5)."""

from datetime import datetime
from typing import Any

import pytest

from bot.domain.explain.tree import explain
from bot.domain.gates.unverified import standing_no
from bot.domain.lifecycle.kernel import KernelRefused, check
from bot.domain.lifecycle.results import Advance, Refuse
from bot.domain.lifecycle.waking import wake_at
from bot.domain.model.command_signals import BlockWork, Cancel, Hold, Link, Reject, Replan, Rework, Unlink
from bot.domain.model.facts import Unknown
from bot.domain.model.own_signals import TimeCame
from bot.domain.model.policy import STRICT
from bot.domain.model.record import Record
from bot.domain.model.sightings import HeadPushed, ReviewDismissed
from bot.domain.model.unverified import UnverifiedNo, UnverifiedStop
from tests.kit import cases, records
from tests.kit.cases import NOW, actor, advanced, events, judge, opens_gate, pull_facts, reviews
from tests.kit.records import HEAD, NEW_HEAD, OLD_HEAD, PEOPLE, at, authorised, decided, in_submit, in_testing, linked

SILENT: dict[str, Any] = {"level": {"lin": Unknown("502")}}
CAME = TimeCame(key="", actor=actor("ada"))


def said_no(record: Record, commit: str | None = HEAD, **facts: Any) -> Record:
    """lin requested changes on this commit, and GitHub did not say whether lin may."""
    return advanced(judge(record, reviews("lin", "CHANGES_REQUESTED", commit=commit, reason="no"), **SILENT | facts))


def reserved() -> Record:
    return advanced(judge(authorised(), CAME))


def standing(record: Record) -> list[str]:
    return [no.by.login for no in record.unverified if no.commit == record.head]


def test_nothing_is_reserved_while_a_no_could_not_be_verified() -> None:
    record = said_no(authorised())

    after = advanced(judge(record, CAME, **SILENT))

    assert (after.merge.state, standing(after)) == ("none", ["lin"])


def test_what_was_reserved_is_given_back_for_a_no_that_could_not_be_verified() -> None:
    assert reserved().merge.state == "reserved"
    assert said_no(reserved()).merge.state == "none"


def test_the_last_gate_reserves_nothing_over_a_no_that_could_not_be_verified() -> None:
    almost = decided(in_submit(), ("submit", "review", "grace", at("14:00")))
    gated = advanced(judge(said_no(almost), opens_gate("omar", gate="submit", sha=HEAD), **SILENT))

    assert (gated.merge.state, standing(gated)) == ("none", ["lin"])


def test_the_no_counts_as_soon_as_its_writer_is_verified() -> None:
    result = judge(said_no(authorised()), CAME)

    after = advanced(result)
    assert ("reject" in events(result), after.phase, after.feedback_by, after.unverified) == (
        True,
        "building",
        PEOPLE["lin"],
        (),
    )


def test_the_no_counts_in_testing_as_soon_as_its_writer_is_verified() -> None:
    assert advanced(judge(said_no(in_testing()), CAME)).phase == "building"


def test_the_no_of_somebody_who_turns_out_to_be_no_reviewer_is_over_and_it_merges() -> None:
    after = advanced(judge(said_no(authorised()), CAME, level={"lin": "read"}))
    assert (after.unverified, after.merge.state) == ((), "reserved")


def test_a_dismissed_review_does_not_stand_any_more() -> None:
    gone = ReviewDismissed(key="d", actor=actor("ada"), pull=34, review_id=70)
    after = advanced(judge(said_no(authorised()), gone, **SILENT))
    assert (after.unverified, after.merge.state) == ((), "reserved")


def test_a_push_leaves_the_no_behind_and_one_back_does_not_raise_it() -> None:
    def pushed(record: Record, before: str, after: str) -> Record:
        push = HeadPushed(key=f"p{after}", actor=actor("ada"), pull=34, before=before, after=after)
        return advanced(judge(record, push, pull=pull_facts(record, head_sha=after), **SILENT))

    ahead = pushed(said_no(in_testing()), HEAD, NEW_HEAD)
    assert standing(ahead) == []
    assert standing(pushed(ahead, NEW_HEAD, HEAD)) == []


def test_a_no_on_a_commit_that_is_not_known_yet_stands_when_it_becomes_the_head() -> None:
    record = said_no(in_testing(), NEW_HEAD)
    assert standing(record) == []
    push = HeadPushed(key="p", actor=actor("ada"), pull=34, before=HEAD, after=NEW_HEAD)

    after = advanced(judge(record, push, pull=pull_facts(record, head_sha=NEW_HEAD), **SILENT))

    assert standing(after) == ["lin"]


@pytest.mark.parametrize("begin", [in_testing, linked, authorised], ids=["testing", "building", "submit"])
@pytest.mark.parametrize("seen", ["shown", "hidden"])
def test_a_no_on_no_commit_stands_on_the_head_whose_push_was_not_heard_yet(begin: Any, seen: str) -> None:
    pushed = pull_facts(begin(), head_sha=NEW_HEAD)
    said = said_no(begin(), None, pull=pushed if seen == "shown" else Unknown("502"))
    assert standing_no(said) is not None
    push = HeadPushed(key="p", actor=actor("ada"), pull=34, before=HEAD, after=NEW_HEAD)

    after = advanced(judge(said, push, pull=pushed, **SILENT))

    assert (after.head, standing(after)) == (NEW_HEAD, ["lin"])
    verified = advanced(judge(after, CAME, pull=pushed))
    assert (verified.unverified, NEW_HEAD in verified.rejected_heads) == ((), True)


def test_a_no_on_no_commit_is_over_with_the_head_that_was_shown_after_it() -> None:
    said = said_no(in_testing(), None, pull=Unknown("502"))
    shown = advanced(judge(said, CAME, **SILENT))
    push = HeadPushed(key="p", actor=actor("ada"), pull=34, before=HEAD, after=NEW_HEAD)

    after = advanced(judge(shown, push, pull=pull_facts(shown, head_sha=NEW_HEAD), **SILENT))

    assert standing_no(after) is None


@pytest.mark.parametrize("begin", [in_testing, linked, authorised], ids=["testing", "building", "submit"])
def test_github_is_asked_again_for_as_long_as_it_takes(begin: Any) -> None:
    record = said_no(begin())
    waits = [wake_at(record, STRICT, now) for now in (NOW, at("14:34"), at("18:30"))]

    assert waits == [at("14:30:15"), at("14:38"), at("18:40")]


@pytest.mark.parametrize("begin", [in_testing, authorised], ids=["testing", "submit"])
def test_everybody_reads_whose_no_it_is_and_how_it_ends(begin: Any) -> None:
    told = explain(said_no(begin()), STRICT).model_dump_json()

    assert "`lin` requested changes, and GitHub does not say since 30 Nov 2026, 14:30 UTC whether they may" in told
    assert "until somebody who may dismisses that review on GitHub" in told


def test_the_kernel_takes_no_reservation_over_a_no_that_could_not_be_verified() -> None:
    record = reserved()
    no = UnverifiedNo(review_id=70, commit=HEAD, by=PEOPLE["lin"], since=NOW, signal={})
    over = record.model_copy(update={"version": record.version + 1, "unverified": (no,)})

    with pytest.raises(KernelRefused, match="could not be verified"):
        check(record, over, STRICT, "gate_opened")
    aside = no.model_copy(update={"commit": OLD_HEAD})
    check(record, over.model_copy(update={"unverified": (aside,)}), STRICT, "gate_opened")


STOPS: dict[str, Any] = {
    "hold": lambda said: Hold(**said),
    "cancel": lambda said: Cancel(**said, why="no"),
    "reject": lambda said: Reject(**said, reason="slow"),
    "rework": lambda said: Rework(**said, why="slow"),
    "replan": lambda said: Replan(**said, why="slow"),
    "block": lambda said: BlockWork(**said, question="which key?"),
    "unlink": lambda said: Unlink(**said),
    "link": lambda said: Link(**said | {"source": cases.source(NOW, number=35)}, issue=12),
}


def stopped(record: Record, stop: str = "hold", now: datetime = NOW) -> Advance:
    """lin said so, and GitHub did not say whether lin may."""
    said = {"key": f"c{now}", "actor": actor("lin"), "source": cases.source(now)}
    result = judge(record, STOPS[stop](said), now=now, **SILENT)
    assert isinstance(result, Advance), result
    return result


@pytest.mark.parametrize("stop", STOPS)
def test_a_stop_that_could_not_be_verified_gives_back_what_is_reserved_for_long_enough_to_repeat_it(stop: str) -> None:
    result = stopped(reserved(), stop)

    after = result.record
    assert result.refusal is not None
    assert (result.refusal.code, result.refusal.message.splitlines()[-1]) == (
        "could_not_verify",
        "Nothing merges before 30 Nov 2026, 14:40 UTC, so that there is time for it.",
    )
    assert (after.phase, after.held, after.merge.state) == ("submit", None, "none")
    assert advanced(judge(after, CAME, now=at("14:40"))).merge.state == "reserved"


def test_the_last_gate_reserves_nothing_while_a_stop_may_be_repeated() -> None:
    almost = decided(in_submit(), ("submit", "review", "grace", at("14:00")))
    gated = advanced(judge(stopped(almost).record, opens_gate("omar", gate="submit", sha=HEAD), **SILENT))

    assert (gated.merge.state, wake_at(gated, STRICT, NOW)) == ("none", at("14:40"))
    assert "nothing merges before 30 Nov 2026, 14:40 UTC" in explain(gated, STRICT).model_dump_json()


def test_stops_that_nobody_can_verify_stop_a_merge_for_an_hour_in_a_row_and_make_no_version_each() -> None:
    record = stopped(reserved()).record
    again = Hold(key="again", actor=actor("lin"), source=cases.source(at("14:30:30")))
    assert isinstance(judge(record, again, now=at("14:30:30"), **SILENT), Refuse)
    for minute in range(35, 84, 8):
        now = at(f"{14 + minute // 60}:{minute % 60:02}")
        record = stopped(record, now=now).record

    assert record.unverified_stop is not None
    assert record.unverified_stop.until == at("15:30")


def test_where_nothing_may_merge_soon_a_stop_is_refused_and_nothing_else() -> None:
    hold = Hold(key="c", actor=actor("lin"), source=cases.source(NOW))
    assert isinstance(judge(records.planned(), hold, **SILENT), Refuse)


def test_the_kernel_takes_no_reservation_over_a_stop_that_may_be_repeated() -> None:
    record = reserved()
    stop = UnverifiedStop(by=PEOPLE["lin"], since=NOW, until=at("14:40"))
    over = record.model_copy(update={"version": record.version + 1, "unverified_stop": stop})

    with pytest.raises(KernelRefused, match="could not be verified"):
        check(record, over, STRICT, "gate_opened")
