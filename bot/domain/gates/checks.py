"""Is this head verified? GitHub's runs, suites and statuses, judged by the policy (LIFECYCLE.md 2.4).

Newest run per (app, suite, name) and newest status per (creator, context); a newer pending beats an older success.
Our own check never counts. What is missing or unknown is never green.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.domain.gates.suites import without_void
from bot.domain.model.facts import BaseRules, CheckFacts, CheckRunFacts, RequiredCheck, StatusFacts
from bot.domain.model.policy import OWN_NAMES, Checks
from bot.domain.model.record import CheckEvidence, CheckState, Verification, VerificationState

#: What is said of a head of which nothing is required, where the policy wants something to be.
NONE_REQUIRED = "none is required"
RED = frozenset({"failure", "timed_out", "startup_failure"})


@dataclass(frozen=True, slots=True)
class HeadFacts:
    """What is judged: everything reported on the head, the rules of the base, and since when the head is known."""

    checks: CheckFacts
    rules: BaseRules
    head_since: datetime


def verify(facts: HeadFacts, policy: Checks, now: datetime) -> Verification:
    """The verification of this head. `settles_at` is set when only time is missing."""
    items = _newest(facts.checks)
    required = _required(facts.rules, policy)
    if required:
        evidence = tuple(item for check in required for item in _for_required(check, items, policy))
        return _verification(facts, evidence, _state(evidence), now)
    match policy.none:
        case "allow":
            return _verification(facts, (), "passed", now, note="none is required, and the policy allows that")
        case "refuse":
            return _verification(facts, (), "pending", now, note=NONE_REQUIRED)
        case "observed":
            return _observed(facts, items, policy, now)


def is_red(verification: Verification) -> bool:
    return verification.state == "failed"


def lacks_required(verification: Verification) -> bool:
    """Whether it waits for no check at all: none is required, and the policy does not let that pass."""
    return verification.state == "pending" and verification.note == NONE_REQUIRED


def _verification(
    facts: HeadFacts,
    evidence: tuple[CheckEvidence, ...],
    state: VerificationState,
    now: datetime,
    note: str | None = None,
) -> Verification:
    return Verification(state=state, head=facts.checks.head, checks=evidence, read_at=now, note=note)


def _required(rules: BaseRules, policy: Checks) -> tuple[RequiredCheck, ...]:
    wanted = rules.required if policy.required == "auto" else policy.required
    return tuple(dict.fromkeys(check for check in wanted if check.name not in OWN_NAMES))


def _state(evidence: Iterable[CheckEvidence]) -> VerificationState:
    states = {item.state for item in evidence}
    if "failed" in states:
        return "failed"
    return "passed" if states == {"success"} else "pending"


def _newest(facts: CheckFacts) -> tuple[CheckRunFacts | StatusFacts, ...]:
    runs: dict[tuple[int, int | None, str], CheckRunFacts] = {}
    for run in sorted(facts.runs, key=lambda r: r.id):
        if not run.mine and run.name not in OWN_NAMES:
            runs[run.app, run.suite, run.name] = run
    statuses: dict[tuple[int | None, str], StatusFacts] = {}
    for status in sorted(facts.statuses, key=lambda s: (s.updated_at, s.id)):
        if status.context not in OWN_NAMES:
            statuses[status.creator, status.context] = status
    return (*without_void(runs.values(), facts.runs, facts.suites), *statuses.values())


def _for_required(
    check: RequiredCheck, items: tuple[CheckRunFacts | StatusFacts, ...], policy: Checks
) -> tuple[CheckEvidence, ...]:
    """Every source that answers to this name; a check bound to an App is never satisfied by a status."""
    found = tuple(
        _evidence(item, policy, required=True)
        for item in items
        if (
            item.name == check.name and check.app in (None, item.app)
            if isinstance(item, CheckRunFacts)
            else item.context == check.name and check.app is None
        )
    )
    return found or (CheckEvidence(name=check.name, app=check.app, source="none", state="missing"),)


def _evidence(item: CheckRunFacts | StatusFacts, policy: Checks, *, required: bool) -> CheckEvidence:
    if isinstance(item, CheckRunFacts):
        return CheckEvidence(
            name=item.name,
            app=item.app,
            source="run",
            required=required,
            state=_run_state(item, policy),
            conclusion=item.conclusion,
            url=item.url,
            external_id=item.id,
            since=item.completed_at or item.started_at,
        )
    return CheckEvidence(
        name=item.context,
        source="status",
        required=required,
        state=_status_state(item.state),
        conclusion=item.state,
        url=item.url,
        external_id=item.id,
        since=item.updated_at,
    )


def _run_state(run: CheckRunFacts, policy: Checks) -> CheckState:
    if run.status != "completed":
        return "pending"
    if run.conclusion in policy.accept:
        return "success"
    return "failed" if run.conclusion in RED else "pending"


def _status_state(state: str) -> CheckState:
    match state:
        case "success":
            return "success"
        case "failure" | "error":
            return "failed"
        case _:
            return "pending"


def _observed(
    facts: HeadFacts, items: tuple[CheckRunFacts | StatusFacts, ...], policy: Checks, now: datetime
) -> Verification:
    """Nothing is required: everything reported must be green, at least one thing, and no newcomer for a while."""
    evidence = tuple(_evidence(item, policy, required=False) for item in items)
    own_suites = {run.suite for run in facts.checks.runs if run.mine}
    open_suites = tuple(
        CheckEvidence(name=f"suite of app {suite.app}", app=suite.app, source="suite", required=False, state="pending")
        for suite in facts.checks.suites
        if suite.runs > 0 and suite.status != "completed" and suite.id not in own_suites
    )
    state = _state((*evidence, *open_suites))
    verification = _verification(facts, (*evidence, *open_suites), state, now).model_copy(update={"observed": True})
    if state != "passed":
        note = None if evidence else "nothing has reported yet"
        return verification.model_copy(update={"note": note})
    newest = max([facts.head_since, *_appearances(items)])
    settles_at = newest + timedelta(seconds=policy.settle_seconds)
    if now < settles_at:
        return verification.model_copy(update={"state": "pending", "settles_at": settles_at})
    return verification


def _appearances(items: tuple[CheckRunFacts | StatusFacts, ...]) -> list[datetime]:
    times = (item.started_at if isinstance(item, CheckRunFacts) else item.created_at for item in items)
    return [time for time in times if time is not None]
