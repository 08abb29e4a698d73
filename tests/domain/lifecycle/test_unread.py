"""What was said is stored, a stop above all, though GitHub does not say what follows from it (LIFECYCLE.md 2.5)."""

import pytest

from bot.domain.lifecycle.results import Advance
from bot.domain.model.command_signals import Hold, Revoke
from bot.domain.model.own_signals import HeadShared, NewsWaits, TimeCame
from bot.domain.model.policy import STRICT
from bot.domain.model.record import Record
from bot.domain.model.sightings import PullReopened, PullRetargeted
from bot.domain.model.signals import Signal
from bot.domain.projections.check_run import may_succeed
from tests.kit.cases import NOW, SILENT, actor, advanced, events, judge, source, waits
from tests.kit.merge_steps import ASK, PUSHED, asked
from tests.kit.records import HEAD, at, authorised, decided, in_testing

HOLD = Hold(key="h", actor=actor("grace"), source=source(NOW), why="not today")
CAME = TimeCame(key="", actor=actor("ada"))


def judged_but_unread() -> Record:
    """Testing is complete, and the pull request could not be read since."""
    record = decided(
        in_testing(), ("testing", "review", "grace", at("13:40")), ("testing", "operator", "omar", at("13:50"))
    )
    assert waits(judge(record, CAME, pull=SILENT))
    return record


def test_a_hold_is_stored_though_the_pull_request_cannot_be_read() -> None:
    result = judge(judged_but_unread(), HOLD, pull=SILENT)

    held = advanced(result)
    assert isinstance(result, Advance)
    assert (held.held is not None, held.phase, result.look_at) == (True, "testing", at("14:30:15"))


def test_what_could_not_be_read_behind_a_hold_is_looked_at_again() -> None:
    held = advanced(judge(judged_but_unread(), HOLD, pull=SILENT))

    result = judge(held, CAME)

    after = advanced(result)
    assert ("gate_complete" in events(result), after.merge.state) == (True, "none")


def test_nothing_is_reserved_while_a_delivery_that_may_tell_of_a_stop_was_not_worked_on() -> None:
    record = advanced(judge(authorised(), CAME, unheard_since=at("14:20")))
    assert (record.merge.state, record.merge.reason_code) == ("none", "could_not_verify")
    assert record.merge.reason is not None
    assert record.merge.reason.startswith("what GitHub told at 30 Nov 2026, 14:20 UTC may be a stop")

    assert advanced(judge(record, CAME)).merge.state == "reserved"


def test_nothing_is_asked_while_a_delivery_that_may_tell_of_a_stop_was_not_worked_on() -> None:
    record = asked("reserved")
    assert advanced(judge(record, ASK, unheard_since=at("14:20"))).merge.state == "none"
    assert advanced(judge(record, ASK)).merge.state == "requested"


def test_a_revoked_testing_decision_falls_though_the_checks_cannot_be_read() -> None:
    word = Revoke(key="r", actor=actor("grace"), source=source(NOW))
    result = judge(authorised(), word, checks=SILENT)

    after = advanced(result)
    assert isinstance(result, Advance)
    assert (after.phase, after.merge.state, result.look_at) == ("building", "none", at("14:30:15"))
    assert advanced(judge(after, CAME)).phase == "testing"


@pytest.mark.parametrize(
    "news",
    [
        PUSHED,
        PullRetargeted(key="r", actor=actor("ada"), pull=34, before="other", after="main"),
        PullReopened(key="o", actor=actor("ada"), pull=34),
    ],
    ids=lambda news: news.kind,
)
def test_what_went_away_and_came_back_takes_the_reservation_though_the_checks_cannot_be_read(news: Signal) -> None:
    result = judge(asked("reserved"), news, checks=SILENT)

    after = advanced(result)
    assert isinstance(result, Advance)
    assert (after.phase, after.merge.state, result.look_at) == ("building", "none", at("14:30:15"))
    assert advanced(judge(after, CAME)).phase == "testing"


def test_nothing_is_asked_while_a_delivery_is_not_worked_on_yet() -> None:
    assert waits(judge(asked("reserved"), ASK, news_waits=True)) == "what GitHub told is not worked on yet"


def test_success_goes_as_soon_as_what_may_be_a_stop_cannot_be_worked_on() -> None:
    told = NewsWaits(key="", actor=actor("ada"))
    after = advanced(judge(authorised(), told, unheard_since=at("14:20"), pull=SILENT, checks=SILENT))
    assert (may_succeed(authorised(), STRICT), may_succeed(after, STRICT)) == (True, False)
    given_back = advanced(judge(asked("reserved"), told, unheard_since=at("14:20"), pull=SILENT))
    assert given_back.merge.state == "none"


def test_a_pull_request_that_came_to_the_head_takes_success_while_github_does_not_list_it() -> None:
    came = HeadShared(key="", actor=actor("ada"), head=HEAD, pull=35)
    after = advanced(judge(authorised(), came, twins=SILENT))
    assert (after.twins, may_succeed(after, STRICT)) == ((35,), False)

    assert advanced(judge(after, CAME)).twins == ()
    left = HeadShared(key="", actor=actor("ada"), head=HEAD)
    assert waits(judge(authorised(), left, twins=SILENT))
