"""Decisions as they are stored: bound to everything that was judged."""

from typing import Literal

from bot.domain.lifecycle.turn import Turn
from bot.domain.model.command_signals import Approve, OpenGate, Reject
from bot.domain.model.record import Decision, GateName
from bot.domain.model.sightings import ReviewSubmitted

Verdict = Literal["approve", "reject"]
Kind = Literal["plan", "review", "operator"]


def decided(
    turn: Turn, signal: Approve | Reject | OpenGate | ReviewSubmitted, gate: GateName, kind: Kind, verdict: Verdict
) -> Decision:
    """The decision of the turn's actor at this gate, with the record's present bindings."""
    record = turn.record
    plan = record.plan
    about_head = gate != "plan"
    native = isinstance(signal, ReviewSubmitted)
    return Decision(
        id=max((d.id for d in record.decisions), default=0) + 1,
        gate=gate,
        kind=kind,
        verdict=verdict,
        by=turn.actor.as_person(),
        by_agent=turn.actor.kind == "agent",
        at=signal.submitted_at if isinstance(signal, ReviewSubmitted) else signal.source.created_at,
        revision=plan.revision if plan else 0,
        digest=plan.digest if plan else "",
        round=record.gates_opened.of(gate).round,
        head=record.head if about_head else None,
        epoch=record.head_epoch if about_head else None,
        base=record.base if about_head else None,
        pull_request=record.pull_request if about_head else None,
        source=signal.key,
        url=(signal.url if isinstance(signal, ReviewSubmitted) else signal.source.url) or None,
        reason=signal.reason if isinstance(signal, Reject | ReviewSubmitted) and signal.reason else None,
        native=native,
        review_id=signal.review_id if isinstance(signal, ReviewSubmitted) else _review_of(signal),
        policy_sha=turn.policy.sha,
    )


def _review_of(signal: Approve | Reject | OpenGate) -> int | None:
    """A command in a review's body goes with that review when it is dismissed."""
    return signal.source.comment_id if signal.source.comment_kind == "review" else None
