"""Checks of the head: a red one sends it back, a green re-run offers it again, one that never comes blocks."""

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.gates.checks import NONE_REQUIRED
from bot.domain.model.facts import BaseRules
from bot.domain.model.ids import SIGNALBOX
from bot.domain.model.own_signals import TimeCame
from bot.domain.model.policy import STRICT
from bot.domain.model.record import Budgets, CheckEvidence, Record, Verification
from bot.domain.model.sightings import ChecksChanged
from tests.kit.cases import NOW, SILENT, actor, advanced, events, judge, left_alone, runs, waits
from tests.kit.records import HEAD, OLD_HEAD, at, authorised, decided, in_testing, linked, merging
from tests.kit.told import text

GREEN = {"lint": "success", "unit": "success", "types": "success"}
RED = runs(build="failure", **GREEN)
RUNNING = runs(build=None, **GREEN)
TICK = TimeCame(key="", actor=SIGNALBOX)


def changed(**fields: Any) -> ChecksChanged:
    return ChecksChanged.model_validate({"key": "c", "actor": actor("ada"), "head": HEAD, "name": "build"} | fields)


@pytest.mark.parametrize(
    "record", [in_testing(), authorised(), merging("reserved", locked=True)], ids=["testing", "submit", "reserved"]
)
def test_a_red_check_sends_the_head_back(record: Record) -> None:
    result = judge(record, changed(), checks=RED)
    assert events(result) == ["check_failed"]
    after = advanced(result)
    assert (after.phase, after.red_head, after.merge.state) == ("building", HEAD, "none")
    assert not [d for d in after.decisions if d.gate != "plan" and d.void is None]


def test_a_check_that_runs_again_takes_the_reservation_back() -> None:
    after = advanced(judge(merging("reserved", locked=True), changed(), checks=RUNNING))
    assert (after.phase, after.merge.state, after.verification.state) == ("submit", "none", "pending")


@pytest.mark.parametrize("signal", [changed(mine=True), changed(head=OLD_HEAD)], ids=["our own", "another head"])
def test_other_checks_are_left_alone(signal: ChecksChanged) -> None:
    assert left_alone(judge(in_testing(), signal, checks=RED))


def test_checks_that_cannot_be_read_are_neither_red_nor_green() -> None:
    assert waits(judge(in_testing(), changed(), checks=SILENT))
    assert waits(judge(in_testing(), changed(), rules=SILENT))


def red(**changes: Any) -> Record:
    failed = Verification(state="failed", head=HEAD, checks=(CheckEvidence(name="build", state="failed"),))
    return linked(**{"red_head": HEAD, "verification": failed} | changes)


def test_a_green_re_run_is_a_candidate_again_as_often_as_the_budget_allows() -> None:
    after = advanced(judge(red(), changed()))
    assert (after.phase, after.budgets.check_retries, after.red_head) == ("testing", (1, 20), None)
    spent = red(budgets=Budgets(check_retries=(20, 20)))
    assert advanced(judge(spent, changed())).phase == "blocked"


@pytest.mark.parametrize("change", [{"rejected_heads": (HEAD,)}, {"red_head": OLD_HEAD}], ids=["rejected", "not red"])
def test_a_green_re_run_offers_no_other_head(change: dict[str, Any]) -> None:
    assert advanced(judge(red(**change), changed())).phase == "building"


def test_the_last_green_check_opens_submit() -> None:
    pending = Verification(state="pending", head=HEAD, checks=(CheckEvidence(name="build", state="pending"),))
    record = decided(
        in_testing(verification=pending),
        ("testing", "review", "grace", at("13:40")),
        ("testing", "operator", "omar", at("13:50")),
    )
    assert advanced(judge(record, changed())).phase == "submit"
    assert advanced(judge(record, changed(), checks=RUNNING)).phase == "testing"


@pytest.mark.parametrize(("late", "phase"), [(timedelta(seconds=-1), "testing"), (timedelta(0), "blocked")])
def test_a_check_that_never_comes_blocks_after_its_time(late: timedelta, phase: str) -> None:
    pending = Verification(state="pending", head=HEAD, checks=(CheckEvidence(name="build", state="missing"),))
    due = at("12:03") + timedelta(minutes=STRICT.checks.timeout_minutes)
    missing = runs(**GREEN)
    result = judge(in_testing(verification=pending), TICK, now=due + late, checks=missing)
    after = advanced(result)
    assert after.phase == phase
    if after.blocked is not None:
        assert "check `build` did not report" in after.blocked.reason


def test_nothing_is_overdue_where_nothing_is_awaited() -> None:
    assert advanced(judge(authorised(), TICK, now=NOW + timedelta(days=9))).phase == "submit"


def test_where_no_check_is_required_nobody_reads_that_checks_did_not_report() -> None:
    """`checks.none: refuse`, and every check that there is reported green."""
    policy = STRICT.model_copy(update={"checks": STRICT.checks.model_copy(update={"none": "refuse"})})
    waiting = Verification(state="pending", head=HEAD, note=NONE_REQUIRED)
    now = at("12:03") + timedelta(minutes=STRICT.checks.timeout_minutes)
    after = advanced(
        judge(in_testing(verification=waiting), TICK, policy, now=now, checks=runs(**GREEN), rules=BaseRules())
    )

    assert after.blocked is not None
    assert after.blocked.reason.startswith(
        f"no check is required of `{HEAD[:7]}`, and the policy does not let that pass"
    )
    told = text(after, policy)
    assert "report" not in told
    assert "An operator names what is required under `checks` in the policy" in told
