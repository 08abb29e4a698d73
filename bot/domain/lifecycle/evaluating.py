"""Facts that change what a gate needs or has: the policy, rules of branches, roles, and delegated verification of a head."""

from bot.domain.gates.gate import authority_complete
from bot.domain.lifecycle.looking import look_at_everything
from bot.domain.lifecycle.outdated import stopped_at
from bot.domain.lifecycle.prerequisites import of_the_people
from bot.domain.lifecycle.results import Ignore
from bot.domain.lifecycle.stops import give_back
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.own_signals import PolicyChanged, VerificationReported
from bot.domain.model.record import DelegatedEvidence
from bot.domain.model.sightings import RolesChanged
from bot.domain.model.text import code, sha7


def policy_changed(turn: Turn, _signal: PolicyChanged) -> Ignore | None:
    """Open gates are evaluated anew (by what follows after this); closed ones were decided by the rules of their time."""
    record = turn.record
    if record.phase in {"building", "blocked", "done"} or record.withdrawn:
        return Ignore("no gate is open")
    turn.set(policy_sha=turn.policy.sha)
    turn.say("the policy changed")
    _still_theirs(turn)
    return None


def roles_changed(turn: Turn, signal: RolesChanged) -> Ignore | None:
    """Roles are read when somebody decides and when it merges. So only who waits for a merge is looked at: what is reserved is
    given back if a decision does not count any more, and what waited for a role is judged anew by what follows."""
    record = turn.record
    if signal.installation_id != record.installation_id:
        return Ignore("another installation's news")
    if signal.rules and record.phase in {"building", "testing", "submit"} and not (record.withdrawn or record.frozen):
        return look_at_everything(turn)
    if record.phase != "submit" or record.withdrawn:
        return Ignore("nobody's role is read again here")
    _still_theirs(turn)
    return None


def _still_theirs(turn: Turn) -> None:
    """What is reserved is given back where a decision does not count any more. (What lacks decisions is given back anyway.)"""
    if turn.record.merge.state != "reserved" or not authority_complete(turn.record, turn.policy):
        return
    lost = next(of_the_people(turn), None)
    if lost is not None:
        give_back(turn, lost.message, lost.code)
        turn.say(f"the reservation was released: {lost.message}")


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
        rejected_heads=record.rejecting(head),
        rejected_at=stopped_at(turn),
    )
    turn.fire("verification_failed", f"verification {signal.name} failed")
    return None
