"""Facts that change what a gate needs or has: the policy, and delegated verification of a head."""

from bot.domain.lifecycle.results import Ignore
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.record import DelegatedEvidence
from bot.domain.model.signals import PolicyChanged, VerificationReported
from bot.domain.model.text import code, sha7


def policy_changed(turn: Turn, _signal: PolicyChanged) -> Ignore | None:
    """Open gates are evaluated anew (by what follows after this); closed ones were decided by the rules of their time."""
    record = turn.record
    if record.phase in {"building", "blocked", "done"} or record.withdrawn:
        return Ignore("no gate is open")
    turn.set(policy_sha=turn.policy.sha)
    turn.say("the policy changed")
    return None


def verification_reported(turn: Turn, signal: VerificationReported) -> Ignore | None:
    """Evidence for exactly the present head, or nothing."""
    record = turn.record
    if signal.head != record.head or record.phase not in {"testing", "submit", "blocked"}:
        return Ignore("not the head that is judged")
    found = DelegatedEvidence(
        name=signal.name, head=signal.head, passed=signal.passed, at=turn.now, evidence=signal.evidence
    )
    kept = tuple(e for e in record.delegated if (e.name, e.head) != (found.name, found.head))
    turn.set(delegated=(*kept, found))
    if signal.passed or record.phase == "blocked" or record.withdrawn:
        turn.say(f"verification {signal.name} {'passed' if signal.passed else 'failed'}")
        return None
    head = record.head or ""
    turn.set(
        feedback=f"verification {code(signal.name)} failed on `{sha7(head)}`",
        feedback_by=None,
        feedback_url=None,
        rejected_heads=record.rejected_heads if head in record.rejected_heads else (*record.rejected_heads, head),
    )
    turn.fire("verification_failed", f"verification {signal.name} failed")
    return None
