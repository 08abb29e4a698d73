"""Who may do this? Permission by numeric id, roles by the base level, separation of duties (LIFECYCLE.md 2.5)."""

from bot.domain.lifecycle import refusing
from bot.domain.lifecycle.results import Refuse
from bot.domain.lifecycle.turn import Turn
from bot.domain.merging.gate import counting, excluded
from bot.domain.model.facts import LEVELS, Level, Permission, Unknown
from bot.domain.model.policy import Policy, Role
from bot.domain.model.questions import PermissionOf
from bot.domain.model.record import GateName

#: What whoever may write the database on this machine may say as an operator of it. None of it judges anything.
FROM_THE_MACHINE = frozenset({"settle_merged", "settle_unmerged", "resume", "retry"})


def holds(level: Level, role: Role, policy: Policy) -> bool:
    wanted = policy.roles.of(role).permission
    return wanted is not None and LEVELS.index(level) >= LEVELS.index(wanted)


def lacks_role(turn: Turn, *roles: Role) -> Refuse | None:
    """None when the actor provably holds one of these roles now; the refusal otherwise. Unknown is not yes."""
    actor = turn.actor
    if actor.kind == "cli" and "operator" in roles and turn.signal.kind in FROM_THE_MACHINE:
        return None
    if actor.kind != "person":
        return refusing.not_a_person(roles[0])
    permission = turn.ask(PermissionOf(actor.id, actor.login))
    if isinstance(permission, Unknown):
        return refusing.could_not_verify(turn)
    if permission.user_id != actor.id:
        return refusing.renamed(turn)
    if permission.is_bot or not any(holds(permission.level, role, turn.policy) for role in roles):
        return refusing.not_allowed(turn, roles[0], permission)
    return None


def may(turn: Turn, user_id: int, login: str, role: Role) -> bool | Unknown:
    """Whether somebody other than the actor holds a role now, for deciders at merge time and for authors."""
    permission: Permission | Unknown = turn.ask(PermissionOf(user_id, login))
    if isinstance(permission, Unknown):
        return permission
    return permission.user_id == user_id and not permission.is_bot and holds(permission.level, role, turn.policy)


def barred_from_seat(turn: Turn, gate: GateName, kind: str, verb: str) -> Refuse | None:
    """Separation of duties for a seat: not an author or pusher, nobody in two seats of one gate, nobody twice."""
    record, policy, actor = turn.record, turn.policy, turn.actor
    if gate != "plan" and record.pusher_is_unknown and policy.separation.unknown_pusher == "refuse":
        return refusing.unknown_pusher(record)
    if actor.id in excluded(record, policy, gate, kind):
        return refusing.self_approval(turn, gate, verb)
    mine = [d for d in counting(record, gate) if d.by.id == actor.id and d.verdict == "approve"]
    if any(_seat(d.kind) == kind for d in mine):
        return refusing.already_recorded("Your decision" if verb != "gate" else "Your opening of this gate")
    if mine and policy.separation.distinct_people:
        return refusing.same_person(turn, gate, "an operator" if kind == "review" else "a reviewer")
    distinct = kind == "operator" and gate == "submit" and policy.separation.distinct_gates
    if distinct and any(d.by.id == actor.id and d.kind == "operator" for d in counting(record, "testing")):
        return refusing.same_person(turn, "testing", "an operator")
    return None


def _seat(kind: str) -> str:
    return "operator" if kind == "operator" else "review"
