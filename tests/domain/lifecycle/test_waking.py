"""How often GitHub is read for a record of which no news comes."""

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.explain.merge_row import obstacle
from bot.domain.lifecycle.waking import wake_at
from bot.domain.model.facts import PullSummary
from bot.domain.model.policy import STRICT, MergeRule
from bot.domain.model.record import Verification
from tests.kit.cases import NOW, SILENT, advanced, judge, pull_facts
from tests.kit.merge_steps import TICK
from tests.kit.records import HEAD, OLD_HEAD, authorised, linked, merging

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


def test_after_a_pause_what_cannot_be_read_is_read_every_half_minute() -> None:
    after = advanced(judge(PAUSED, TICK, workflows=SILENT))
    assert (after.merge.state, after.merge.reason_code) == ("refused", "could_not_verify")
    assert wake_at(after, STRICT, NOW) == NOW + timedelta(seconds=30)
    assert advanced(judge(after, TICK)).merge.state == "reserved"


def test_a_base_that_is_given_free_leads_on_where_the_merge_was_refused_before() -> None:
    waits = advanced(judge(PAUSED, TICK, base_is_free=False))
    assert advanced(judge(waits, TICK)).merge.state == "reserved"


def test_checks_of_a_head_that_is_gone_are_not_waited_for() -> None:
    settling = Verification(state="pending", head=OLD_HEAD, settles_at=NOW - timedelta(seconds=5))
    assert wake_at(linked(head=HEAD, verification=settling), STRICT, NOW) is None
