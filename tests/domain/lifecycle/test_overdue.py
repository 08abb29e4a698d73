"""Checks that do not come: from when their time runs, and when it does not."""

from datetime import timedelta

import pytest

from bot.domain.gates.checks import HeadFacts, verify
from bot.domain.gates.separation import excluded
from bot.domain.lifecycle.checking import overdue_at
from bot.domain.lifecycle.results import Advance, Ignore
from bot.domain.model.facts import BaseRules, RequiredCheck, SuiteFacts
from bot.domain.model.ids import SIGNALBOX
from bot.domain.model.own_signals import TimeCame
from bot.domain.model.policy import STRICT
from bot.domain.model.record import CheckEvidence, Verification
from bot.domain.model.sightings import PullOpened, ReviewDismissed
from tests.kit.cases import NOW, actor, advanced, judge, pull_facts, runs
from tests.kit.records import HEAD, NEW_HEAD, a_pull, at, in_testing, merging

PENDING = Verification(state="pending", head=HEAD, checks=(CheckEvidence(name="build", state="missing"),))


def test_time_runs_anew_when_the_work_is_resumed() -> None:
    record = in_testing(verification=PENDING, phase_since=at("14:00"))
    assert overdue_at(record, 60) == at("15:00")


def test_a_check_that_is_run_again_has_its_time_from_then() -> None:
    again = runs(build="success").model_copy(
        update={"suites": (SuiteFacts(id=1, app=15368, status="queued", runs=1, updated_at=at("14:20")),)}
    )
    rules = BaseRules(required=(RequiredCheck(name="build"),))
    found = verify(HeadFacts(again, rules, at("12:03")), STRICT.checks, NOW)
    assert (found.state, found.checks[0].since) == ("pending", at("14:20"))


def test_green_checks_that_only_have_to_settle_are_never_overdue() -> None:
    green = CheckEvidence(name="build", required=False, state="success")
    waiting = Verification(state="pending", head=HEAD, checks=(green,), observed=True, settles_at=NOW)
    assert overdue_at(in_testing(verification=waiting), 60) is None


@pytest.mark.parametrize("state", ["requested", "ambiguous", "confirming"])
def test_news_of_an_opened_pull_request_moves_nothing_while_github_may_be_merging(state: str) -> None:
    opened = PullOpened(key="opened", actor=actor("ada"), pull=34)
    record = merging(state)
    assert isinstance(judge(record, opened, pull=pull_facts(record, head_sha=NEW_HEAD)), Ignore)


def test_a_dismissed_review_without_a_decision_is_not_kept_for_later() -> None:
    dismissed = ReviewDismissed(key="gone", actor=actor("grace"), pull=34, review_id=77)
    after = advanced(judge(merging("requested"), dismissed))
    assert (after.merge, after.decisions) == (merging("requested").merge, merging("requested").decisions)


def test_somebody_whose_commits_are_in_a_head_of_unknown_pushers_approves_nothing() -> None:
    unknown = in_testing(pull=a_pull(pushers=(), pusher_unknown=True, commit_authors=({"id": 12, "login": "grace"},)))
    known = in_testing(pull=a_pull(pushers=(), commit_authors=({"id": 12, "login": "grace"},)))
    assert 12 in excluded(unknown, STRICT, "testing", "review")
    assert 12 not in excluded(known, STRICT, "testing", "review")


def test_time_alone_blocks_a_check_that_never_came() -> None:
    record = in_testing(verification=PENDING)
    result = judge(
        record, TimeCame(key="", actor=SIGNALBOX), now=NOW + timedelta(hours=3), checks=runs(other="success")
    )
    assert isinstance(result, Advance)
    assert result.record.phase == "blocked"
    assert result.record.blocked is not None
    assert "did not report" in result.record.blocked.reason
