"""Plans: submitted, approved, rejected (LIFECYCLE.md 2.1)."""

import hashlib

from bot.domain.lifecycle import refusing, revoked_early
from bot.domain.lifecycle.binding import already_void, unbound_plan
from bot.domain.lifecycle.guards import PLAN_LIMIT
from bot.domain.lifecycle.last_word import barred
from bot.domain.lifecycle.outdated import written_before
from bot.domain.lifecycle.people import lacks_role
from bot.domain.lifecycle.recording import decided
from bot.domain.lifecycle.results import Refuse
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.command_signals import Approve, Reject, SubmitPlan
from bot.domain.model.record import Plan


def digest_of(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def submit_plan(turn: Turn, signal: SubmitPlan) -> Refuse | None:
    if refusal := _cannot_plan(turn):
        return refusal
    text = signal.text.strip()
    if not text or len(text) > PLAN_LIMIT:
        return refusing.refuse(
            "bad_argument",
            f"A plan is text of 1 to {PLAN_LIMIT:,} characters, and this one has {len(text):,}. Nothing changed.\n"
            "A builder starts a comment with `/plan` and writes the whole plan below it.",
        )
    if refusal := lacks_role(turn, "builder"):
        return refusal
    before = turn.record.plan
    if before is not None and (refusal := written_before(signal, f"plan r{before.revision}", before.submitted_at)):
        return refusal
    if refusal := written_before(signal, "somebody wanted it to be planned anew", turn.record.replanned_at):
        return refusal
    if turn.record.phase == "plan_ready":
        turn.fire("replan", f"revision {before.revision if before else 0} replaced")
    elif turn.record.phase == "plan_rejected":
        turn.fire("revise")
    revision = (before.revision if before else 0) + 1
    turn.set(
        plan=Plan(
            revision=revision,
            digest=digest_of(text),
            text=text,
            author=turn.actor.as_person(),
            submitted_at=signal.source.created_at,
            round=0,
            url=signal.source.url or None,
        ),
        feedback=None,
        feedback_by=None,
        feedback_url=None,
    )
    turn.fire("plan_submitted", f"revision {revision}")
    return None


def _cannot_plan(turn: Turn) -> Refuse | None:
    record = turn.record
    if record.withdrawn:
        return refusing.withdrawn(record)
    if record.frozen:
        return refusing.frozen(record, turn.policy)
    match record.phase:
        case "planning" | "plan_ready" | "plan_rejected":
            return None
        case "blocked":
            return refusing.blocked(record, turn.policy)
        case "done":
            return refusing.nothing_to_judge(record)
        case "submit" if record.in_flight:
            return refusing.merge_in_flight(record)
        case "submit" if record.merge.state == "reserved":
            return refusing.reserved(record)
        case _:
            revision = record.plan.revision if record.plan else 0
            return refusing.wrong_phase(
                record,
                f"where plan r{revision} is being carried out. To plan anew, a builder or an operator "
                "comments `/replan` and why.",
            )


def approve_plan(turn: Turn, signal: Approve) -> Refuse | None:
    record = turn.record
    explicit = signal.revision is not None
    if record.withdrawn:
        return refusing.withdrawn(record)
    if record.frozen:
        return refusing.frozen(record, turn.policy)
    if record.phase in {"planning", "plan_rejected", "done"}:
        return refusing.nothing_to_judge(record)
    if record.in_flight:
        return refusing.merge_in_flight(record)
    if record.phase != "plan_ready" and not explicit:
        return refusing.blocked(record, turn.policy) if record.phase == "blocked" else refusing.nothing_to_judge(record)
    if refusal := unbound_plan(turn, signal.revision, signal.source.thread, signal.source.created_at):
        return refusal
    if refusal := revoked_early.taken_back(turn, "plan", signal.source.created_at):
        return refusal
    if refusal := lacks_role(turn, "reviewer", seat=("plan", "review")):
        return refusal
    if refusal := barred(turn, "plan", "review", signal.source.created_at):
        return refusal
    turn.set(decisions=(*record.decisions, decided(turn, signal, "plan", "plan", "approve")))
    turn.say(f"approved plan r{record.plan.revision if record.plan else 0}")
    return None


def reject_plan(turn: Turn, signal: Reject) -> Refuse | None:
    """In plan_ready: the plan is rejected. (Later phases: bot.domain.lifecycle.judging.)"""
    record = turn.record
    revision = record.plan.revision if record.plan else 0
    if signal.revision is not None and signal.revision != revision:
        return refusing.revision_moved(record, signal.revision)
    if refusal := already_void(turn, signal.source):
        return refusal
    if refusal := lacks_role(turn, "reviewer"):
        return refusal
    turn.set(
        decisions=(*record.decisions, decided(turn, signal, "plan", "plan", "reject")),
        feedback=signal.reason,
        feedback_by=turn.actor.as_person(),
        feedback_url=signal.source.url or None,
    )
    turn.fire("plan_rejected", f"plan r{revision} rejected")
    return None
