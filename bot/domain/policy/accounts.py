"""Names in a policy file stand for accounts and teams, by number, from the moment the file comes into force (threats.md T21).

A renamed account keeps what it was given by name. Whoever takes the name over gets nothing: the number that was found first
stays for as long as the file has the name without a break. A team that cannot be seen has no number; nobody is its member.
"""

from collections.abc import Iterator, Mapping

from bot.domain.model.policy import Policy
from bot.domain.model.written import Finding, Path, Written
from bot.domain.policy.laxer import ROLES

#: Of a name that was nobody's when the file came into force. Nobody gets it later.
NOBODYS = 0
#: Before a team, so that no login is taken for one.
_TEAM = "@"


def named(policy: Policy) -> tuple[str, ...]:
    """Every name in the file, once, as it is looked up: in lower case, Apps as their bots, teams as `as_team`."""
    return tuple(dict.fromkeys(login for _, login in _places(policy)))


def pinned(policy: Policy, previous: Policy | None, found: Mapping[str, int]) -> Policy:
    """The policy with the numbers that its names stand for. `found`: what each name is now, NOBODYS for nobody's; what could
    not be seen is left out."""
    known = {} if previous is None else previous.accounts
    numbers = {**found, **known}
    return policy.model_copy(update={"accounts": {name: numbers[name] for name in named(policy) if name in numbers}})


def is_whole(policy: Policy) -> bool:
    """Whether of each name it is known what it stands for."""
    return all(name in policy.accounts for name in named(policy))


def as_team(team: str) -> str:
    """How a team is named among the accounts: as the file writes it, with its organization's name or without."""
    return f"{_TEAM}{team.lower()}"


def team_in(name: str) -> str | None:
    """The team that is named so; None for a login."""
    return name.removeprefix(_TEAM) if name.startswith(_TEAM) else None


def strangers(policy: Policy, found: Mapping[str, int], written: Written) -> Iterator[Finding]:
    """Names that do not lead to what they stand for, or to nothing. `policy` is pinned."""
    for path, name in _places(policy):
        message = _strange(policy.accounts.get(name), found.get(name), is_team=team_in(name) is not None)
        if message is not None:
            yield written.finding("warning", path, message)


def _strange(meant: int | None, now: int | None, *, is_team: bool) -> str | None:
    if meant is None or now is None:
        return (
            "this team cannot be seen, so nobody holds the role by it. It has to be of the organization that owns the "
            "repository, and an owner of it lets the App read its members (Members: read)"
        )
    if meant == NOBODYS and is_team:
        return "no team has this name, so nobody holds the role by it; once one has it, take it out and in again"
    if meant == NOBODYS:
        return "nobody has this login, so nobody holds the role by it; once somebody has it, take it out and in again"
    if now == meant:
        return None
    name, kind = ("name", "team") if is_team else ("login", "account")
    whose = "nobody's" if now == NOBODYS else f"of the {kind} {now}"
    return (
        f"this {name} was of the {kind} {meant} when it was written here, and is {whose} now; it still means the first "
        "one. Write its new name, or take it out and in again"
    )


def _places(policy: Policy) -> Iterator[tuple[Path, str]]:
    for role in ROLES:
        rule = getattr(policy.roles, role)
        for index, user in enumerate(rule.users):
            yield ("roles", role, "users", index), user.lower()
        for index, app in enumerate(rule.apps):
            yield ("roles", role, "apps", index), f"{app.lower()}[bot]"
        for index, team in enumerate(rule.teams):
            yield ("roles", role, "teams", index), as_team(team)
