"""Which roles does somebody hold now? One rule (`policy.seats.holds_role`) with as few rounds as it takes: the permission, and
all teams at once where that is not enough. What cannot be read is neither yes nor no.
"""

from collections.abc import Iterator
from typing import NamedTuple, Protocol, TypeVar

from bot.domain.lifecycle.results import Lacking
from bot.domain.model.facts import Level, Permission, Unknown
from bot.domain.model.ids import Person
from bot.domain.model.policy import Policy, Role, RoleRule
from bot.domain.model.questions import MemberOf, PermissionOf, Question
from bot.domain.policy.accounts import NOBODYS, as_team
from bot.domain.policy.seats import Someone, as_someone, holds_role, is_nobody

T = TypeVar("T")
ROLES: tuple[Role, ...] = ("builder", "reviewer", "operator", "product_owner", "engineering_manager")


class Ask(Protocol):
    def __call__(self, question: Question[T], /) -> T | Unknown:
        """The answer, or Unknown. May raise Lacking, when nobody asked yet."""
        ...


class Standing(NamedTuple):
    """`holds` None = it could not be verified; then `unread` is the team that could not be read, if it was one, and `why` is
    for operators. `permission` None = not even that was read."""

    holds: bool | None
    permission: Permission | None = None
    unread: str | None = None
    why: str = ""


class Able(NamedTuple):
    """The permission and the roles of somebody."""

    level: Level
    roles: frozenset[Role] = frozenset()


def standing(ask: Ask, policy: Policy, who: Person, *roles: Role) -> Standing:
    """Whether the account with this number holds one of these roles, whatever it is called by now."""
    permission = ask(PermissionOf(who.id, who.login))
    if isinstance(permission, Unknown):
        return Standing(None, why=permission.why)
    if permission.user_id != who.id:
        return Standing(holds=False, permission=permission)
    someone = as_someone(permission)
    rules = [policy.roles.of(role) for role in roles]
    if _holds(rules, someone, policy):
        return Standing(holds=True, permission=permission)
    if is_nobody(someone):
        return Standing(holds=False, permission=permission)
    doubt: Standing | None = None
    for team, member in _members(ask, rules, permission.login, policy):
        if isinstance(member, Unknown):
            doubt = doubt or Standing(None, permission, team, member.why)
        elif member and _holds(rules, someone.model_copy(update={"teams": (team,)}), policy):
            return Standing(holds=True, permission=permission)
    if doubt is None and permission.role_name is None and any(rule.custom_roles for rule in rules):
        doubt = Standing(None, permission, why=f"GitHub did not say what the role of {permission.login} is called")
    if doubt is None and any(name not in policy.accounts for name in _names_of(rules, someone)):
        doubt = Standing(
            None, permission, why=f"nobody looked yet which account {permission.login} is in the policy file"
        )
    return doubt or Standing(holds=False, permission=permission)


def able(ask: Ask, policy: Policy, who: Person) -> Able | Unknown:
    """What an account may do here, as far as that is proven."""
    permission = ask(PermissionOf(who.id, who.login))
    if isinstance(permission, Unknown):
        return permission
    held = frozenset(role for role in ROLES if standing(ask, policy, who, role).holds)
    return Able(permission.level if permission.user_id == who.id else "none", held)


def is_listed_app(policy: Policy, login: str, number: int) -> bool:
    """Whether this is the account of an App whose pull requests count as a builder's. No person's login has brackets."""
    name = login.lower()
    listed = any(f"{app.lower()}[bot]" == name for app in policy.roles.builders.apps)
    return listed and policy.accounts.get(name) == number


def _holds(rules: list[RoleRule], someone: Someone, policy: Policy) -> bool:
    return any(holds_role(rule, someone, policy.accounts) for rule in rules)


def _members(ask: Ask, rules: list[RoleRule], login: str, policy: Policy) -> Iterator[tuple[str, bool | Unknown]]:
    """Only the team that had the name when the file came into force has members; a name that was no team's has none."""
    teams = {team: policy.accounts.get(as_team(team)) for rule in rules for team in rule.teams}
    yield from (
        (team, Unknown("nobody saw yet which team this is")) for team, number in teams.items() if number is None
    )
    questions = tuple(MemberOf(team, login, number) for team, number in teams.items() if number not in {None, NOBODYS})
    for question in questions:
        try:
            yield question.team, ask(question)
        except Lacking as lacking:
            raise Lacking(lacking.question, questions) from None


def _names_of(rules: list[RoleRule], someone: Someone) -> Iterator[str]:
    """Names in the file that this account bears now."""
    login = someone.login.lower()
    yield from (login for rule in rules for user in rule.users if user.lower() == login)
