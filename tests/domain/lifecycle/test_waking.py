"""How often GitHub is read for a record of which no news comes."""

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.explain.merge_row import obstacle
from bot.domain.lifecycle.asking_again import TELLS
from bot.domain.lifecycle.handling import ROWS
from bot.domain.lifecycle.results import Advance
from bot.domain.lifecycle.waking import wake_at
from bot.domain.model.command_signals import AnswerQuestion, SetPriority
from bot.domain.model.facts import PullSummary
from bot.domain.model.policy import STRICT, MergeRule
from bot.domain.model.record import Question, Record, Verification
from bot.domain.model.sightings import BranchPushed, ChecksChanged
from bot.domain.model.signals import Signal
from tests.kit.cases import NOW, SILENT, actor, advanced, judge, pull_facts, source
from tests.kit.merge_steps import TICK
from tests.kit.records import HEAD, OLD_HEAD, PEOPLE, authorised, linked, merging

BY_COMMAND = STRICT.model_copy(update={"merge": MergeRule(trigger="command")})
PAUSED = merging("refused", look_at=NOW, refused_since=NOW - timedelta(minutes=1), reason="secondary rate limit")
TWINS = tuple(PullSummary(number=number, head_sha=HEAD, base_ref="main") for number in (34, 35))
ENDS_BY_AN_EVENT: dict[str, dict[str, Any]] = {
    "it is a draft": {"pull": pull_facts(authorised(), draft=True)},
    "it waits for a command": {"policy": BY_COMMAND},
    "another merge has the base": {"base_is_free": False},
    "another pull request has its head": {"twins": TWINS},
}


@pytest.mark.parametrize("world", ENDS_BY_AN_EVENT.values(), ids=[*ENDS_BY_AN_EVENT])
def test_after_a_pause_it_is_looked_at_once_and_then_by_news(world: dict[str, Any]) -> None:
    after = advanced(judge(PAUSED, TICK, **world))
    assert after.merge.state == "refused"
    assert wake_at(after, world.get("policy", STRICT), NOW) == NOW + timedelta(hours=24, minutes=-1)


@pytest.mark.parametrize(
    ("why", "how"), [("another merge has the base", ""), ("another pull request has its head", "change what is named")]
)
def test_what_stands_in_the_way_of_the_next_request_is_not_said_to_be_github_s_refusal(why: str, how: str) -> None:
    after = advanced(judge(PAUSED, TICK, **ENDS_BY_AN_EVENT[why]))
    stands = obstacle(after)
    assert stands is not None
    assert (stands.why.strip("`"), stands.how) == (after.merge.reason, how)


def test_after_a_pause_what_cannot_be_read_is_read_ever_more_rarely_until_it_is_there() -> None:
    after = advanced(judge(PAUSED, TICK, workflows=SILENT))
    assert (after.merge.state, after.merge.reason_code) == ("refused", "could_not_verify")
    pauses = [wake_at(after, STRICT, now) for now in (NOW, NOW + timedelta(minutes=1), NOW + timedelta(hours=1))]
    assert pauses == [NOW + timedelta(seconds=15), NOW + timedelta(minutes=2), NOW + timedelta(minutes=70)]
    given_back = after.model_copy(update={"unread_since": None})  # what was reserved and lacked something since
    assert wake_at(given_back, STRICT, NOW) == NOW + timedelta(seconds=15)
    reserved = advanced(judge(after, TICK))
    assert (reserved.merge.state, reserved.unread_since) == ("reserved", None)


def test_a_base_that_is_given_free_leads_on_where_the_merge_was_refused_before() -> None:
    waits = advanced(judge(PAUSED, TICK, base_is_free=False))
    assert advanced(judge(waits, TICK)).merge.state == "reserved"


def test_checks_of_a_head_that_is_gone_are_not_waited_for() -> None:
    settling = Verification(state="pending", head=OLD_HEAD, settles_at=NOW - timedelta(seconds=5))
    assert wake_at(linked(head=HEAD, verification=settling), STRICT, NOW) is None


NO_REASON: dict[str, Signal] = {
    "a priority": SetPriority(key="p", actor=actor("omar"), source=source(NOW), priority=10),
    "a question answered": AnswerQuestion(key="a", actor=actor("ada"), source=source(NOW), text="Yes."),
    "a hint of a push": BranchPushed(key="b", actor=actor("ada"), branch="retry", after=HEAD),
    "time": TICK,
}
ASKED = (Question(id="q1", text="Is it safe?", asked_by=PEOPLE["lin"]),)


def settled_down() -> Record:
    """Refused by GitHub, and everything that can be read is known."""
    refused = merging("refused", refused_since=NOW, reason="Repository rule violations found")
    known = advanced(judge(authorised(), TICK)).verification
    return refused.model_copy(update={"verification": known, "questions": ASKED})


@pytest.mark.parametrize("reason", NO_REASON)
def test_what_changes_nothing_about_the_merge_does_not_ask_github_again(reason: str) -> None:
    result = judge(settled_down(), NO_REASON[reason])
    assert (result.record if isinstance(result, Advance) else settled_down()).merge.state == "refused"


def test_news_of_what_github_may_refuse_for_asks_it_again() -> None:
    news = ChecksChanged(key="c", actor=actor("ada"), head=HEAD)
    assert advanced(judge(settled_down(), news)).merge.state == "reserved"


def test_every_signal_that_tells_is_one_there_is() -> None:
    assert not TELLS - ROWS.keys()
