"""Whatever order deliveries come in, the last word that somebody wrote about a seat is the one that stands (I14)."""

from datetime import datetime

from bot.domain.gates.gate import counting
from bot.domain.lifecycle.outdated import written_before
from bot.domain.lifecycle.people import barred_from_seat
from bot.domain.lifecycle.results import Refuse
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.command_signals import Revoke
from bot.domain.model.record import Decision, GateName


def barred(turn: Turn, gate: GateName, kind: str, written_at: datetime) -> Refuse | None:
    """None when the actor may fill this seat. Whoever fills it already said it again: kept, since an older `/revoke` may be
    heard afterwards."""
    refusal = barred_from_seat(turn, gate, kind)
    if refusal is not None and refusal.refusal.code == "already_recorded":
        _say_again(turn, gate, kind, written_at)
    return refusal


def _say_again(turn: Turn, gate: GateName, kind: str, written_at: datetime) -> None:
    mine = {
        d.id
        for d in counting(turn.record, gate)
        if d.by.id == turn.actor.id and (d.kind == "operator") is (kind == "operator") and said_at(d) < written_at
    }
    if mine:
        again = {"said_again": written_at}
        turn.set(decisions=tuple(d.model_copy(update=again) if d.id in mine else d for d in turn.record.decisions))
        turn.say("said again")
        turn.book(turn.signal.kind)


def said_at(decision: Decision) -> datetime:
    return decision.said_again or decision.at


def revoked_before(signal: Revoke, approvals: list[Decision]) -> Refuse | None:
    """The refusal of a `/revoke` that is older than every approval it would take back."""
    times = [said_at(d) for d in approvals]
    return written_before(signal, "its writer approved", min(times)) if times else None
