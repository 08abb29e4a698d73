"""Every "no" that is about who somebody is: what is true of them, what it takes, and who has it (LIFECYCLE.md 2.5)."""

from bot.domain.explain.offers import ROLE, seat_command, seat_takers, spelled
from bot.domain.gates.gate import counting, gate_view
from bot.domain.gates.separation import barred
from bot.domain.lifecycle.refusing import refuse
from bot.domain.lifecycle.results import Refuse
from bot.domain.lifecycle.roles import Standing
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.explain import Need
from bot.domain.model.facts import LEVELS, Level, Permission
from bot.domain.model.policy import Policy, Role, RoleRule
from bot.domain.model.record import GateName, Record
from bot.domain.model.text import code, listed, sha12

ARTICLE: dict[Role, str] = {
    "builder": "a builder",
    "reviewer": "a reviewer",
    "operator": "an operator",
    "product_owner": "a product owner",
    "engineering_manager": "an engineering manager",
}
#: A gate, and `review` or `operator`.
Seat = tuple[GateName, str]
#: Names of people and teams that a sentence says; the policy file has the others.
_MOST_NAMED = 5


def not_allowed(turn: Turn, permission: Permission, roles: tuple[Role, ...], seat: Seat | None = None) -> Refuse:
    """`roles`: any of them would have been enough. `seat`: what was to be filled."""
    return lacks(turn.policy, permission.login, permission.level, roles, "" if seat is None else _awaited(turn, *seat))


def lacks(policy: Policy, login: str, level: Level, roles: tuple[Role, ...], awaited: str = "") -> Refuse:
    """`awaited`: the sentence that says who is; without it whoever holds one of the roles."""
    enough = _that_matter(policy, roles)
    awaited = awaited or f"Waiting for {listed([ARTICLE[role] for role in enough], 'or')}."
    return refuse("not_allowed", f"It needs {lacking(policy, login, level, *enough)}.\n{awaited} Nothing changed.")


def lacking(policy: Policy, login: str, level: Level, *roles: Role) -> str:
    """Finishes "It needs …": the roles, how each is held, and what this person has instead."""
    wanted = [f"{ARTICLE[role]} ({how_held(policy.roles.of(role))})" for role in roles]
    rules = [policy.roles.of(role) for role in roles]
    who, without = code(login), []
    if any(rule.permission is not None for rule in rules):
        without.append(f"has `{level}`")
    if any(_names(rule) for rule in rules):
        without.append("is not named" if without else "is not one of them")
    return f"{listed(wanted, 'or')}, and {who} {' and '.join(without)}"


def how_held(rule: RoleRule) -> str:
    """`write` on this repository, a member of `core`, or `ada`."""
    ways = [f"`{rule.permission}` on this repository"] if rule.permission is not None else []
    return listed([*ways, *_names(rule)], "or", limit=_MOST_NAMED)


def _names(rule: RoleRule) -> list[str]:
    by_role = (f"the custom role {code(role)}" for role in rule.custom_roles)
    return [*by_role, *(f"a member of {code(team)}" for team in rule.teams), *(code(user) for user in rule.users)]


def _that_matter(policy: Policy, roles: tuple[Role, ...]) -> tuple[Role, ...]:
    """Without roles whose holders have the first one as well: operators are reviewers, where only permission counts."""
    first = policy.roles.of(roles[0])
    return (roles[0], *(role for role in roles[1:] if not _within(policy.roles.of(role), first)))


def _within(rule: RoleRule, wider: RoleRule) -> bool:
    if rule.permission is None or wider.permission is None or rule.custom_roles or rule.teams or rule.users:
        return False
    return LEVELS.index(rule.permission) >= LEVELS.index(wider.permission)


def not_a_person(role: Role) -> Refuse:
    return refuse("not_allowed", f"Only a person can do this as {ARTICLE[role]}, not an App or a bot. Nothing changed.")


def another_account(turn: Turn) -> Refuse:
    who = code(turn.actor.login)
    return refuse(
        "not_allowed",
        f"The account {who} that GitHub knows now is another one than the writer of this comment. Nothing changed.\n"
        "The writer can repeat it from the account as it is called now.",
    )


def could_not_verify(turn: Turn, found: Standing) -> Refuse:
    who = code(turn.actor.login)
    if found.unread is None:
        return refuse(
            "could_not_verify",
            f"GitHub did not say whether {who} may do this, so it was not counted. Repeat it in a few minutes.",
        )
    return refuse(
        "could_not_verify",
        f"GitHub did not say whether {who} is a member of {code(found.unread)}, so it was not counted. Repeat it in a few "
        "minutes.\nIf that does not help, an owner of the organization lets the App read its members (Members: read), or "
        "corrects the team's name in `.github/signalbox.yml`.",
    )


def self_approval(turn: Turn, gate: GateName, kind: str) -> Refuse:
    record, who = turn.record, code(turn.actor.login)
    if gate == "plan":
        return refuse(
            "self_approval",
            f"The plan is by {who}, and the policy asks for somebody else's judgement. Nothing changed.",
        )
    because = barred(record, turn.policy, gate, kind)[turn.actor.id].because
    return refuse(
        "self_approval",
        f"{who} {listed(because, limit=4)}, and the policy asks for somebody else's judgement of "
        f"`{sha12(record.head or '')}`. Nothing changed.\n{_awaited(turn, gate, kind)}",
    )


def same_person(turn: Turn, gate: GateName, kind: str) -> Refuse:
    """Who sits in the other kind of seat of this gate."""
    who, seated = code(turn.actor.login), "an operator" if kind == "review" else "a reviewer"
    return refuse(
        "same_person",
        f"{who} already fills the seat of {seated} at the gate *{gate}*, and nobody fills two seats of one gate. "
        f"Nothing changed.\n{_awaited(turn, gate, kind)}{_instead(turn, gate, kind)}",
    )


def _instead(turn: Turn, gate: GateName, kind: str) -> str:
    """Who takes the other decision back is free for this seat, also where that one was given beyond need. A decision of
    testing that led to submit would be taken back with it, so there it is no way out."""
    record = turn.record
    if any(decision.by.id == turn.actor.id and decision.consumed for decision in counting(record, "testing")):
        return ""
    command = seat_command(record, turn.policy, gate, kind)
    revoke = spelled(turn.policy, "revoke")
    return f"\nTo fill this one instead, {code(turn.actor.login)} comments `{revoke}`, and then `{command}`."


def same_operator(turn: Turn) -> Refuse:
    """Who opened the gate before."""
    return refuse(
        "same_person",
        f"{code(turn.actor.login)} opened the gate *testing*, and the policy asks for another operator at *submit*. "
        f"Nothing changed.\n{_awaited(turn, 'submit', 'operator')}",
    )


def unknown_pusher(record: Record) -> Refuse:
    if record.pull is not None and record.pull.base_mover_unknown:
        base = code(record.base or "")
        return refuse(
            "unknown_pusher",
            f"The base {base} was set back, so what it had there is part of `{sha12(record.head or '')}` now, and it is not "
            "known who had pushed it. Nothing changed.\nRepeat it in a few minutes; if that does not help, a builder brings "
            f"the branch onto {base} as it is now and comments `/unlink` and then `/link #{record.issue}` on its pull request.",
        )
    many = record.pull is not None and record.pull.commit_authors_unknown
    why = "it has more commits than GitHub names the authors of" if many else "the policy refuses to guess"
    said = f"It is not known who pushed `{sha12(record.head or '')}`, and {why}. Nothing changed."
    if record.pull is not None and record.pull.same_repository:
        way = "GitHub does not show everybody who pushed to its branch. Repeat it in a few minutes; if that does not help, "
        way += (
            f"a builder pushes it to a new branch and comments `/link #{record.issue}` on the pull request from there."
        )
    else:
        way = (
            "It comes from a fork, where pushes cannot be read. A builder pushes it to a branch of this repository and "
        )
        way += f"comments `/link #{record.issue}` on the pull request from there."
    return refuse("unknown_pusher", f"{said}\n{way}")


def _awaited(turn: Turn, gate: GateName, kind: str) -> str:
    """Who may fill this seat, without those who may not, the actor among them. Where it is full, who fills what is not."""
    record, policy = turn.record, turn.policy
    needs = [need for need in gate_view(record, policy, gate).needs if need.waiting_on is not None]
    if any(need.what == kind for need in needs) or not needs:
        return f"Waiting for {seat_takers(record, policy, gate, kind)}."
    what = "human gate is open" if kind == "operator" else "review is complete"
    return f"The {what}. Waiting for {listed([_who(turn, gate, need) for need in needs])}."


def _who(turn: Turn, gate: GateName, need: Need) -> str:
    if need.what in {"review", "operator"}:
        return seat_takers(turn.record, turn.policy, gate, need.what)
    return ROLE[need.waiting_on or "checks"]
