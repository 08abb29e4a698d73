"""What only the App itself may ask, with its JWT: failed webhooks, and where it is installed."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar, cast

import httpx
from pydantic import Field, TypeAdapter, ValidationError

from bot.domain.model.ids import Repo
from bot.domain.model.sweeping import HookAttempt, Installed
from bot.github.client import GitHubGateway
from bot.github.failures import of_status
from bot.github.lists import MAX_PAGES, PER_PAGE, next_of, whole
from bot.github.shapes import FullName, Id, Moment, Part, Text
from bot.ports.failures import Unreachable

T = TypeVar("T")
R = TypeVar("R")


class _Attempt(Part):
    id: Id
    guid: Text
    delivered_at: Moment
    status_code: int = 0


class _Installation(Part):
    id: Id
    suspended_at: Moment | None = None


class _Repository(Part):
    id: Id
    full_name: FullName
    archived: bool = False


class _Repositories(Part):
    repositories: tuple[_Repository, ...] = Field()


class GitHubHookLog:
    def __init__(self, gateway: GitHubGateway) -> None:
        self._gateway = gateway

    async def failed(self, since: datetime) -> tuple[HookAttempt, ...]:
        found: list[HookAttempt] = []
        cursor: dict[str, str] = {}
        url = "/app/hook/deliveries"
        for _ in range(MAX_PAGES):
            answer = await self._gateway.as_app(url, params={"per_page": PER_PAGE, "status": "failure", **cursor})
            rows = read(self._gateway, answer, f"GET {url}", tuple[_Attempt, ...])
            found += [
                HookAttempt(id=one.id, guid=one.guid, at=one.delivered_at, status=one.status_code)
                for one in rows
                if one.delivered_at >= since
            ]
            following = httpx.URL(answer.links.get("next", {}).get("url", "")).params.get("cursor")
            if following is None or (rows and rows[-1].delivered_at < since):
                return tuple(found)
            cursor = {"cursor": following}
        raise Unreachable(f"GET {url}: more than {MAX_PAGES} pages")

    async def redeliver(self, attempt: int) -> None:
        url = f"/app/hook/deliveries/{attempt}/attempts"
        answer = await self._gateway.write_as_app(url)
        failure = of_status(answer, f"POST {url}", writing=True, now=self._gateway.clock.now())
        if failure is not None:
            raise failure


class GitHubDirectory:
    def __init__(self, gateway: GitHubGateway) -> None:
        self._gateway = gateway

    async def installations(self) -> tuple[Installed, ...]:
        found = await app_rows(self._gateway, "/app/installations", _Installation)
        return tuple(Installed(id=one.id, suspended=one.suspended_at is not None) for one in found)

    async def repositories(self, installation_id: int) -> tuple[Repo, ...]:
        url = "/installation/repositories"
        found = await installation_rows(
            self._gateway, installation_id, url, _Repositories, lambda page: page.repositories
        )
        return tuple(_repo(installation_id, one) for one in found if not one.archived)


@dataclass(frozen=True, slots=True)
class _Page(Generic[T]):
    content: T
    following: Mapping[str, str] | None


async def app_rows(gateway: GitHubGateway, url: str, shape: type[T]) -> tuple[T, ...]:
    """All of a list that only the App itself may read."""

    async def ask(page: int, size: int) -> httpx.Response:
        return await gateway.as_app(url, params={"per_page": size, "page": page})

    one_page = cast("type[tuple[T, ...]]", tuple[shape, ...])  # type: ignore[valid-type]  # built at run time
    return await _rows(gateway, url, one_page, ask, lambda page: page)


async def installation_rows(
    gateway: GitHubGateway, installation_id: int, url: str, shape: type[T], rows: Callable[[T], Sequence[R]]
) -> tuple[R, ...]:
    """All of a list of one installation. A token that GitHub no longer takes is renewed once."""

    async def ask(page: int, size: int) -> httpx.Response:
        params = {"per_page": size, "page": page}
        token = await gateway.tokens.to_list(installation_id)
        answer = await gateway.send("GET", url, token, params=params)
        if answer.status_code == 401:
            gateway.tokens.forget_list(installation_id, token)
            answer = await gateway.send("GET", url, await gateway.tokens.to_list(installation_id), params=params)
        return answer

    return await _rows(gateway, url, shape, ask, rows)


async def _rows(
    gateway: GitHubGateway,
    url: str,
    shape: type[T],
    ask: Callable[[int, int], Awaitable[httpx.Response]],
    rows: Callable[[T], Sequence[R]],
) -> tuple[R, ...]:
    async def page(number: int, size: int) -> _Page[T]:
        answer = await ask(number, size)
        return _Page(read(gateway, answer, f"GET {url}", shape), next_of(answer))

    found, _ = await whole(f"GET {url}", page, lambda one: rows(one.content))
    return found


def _repo(installation_id: int, one: _Repository) -> Repo:
    owner, _, name = one.full_name.partition("/")
    return Repo(installation_id=installation_id, id=one.id, owner=owner, name=name)


def read(gateway: GitHubGateway, answer: httpx.Response, what: str, shape: type[T]) -> T:
    """The answer in a narrow shape. Raises Unreachable, RateLimited, Forbidden or Gone."""
    failure = of_status(answer, what, writing=False, now=gateway.clock.now())
    if failure is not None:
        raise failure
    reader: TypeAdapter[Any] = TypeAdapter(shape)
    try:
        return cast("T", reader.validate_json(answer.content))
    except ValidationError as error:
        raise Unreachable(f"{what}: unreadable answer") from error
