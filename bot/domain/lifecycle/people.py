"""Who may do this? Roles by numeric id as GitHub says them now, and separation of duties (LIFECYCLE.md 2.5)."""

from bot.domain.gates.gate import counting
from bot.domain.gates.separation import excluded, nobody_may_guess
from bot.domain.lifecycle import denying, refusing
from bot.domain.lifecycle.results import Refuse
from bot.domain.lifecycle.roles import standing
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.facts import Unknown
from bot.domain.model.ids import Person
from bot.domain.model.policy import Role
from bot.domain.model.record import Decision, GateName

#: What whoever may write the database on this machine may say as an operator of it. None of it judges anything.
FROM_THE_MACHINE = frozenset({"settle_merged", "settle_unmerged", "resume", "retry"})


def lacks_role(turn: Turn, *roles: Role, seat: denying.Seat | None = None) -> Refuse | None:
    """None when the actor provably holds one of these roles now; the refusal otherwise. Unknown is not yes. `seat`: what the
    actor wants to fill."""
    actor = turn.actor
    if actor.kind == "cli" and "operator" in roles and turn.signal.kind in FROM_THE_MACHINE:
        return None
    if actor.kind != "person":
        return denying.not_a_person(roles[0])
    found = standing(turn.ask, turn.policy, actor.as_person(), *roles)
    if found.holds is None or found.permission is None:
        return denying.could_not_verify(turn, found)
    if found.holds:
        return None
    if found.permission.user_id != actor.id:
        return denying.another_account(turn)
    return denying.not_allowed(turn, found.permission, roles, seat)


def may(turn: Turn, who: Person, role: Role) -> bool | Unknown:
    """Whether somebody other than the actor holds a role now, for deciders at merge time and for authors."""
    found = standing(turn.ask, turn.policy, who, role)
    return Unknown(found.why) if found.holds is None else found.holds


def may_still(turn: Turn, decision: Decision, role: Role) -> bool | Unknown:
    """Whether whoever decided could decide so now. An agent can while the policy lists it."""
    if decision.by_agent:
        return role == "reviewer" and "reviewer" in turn.policy.agents.get(decision.by.login, ())
    return may(turn, decision.by, role)


def barred_from_seat(turn: Turn, gate: GateName, kind: str) -> Refuse | None:
    """Separation of duties for a seat: not an author or pusher, nobody in two seats of one gate, nobody twice."""
    record, policy, actor = turn.record, turn.policy, turn.actor
    if gate != "plan" and nobody_may_guess(record, policy):
        return denying.unknown_pusher(record)
    if actor.id in excluded(record, policy, gate, kind):
        return denying.self_approval(turn, gate, kind)
    mine = [d for d in counting(record, gate) if d.by.id == actor.id and d.verdict == "approve"]
    if any(_seat(d.kind) == kind for d in mine):
        return refusing.already_recorded("Your opening of this gate" if kind == "operator" else "Your decision")
    if mine and policy.separation.distinct_people:
        return denying.same_person(turn, gate, kind)
    distinct = kind == "operator" and gate == "submit" and policy.separation.distinct_gates
    if distinct and any(d.by.id == actor.id and d.kind == "operator" for d in counting(record, "testing")):
        return denying.same_operator(turn)
    return None


def _seat(kind: str) -> str:
    return "operator" if kind == "operator" else "review"
