"""Which heads are verified: the newest result of every source that must answer, and nothing that is ours."""

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.gates.checks import HeadFacts, verify
from bot.domain.model.facts import BaseRules, CheckFacts, CheckRunFacts, RequiredCheck, StatusFacts, SuiteFacts
from bot.domain.model.policy import Checks
from bot.domain.model.record import Verification
from tests.kit.cases import NOW
from tests.kit.records import GITHUB_ACTIONS, HEAD, at

OTHER_APP = 4711
BUILD = RequiredCheck(name="build")
LONG_AGO = at("09:00")


def run(conclusion: str | None = "success", **fields: Any) -> CheckRunFacts:
    given = {"id": 100, "name": "build", "app": GITHUB_ACTIONS, "suite": 1, "started_at": LONG_AGO}
    given |= {"status": "completed" if conclusion else "in_progress", "conclusion": conclusion}
    return CheckRunFacts.model_validate(given | fields)


def status(state: str = "success", **fields: Any) -> StatusFacts:
    given = {"id": 200, "context": "build", "creator": 5, "created_at": LONG_AGO, "updated_at": LONG_AGO}
    return StatusFacts.model_validate(given | {"state": state} | fields)


def suite(state: str = "completed", **fields: Any) -> SuiteFacts:
    return SuiteFacts.model_validate({"id": 1, "app": GITHUB_ACTIONS, "status": state, "runs": 1} | fields)


def judged(
    *items: CheckRunFacts | StatusFacts | SuiteFacts, required: tuple[RequiredCheck, ...] = (BUILD,), **policy: Any
) -> Verification:
    facts = CheckFacts(
        head=HEAD,
        runs=tuple(i for i in items if isinstance(i, CheckRunFacts)),
        statuses=tuple(i for i in items if isinstance(i, StatusFacts)),
        suites=tuple(i for i in items if isinstance(i, SuiteFacts)),
    )
    rules = BaseRules(required=required, protected=bool(required))
    return verify(HeadFacts(facts, rules, LONG_AGO), Checks.model_validate(policy), NOW)


@pytest.mark.parametrize(
    ("conclusion", "state"),
    [
        ("success", "passed"),
        ("failure", "failed"),
        ("timed_out", "failed"),
        ("startup_failure", "failed"),
        ("cancelled", "pending"),
        ("stale", "pending"),
        ("action_required", "pending"),
        ("neutral", "pending"),
        ("skipped", "pending"),
        ("something_new", "pending"),
        (None, "pending"),
    ],
)
def test_what_a_required_run_says(conclusion: str | None, state: str) -> None:
    """known-faults.md, row 80; threats.md, T10."""
    assert judged(run(conclusion)).state == state


@pytest.mark.parametrize(
    ("said", "state"),
    [("success", "passed"), ("failure", "failed"), ("error", "failed"), ("pending", "pending"), ("new", "pending")],
)
def test_what_a_required_status_says(said: str, state: str) -> None:
    assert judged(status(said)).state == state


def test_a_policy_may_accept_more() -> None:
    """known-faults.md, row 80."""
    assert judged(run("skipped"), accept=("success", "skipped")).state == "passed"
    assert judged(run("neutral"), accept=("success", "skipped")).state == "pending"


def test_a_run_that_is_not_completed_is_never_green_whatever_it_concludes() -> None:
    assert judged(run("success", status="in_progress")).state == "pending"


def test_a_required_check_that_never_reported_is_missing() -> None:
    (item,) = judged(run(name="lint")).checks
    assert (item.name, item.state) == ("build", "missing")
    assert judged().state == "pending"


def test_a_green_check_does_not_stand_for_one_that_never_came() -> None:
    both = judged(run(), required=(BUILD, RequiredCheck(name="lint")))
    assert both.state == "pending"
    assert [(item.name, item.state) for item in both.checks] == [("build", "success"), ("lint", "missing")]


@pytest.mark.parametrize(
    ("older", "newer", "state"),
    [
        ("success", None, "pending"),
        ("success", "failure", "failed"),
        ("failure", "success", "passed"),
        ("failure", None, "pending"),
    ],
)
def test_the_newest_run_counts(older: str | None, newer: str | None, state: str) -> None:
    """known-faults.md, row 74; threats.md, T10."""
    old, new = run(older, id=100), run(newer, id=101)
    assert judged(old, new).state == judged(new, old).state == state


@pytest.mark.parametrize(
    ("older", "newer", "state"), [("success", "pending", "pending"), ("error", "success", "passed")]
)
def test_the_newest_status_counts(older: str, newer: str, state: str) -> None:
    old, new = status(older, id=200), status(newer, id=201, updated_at=LONG_AGO + timedelta(minutes=1))
    assert judged(old, new).state == judged(new, old).state == state


def test_every_source_of_a_name_must_be_green() -> None:
    """known-faults.md, row 76."""
    assert judged(run(), run("failure", id=101, app=OTHER_APP, suite=2)).state == "failed"
    assert judged(run(), status("pending")).state == "pending"
    assert judged(status(), status("failure", id=201, creator=6)).state == "failed"


@pytest.mark.parametrize(("other", "state"), [(None, "pending"), ("failure", "failed"), ("success", "passed")])
def test_two_suites_of_one_app_do_not_stand_for_each_other(other: str | None, state: str) -> None:
    """known-faults.md, row 76: two workflows with a job of the same name."""
    assert judged(run(other, id=99, suite=1), run(id=100, suite=2)).state == state


@pytest.mark.parametrize(
    ("item", "state"),
    [(run(app=OTHER_APP), "passed"), (run(app=GITHUB_ACTIONS), "pending"), (status(), "pending")],
    ids=["that app", "another app", "a status"],
)
def test_a_check_bound_to_an_app_is_satisfied_by_that_app_only(item: Any, state: str) -> None:
    """known-faults.md, row 78."""
    assert judged(item, required=(RequiredCheck(name="build", app=OTHER_APP),)).state == state


def test_a_suite_that_was_asked_for_again_takes_its_old_results_away() -> None:
    assert judged(run(), suite("completed", conclusion="success")).state == "passed"
    assert judged(run(), suite("queued")).state == "pending"
    assert judged(run(), suite("requested")).state == "pending"


@pytest.mark.parametrize("word", ["pending", "new", "in_progress", "waiting"])
def test_a_suite_of_which_nothing_is_listed_that_runs_takes_its_results_away(word: str) -> None:
    ended = run(completed_at=LONG_AGO + timedelta(minutes=5))
    assert judged(ended, suite(word)).state == "pending"
    assert judged(ended, suite(word, id=2)).state == "passed"


@pytest.mark.parametrize("word", ["pending", "new"])
def test_a_word_that_says_nothing_of_a_beginning_takes_all_results_away(word: str) -> None:
    assert judged(run(), run(None, id=101, name="lint"), suite(word)).state == "pending"


def again(minutes: int | None, **fields: Any) -> CheckRunFacts:
    """Another job of the suite, which had ended and has begun again by then."""
    started = None if minutes is None else LONG_AGO + timedelta(minutes=minutes)
    return run(None, id=102, name="lint", started_at=started, **fields)


@pytest.mark.parametrize(
    ("ended", "begun", "state"), [(5, 6, "pending"), (5, None, "pending"), (None, 6, "pending"), (7, 6, "passed")]
)
def test_a_green_from_before_its_suite_began_anew_counts_no_more(
    ended: int | None, begun: int | None, state: str
) -> None:
    completed = None if ended is None else LONG_AGO + timedelta(minutes=ended)
    told = (run(completed_at=completed), run(id=101, name="lint"), again(begun), suite("in_progress"))
    assert judged(*told).state == state


def test_the_third_attempt_makes_the_second_void() -> None:
    first = (run(id=90), run(id=91, name="lint"))
    second = run(id=100, completed_at=LONG_AGO + timedelta(minutes=5)), run(id=101, name="lint")
    assert judged(*first, *second, again(6), suite("in_progress")).state == "pending"
    ended = run(id=103, started_at=LONG_AGO + timedelta(minutes=6), completed_at=LONG_AGO + timedelta(minutes=8))
    assert judged(*first, *second, again(6), ended, suite("in_progress")).state == "passed"


@pytest.mark.parametrize("word", ["in_progress", "waiting"])
def test_a_job_that_waits_for_ever_takes_nothing_from_the_others(word: str) -> None:
    waits = run(None, id=101, name="deploy", status="waiting", started_at=LONG_AGO + timedelta(minutes=9))
    assert judged(run(completed_at=LONG_AGO + timedelta(minutes=5)), waits, suite(word)).state == "passed"
    assert judged(run(), waits, suite(word)).state == "passed"


OURS = (run(name="signalbox"), run(mine=True, name="signalbox"), status(context="signalbox"))


@pytest.mark.parametrize("own", OURS, ids=["a foreign run of our name", "our run", "a status of our name"])
def test_our_own_check_is_no_evidence(own: Any) -> None:
    assert judged(own, required=(), settle_seconds=0).state == "pending"
    assert judged(own, run("failure", name="build"), required=(RequiredCheck(name="signalbox"),)).state == "failed"


def test_a_run_of_ours_is_no_evidence_under_any_name() -> None:
    assert judged(run(mine=True)).state == "pending"


def test_requiring_our_own_check_does_not_deadlock() -> None:
    """known-faults.md, row 84."""
    assert judged(run(), required=(BUILD, RequiredCheck(name="signalbox"))).state == "passed"


@pytest.mark.parametrize(("none", "state"), [("refuse", "pending"), ("allow", "passed"), ("observed", "passed")])
def test_where_nothing_is_required_the_policy_decides(none: str, state: str) -> None:
    assert judged(run(), required=(), none=none).state == state


def test_the_policy_may_name_the_required_checks_itself() -> None:
    reported = CheckFacts(head=HEAD, runs=(run(), run("failure", id=101, name="lint")))
    facts = HeadFacts(reported, BaseRules(required=(RequiredCheck(name="lint"),)), LONG_AGO)
    assert verify(facts, Checks(), NOW).state == "failed"
    assert verify(facts, Checks(required=(BUILD,)), NOW).state == "passed"


@pytest.mark.parametrize("name", ["test%", "test*", "test", "test (.*)"])
def test_the_name_of_a_required_check_is_no_pattern(name: str) -> None:
    """known-faults.md, row 88: one leg of a matrix does not stand for all of them."""
    legs = (run(id=101, name="test (3.11)"), run(None, id=102, name="test (3.12)"))
    assert judged(*legs, required=(RequiredCheck(name=name),)).state == "pending"


@pytest.mark.parametrize(
    ("items", "state"),
    [
        ((), "pending"),
        ((run(),), "passed"),
        ((run(), run(None, id=101, name="lint")), "pending"),
        ((run(), run("failure", id=101, name="lint")), "failed"),
        ((run(), suite("in_progress", id=9, app=OTHER_APP)), "pending"),
        ((run(), suite("queued", id=9, app=OTHER_APP, runs=0)), "passed"),
        ((run(), status("pending", context="lint")), "pending"),
    ],
    ids=["nothing", "green", "running", "red", "an open suite", "an empty suite", "a pending status"],
)
def test_observed_checks_are_all_green_and_at_least_one(items: tuple[Any, ...], state: str) -> None:
    assert judged(*items, required=()).state == state


def test_observed_checks_wait_for_late_comers() -> None:
    young = run(started_at=NOW - timedelta(seconds=20))
    waiting = judged(young, required=())
    assert (waiting.state, waiting.settles_at) == ("pending", NOW + timedelta(seconds=40))
    assert judged(run(started_at=NOW - timedelta(seconds=60)), required=()).state == "passed"
