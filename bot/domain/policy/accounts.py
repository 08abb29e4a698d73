"""Logins of a policy file stand for accounts, by number, from the moment the file comes into force (threats.md T21).

A renamed account keeps what it was given by name. Whoever takes the login over gets nothing: the number that was found first
stays for as long as the file names the login without a break.
"""

from collections.abc import Iterator, Mapping

from bot.domain.model.policy import Policy
from bot.domain.model.written import Finding, Path, Written
from bot.domain.policy.laxer import ROLES

#: Of a login that was nobody's when the file came into force. Nobody gets it later.
NOBODYS = 0


def named(policy: Policy) -> tuple[str, ...]:
    """Every login of the file, once, as accounts are looked up: in lower case, Apps as their bots."""
    return tuple(dict.fromkeys(login for _, login in _places(policy)))


def pinned(policy: Policy, previous: Policy | None, found: Mapping[str, int]) -> Policy:
    """The policy with the accounts that its logins stand for. `found`: whose each login is now, NOBODYS for nobody's."""
    known = {} if previous is None else previous.accounts
    return policy.model_copy(update={"accounts": {login: known.get(login, found[login]) for login in named(policy)}})


def strangers(policy: Policy, found: Mapping[str, int], written: Written) -> Iterator[Finding]:
    """Logins that do not lead to the account they stand for, or to none. `policy` is pinned."""
    for path, login in _places(policy):
        meant, now = policy.accounts[login], found[login]
        if meant == NOBODYS:
            message = (
                "nobody has this login, so nobody holds the role by it; once somebody has it, take it out and in again"
            )
            yield written.finding("warning", path, message)
        elif now != meant:
            whose = "nobody's" if now == NOBODYS else f"of the account {now}"
            message = (
                f"this login was of the account {meant} when it was written here, and is {whose} now; it still means the first "
                "one. Write its new name, or take it out and in again"
            )
            yield written.finding("warning", path, message)


def _places(policy: Policy) -> Iterator[tuple[Path, str]]:
    for role in ROLES:
        rule = getattr(policy.roles, role)
        for index, user in enumerate(rule.users):
            yield ("roles", role, "users", index), user.lower()
        for index, app in enumerate(rule.apps):
            yield ("roles", role, "apps", index), f"{app.lower()}[bot]"
