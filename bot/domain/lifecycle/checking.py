"""Checks of the head: read, judged, booked; red ones send the head back (LIFECYCLE.md 2.4)."""

from datetime import datetime, timedelta

from bot.domain.gates.checks import HeadFacts, lacks_required, verify
from bot.domain.lifecycle.evidence import of_checks
from bot.domain.lifecycle.results import Ignore
from bot.domain.lifecycle.stops import enter_blocked
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.questions import ChecksOn, RulesOf
from bot.domain.model.record import CheckEvidence, Record, Verification
from bot.domain.model.sightings import ChecksChanged
from bot.domain.model.text import code, listed, moment, sha7

WATCHED = frozenset({"building", "testing", "submit", "blocked"})


def checks_of_head(turn: Turn) -> Verification:
    """The verification of the present head by fresh facts. Raises Unread when GitHub could not say."""
    record = turn.record
    rules = turn.need(RulesOf(record.base or ""))
    reported = turn.need(ChecksOn(record.head or ""))
    since = record.pull.head_since if record.pull and record.pull.head_since else record.phase_since
    return verify(HeadFacts(reported, rules, since), turn.policy.checks, turn.now)


def checks_changed(turn: Turn, signal: ChecksChanged) -> Ignore | None:
    record = turn.record
    if signal.head != record.head or record.phase not in WATCHED:
        return Ignore("not a check of a head that is judged")
    if record.withdrawn or record.frozen:
        return Ignore("the record is not moving")
    look_at_checks(turn)
    turn.say_at_least(in_words(turn.record.verification))
    return None


def in_words(known: Verification) -> str:
    green = sum(item.state == "success" for item in known.checks)
    return f"checks {known.state}: {green} of {len(known.checks)} green"


def look_at_checks(turn: Turn) -> None:
    """Re-read the head's checks; a red one leaves testing and submit, a green re-run offers the head again."""
    record = turn.record
    unjudged = record.phase in {"building", "blocked"} and record.verification.head != record.head
    if record.head is None or unjudged:
        return
    fresh = checks_of_head(turn)
    if _differs(record.verification, fresh):
        turn.set(verification=fresh)
    if fresh.state == "failed" and record.is_judged:
        _send_back(turn, fresh)
    elif fresh.state == "passed" and record.phase == "building" and record.red_head == record.head:
        _green_again(turn)


def _send_back(turn: Turn, fresh: Verification) -> None:
    red = [item.name for item in fresh.checks if item.state == "failed"]
    turn.set(
        red_head=turn.record.head,
        feedback=f"{listed([code(name) for name in red])} failed on `{sha7(turn.record.head or '')}`",
        feedback_by=None,
        feedback_url=next((item.url for item in fresh.checks if item.state == "failed"), None),
    )
    turn.fire("check_failed", f"check {', '.join(red)} failed")


def _green_again(turn: Turn) -> None:
    """A green re-run of the same head and epoch: a candidate again, as often as the budget allows."""
    record = turn.record
    if not record.is_ready:
        return
    used, allowed = record.budgets.check_retries[0], turn.policy.budgets.check_retries
    if used >= allowed:
        turn.set(budgets=record.budgets.model_copy(update={"check_retries": (min(used, allowed), allowed)}))
        reason = f"the checks were run again {allowed} times for this work"
        enter_blocked(turn, "budget_exhausted", "budget", reason, proofs=of_checks(record.verification.checks))
        return
    turn.set(budgets=record.budgets.model_copy(update={"check_retries": (used + 1, allowed)}), red_head=None)
    turn.fire("candidate", "the checks are green again")


def overdue_at(record: Record, timeout_minutes: int) -> datetime | None:
    """When the first check that has not completed will be overdue; None when all have."""
    if not record.is_judged or record.verification.state != "pending" or record.in_flight:
        return None
    opened = max(record.gates_opened.testing.opened_at or record.phase_since, record.phase_since)
    waiting = [item for item in record.verification.checks if item.state in {"pending", "missing"}]
    if record.verification.checks and not waiting:
        return None  # only time is missing, until they have settled
    starts = [max(opened, item.since) if item.since else opened for item in waiting] or [opened]
    return min(starts) + timedelta(minutes=timeout_minutes)


def check_overdue(turn: Turn) -> None:
    """Block when a check never came: the evidence names it, the head and since when."""
    record = turn.record
    at = overdue_at(record, turn.policy.checks.timeout_minutes)
    if at is None or turn.now < at or record.withdrawn:
        return
    open_ones = tuple(item for item in record.verification.checks if item.state in {"pending", "missing"})
    since = moment(at - timedelta(minutes=turn.policy.checks.timeout_minutes))
    reason = _what_is_late(record, open_ones, since)
    enter_blocked(turn, "checks_overdue", "checks", reason, proofs=of_checks(open_ones))


def _what_is_late(record: Record, open_ones: tuple[CheckEvidence, ...], since: str) -> str:
    head = sha7(record.head or "")
    if lacks_required(record.verification):  # whatever reported is green, perhaps: it is the rules that are missing
        return f"no check is required of `{head}`, and the policy does not let that pass; so it stands since {since}"
    late = f"check {code(open_ones[0].name)} did" if open_ones else "the checks did"
    return f"{late} not report on `{head}` since {since}"


def _differs(old: Verification, new: Verification) -> bool:
    """Whether anything that people or rules see changed; the time of reading alone is no change."""
    return old.model_copy(update={"read_at": None}) != new.model_copy(update={"read_at": None})
