"""Who bears some logins now and what they may do in a repository: for commands that ask before anything is committed."""

from collections.abc import Sequence

import httpx

from bot.bootstrap.runtime import SystemClock, sleep
from bot.cli.operations import Refused
from bot.domain.model.ids import Repo
from bot.domain.model.questions import AccountOf, PermissionOf
from bot.domain.policy.seats import Someone, as_someone
from bot.github.client import Endpoint, GitHubGateway, Identity
from bot.github.forge import GitHubForge
from bot.github.hooks import GitHubDirectory
from bot.ports.failures import ForgeFailure
from bot.settings import Settings


async def people(
    settings: Settings, repository: str, logins: Sequence[str], transport: httpx.AsyncBaseTransport | None = None
) -> dict[str, Someone | None]:
    """Raises Refused where there is no App to ask as, it is not installed there, or GitHub does not answer."""
    app = settings.app()
    if app is None:
        raise Refused(
            "GitHub can be asked only as the App: set APP_ID, its key and WEBHOOK_SECRET, or leave --repo away."
        )
    endpoint = Endpoint(api_url=settings.github_api_url, transport=transport)
    gateway = GitHubGateway(Identity(app.app_id, app.private_key), endpoint, SystemClock(), sleep)
    try:
        repo = await _found(GitHubDirectory(gateway), repository)
        forge = GitHubForge(gateway)
        return {login: await _person(forge, repo, login) for login in logins}
    except ForgeFailure as failure:
        raise Refused(f"GitHub did not say who could: {failure.for_operator()}.") from None
    finally:
        await gateway.close()


async def _found(directory: GitHubDirectory, repository: str) -> Repo:
    for one in await directory.installations():
        for repo in () if one.suspended else await directory.repositories(one.id):
            if repo.full_name.lower() == repository.lower():
                return repo
    raise Refused(f"The App is not installed on {repository}, or may not work there.")


async def _person(forge: GitHubForge, repo: Repo, login: str) -> Someone | None:
    account = (await forge.read(repo, AccountOf(login))).value
    if account is None:
        return None
    return as_someone((await forge.read(repo, PermissionOf(account.id, account.login))).value)
