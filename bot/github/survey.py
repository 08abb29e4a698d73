"""The App as doctor looks at it: does GitHub take our key, what may we do, and where."""

from typing import TypeVar

from bot.domain.model.ids import Repo
from bot.github.client import GitHubGateway
from bot.github.failures import github_date, pause
from bot.github.hooks import app_rows, installation_rows, read
from bot.github.shapes import FullName, Id, Moment, Part, Text
from bot.ports.survey import AppAnswer, Governed, Place

T = TypeVar("T")
OK = 200
#: Answers that are about the key or the clock, and not about GitHub's health.
ABOUT_THE_KEY = (OK, 401, 403, 404)


class _App(Part):
    slug: Text
    permissions: dict[str, str] = {}
    events: tuple[Text, ...] = ()


class _Account(Part):
    login: Text


class _Installation(Part):
    id: Id
    account: _Account | None = None
    html_url: Text = ""
    suspended_at: Moment | None = None
    permissions: dict[str, str] = {}


class _Repository(Part):
    id: Id
    full_name: FullName
    default_branch: Text = "main"
    archived: bool = False


class _Repositories(Part):
    repositories: tuple[_Repository, ...]


class GitHubSurvey:
    def __init__(self, gateway: GitHubGateway) -> None:
        self._gateway = gateway

    async def about(self) -> AppAnswer:
        answer = await self._gateway.as_app("/app")
        about_the_key = answer.status_code in ABOUT_THE_KEY and pause(answer, self._gateway.clock.now()) is None
        if answer.status_code != OK and about_the_key:
            return AppAnswer(status=answer.status_code, at=github_date(answer))
        app = read(self._gateway, answer, "GET /app", _App)
        return AppAnswer(
            status=OK, at=github_date(answer), slug=app.slug, permissions=app.permissions, events=app.events
        )

    async def places(self) -> tuple[Place, ...]:
        found = await app_rows(self._gateway, "/app/installations", _Installation)
        return tuple(
            Place(
                id=one.id,
                account=one.account.login if one.account is not None else f"installation {one.id}",
                suspended=one.suspended_at is not None,
                permissions=one.permissions,
                settings=one.html_url,
            )
            for one in found
        )

    async def governed(self, installation_id: int) -> tuple[Governed, ...]:
        url = "/installation/repositories"
        found = await installation_rows(
            self._gateway, installation_id, url, _Repositories, lambda page: page.repositories
        )
        return tuple(
            Governed(repo=_repo(installation_id, one), default_branch=one.default_branch, archived=one.archived)
            for one in found
        )


def _repo(installation_id: int, one: _Repository) -> Repo:
    owner, _, name = one.full_name.partition("/")
    return Repo(installation_id=installation_id, id=one.id, owner=owner, name=name)
