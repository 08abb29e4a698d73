"""Whose logins stand in a policy file, asked once, when it comes into force."""

from collections.abc import Iterable

from bot.domain.model.ids import Repo
from bot.domain.model.policy import Policy
from bot.domain.model.questions import AccountOf
from bot.domain.model.written import Written
from bot.domain.policy.accounts import NOBODYS, named, pinned, strangers
from bot.domain.policy.force import InForce
from bot.ports.forge import Forge


async def with_accounts(forge: Forge, repo: Repo, look: InForce, written: Written, previous: Policy | None) -> InForce:
    """What comes into force, its logins standing for accounts. Raises ForgeFailure: rules that name somebody of whom it is not
    known who that is do not come into force."""
    if not look.accepted:
        return look
    found = await _owners(forge, repo, named(look.policy))
    policy = pinned(look.policy, previous, found)
    return InForce(policy, (*look.findings, *strangers(policy, found, written)), accepted=True)


async def _owners(forge: Forge, repo: Repo, logins: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for login in logins:
        account = (await forge.read(repo, AccountOf(login))).value
        found[login] = NOBODYS if account is None else account.id
    return found
