"""Whose logins and which teams stand in a policy file, asked once, when it comes into force."""

from collections.abc import Iterable
from contextlib import suppress

from bot.domain.model.ids import Repo
from bot.domain.model.policy import Policy
from bot.domain.model.questions import AccountOf, TeamOf
from bot.domain.model.written import Written
from bot.domain.policy.accounts import NOBODYS, named, pinned, strangers, team_in
from bot.domain.policy.force import InForce
from bot.ports.failures import Forbidden
from bot.ports.forge import Forge


async def with_accounts(forge: Forge, repo: Repo, look: InForce, written: Written, previous: Policy | None) -> InForce:
    """What comes into force, its names standing for accounts and teams. Raises ForgeFailure: rules that name somebody of whom it
    is not known who that is do not come into force."""
    if not look.accepted:
        return look
    found = await _owners(forge, repo, named(look.policy))
    policy = pinned(look.policy, previous, found)
    return InForce(policy, (*look.findings, *strangers(policy, found, written)), accepted=True)


async def _owners(forge: Forge, repo: Repo, names: Iterable[str]) -> dict[str, int]:
    """Without the teams that we may not see: they give nobody a role, and keep nothing else from coming into force."""
    found: dict[str, int] = {}
    for name in names:
        team = team_in(name)
        if team is None:
            account = (await forge.read(repo, AccountOf(name))).value
            found[name] = NOBODYS if account is None else account.id
            continue
        with suppress(Forbidden):
            found[name] = (await forge.read(repo, TeamOf(team))).value or NOBODYS
    return found
