"""One repository on GitHub, as readers and the writer use it: paths below it, pages, writes, GraphQL."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, ParamSpec, TypeVar
from urllib.parse import quote, urlsplit

import httpx
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_exponential

from bot.domain.model.ids import Repo
from bot.github import lists
from bot.github.client import GitHubGateway
from bot.github.failures import Elsewhere, github_date, header_number, of_graphql, of_status
from bot.github.reply import NOT_MODIFIED, Reply, error_kinds
from bot.github.shapes import FullName, Id, Part, Text
from bot.ports.failures import OutcomeUnknown, Unreachable
from bot.ports.forge import Guard

T = TypeVar("T")
P = ParamSpec("P")

TRIES = 3
REDIRECTS = (301, 302, 307, 308)


class _Repository(Part):
    id: Id
    full_name: FullName


class _App(Part):
    slug: Text


class _Account(Part):
    id: Id


def segment(text: str) -> str:
    """One path segment: a branch's slashes, a bot's brackets and a label's spaces are escaped."""
    return quote(text, safe="")


class Api:
    """`requests` counts what was asked of the repository and counts against its limit; `limit` and `remaining` are what
    GitHub said of that limit last. `guard` is asked before every write."""

    def __init__(self, gateway: GitHubGateway, repo: Repo, guard: Guard | None = None) -> None:
        self.gateway = gateway
        self.repo = repo
        self._guard = guard
        self.app_id = gateway.app_id
        self.requests = 0
        self.limit: int | None = None
        self.remaining: int | None = None

    @property
    def owner(self) -> str:
        """The account that holds the repository, under the newest name that is known."""
        return self.gateway.path(self.repo).split("/")[2]

    def now(self) -> datetime:
        return self.gateway.clock.now()

    async def get(self, below: str, etag: str | None = None, **params: str | int) -> Reply:
        """Read `/repos/{owner}/{name}{below}`, three times if need be. Raises Unreachable, RateLimited, Forbidden, Gone."""
        return await self._tried(self._get, self.gateway.path(self.repo) + below, params, etag)

    async def get_outside(self, path: str) -> Reply:
        """Read a path that is not below the repository, such as `/users/{login}`."""
        return await self._tried(self._get, path, {}, None)

    async def rows(
        self, below: str, shape: type[T], inside: str | None = None, **params: str | int
    ) -> tuple[tuple[T, ...], Reply]:
        """All items of a list, which is the body or its field `inside`, and the last page's reply. See `lists`."""
        rows, pages = await self.listed(below, shape, None, inside, **params)
        return rows, pages[-1]

    async def listed(
        self, below: str, shape: type[T], etag: str | None, inside: str | None = None, **params: str | int
    ) -> tuple[tuple[T, ...], list[Reply]]:
        """The same, with all pages. Nothing, and one page that says so, where it is unchanged since `etag`."""

        async def ask(page: int, size: int, etag: str | None = None) -> Reply:
            return await self.get(below, etag, per_page=size, page=page, **params)

        def items(page: Reply) -> tuple[T, ...]:
            part = page.body.get(inside) if inside and isinstance(page.body, dict) else page.body
            if not isinstance(part, list):
                raise Unreachable(f"GET {below}: not a list")
            rows: tuple[T, ...] = Reply(page.status, part, page.date).read(tuple[shape, ...])  # type: ignore[valid-type]  # built at run time
            return rows

        first = await ask(1, lists.PER_PAGE, etag)
        return ((), [first]) if first.unchanged else await lists.whole(f"GET {below}", ask, items, first)

    async def still_there(self) -> Reply:
        """404 hides a thing that is gone and a repository that is gone alike. Raises Gone for the latter, also when
        the name now belongs to another repository."""
        reply = await self.get("")
        if reply.read(_Repository).id != self.repo.id:
            raise Elsewhere(f"GET {self.gateway.path(self.repo)}: another repository has this name")
        return reply

    async def own_account(self) -> int:
        """The number of the account our App acts as, `{slug}[bot]`; asked once in the life of the process, and not where comments
        of ours have shown it."""
        if self.gateway.bot_id is None:
            slug = (await self._tried(self._get_app)).read(_App).slug
            self.gateway.bot_id = (await self.get_outside(f"/users/{segment(f'{slug}[bot]')}")).read(_Account).id
        return self.gateway.bot_id

    async def write(self, method: str, below: str, body: object = None, accept: tuple[int, ...] = ()) -> Reply:
        """One mutation, once; never redirected. Statuses in `accept` are answers, not failures.
        Raises any of the five failures."""
        return await self._write(method, self.gateway.path(self.repo) + below, body, accept)

    async def post_graphql(self, query: str, variables: dict[str, Any]) -> Reply:
        """One GraphQL mutation, once. The answer may still hold errors, but none of a rate limit."""
        base = self.gateway.endpoint.api_url.rstrip("/")
        url = f"{base.removesuffix('/v3')}/graphql" if base.endswith("/api/v3") else "/graphql"
        return await self._write("POST", url, {"query": query, "variables": variables}, ())

    async def query_graphql(self, query: str, variables: dict[str, Any]) -> Reply:
        """One GraphQL question: it changes nothing, so no answer is no answer. Raises Unreachable, RateLimited, Forbidden."""
        self.requests += 1
        try:
            reply = await self.post_graphql(query, variables)
        except OutcomeUnknown as failure:
            raise Unreachable(failure.detail) from failure
        if not reply.dated:
            raise Unreachable("POST /graphql: no Date header")
        return reply

    async def permissions(self) -> dict[str, str]:
        return (await self.gateway.tokens.get(self.repo)).permissions

    async def may_by_now(self, permission: str) -> bool:
        """Whether the installation grants this; a token from before it was granted is renewed first."""
        if permission not in await self.permissions():
            self.gateway.tokens.forget(self.repo, await self.gateway.tokens.get(self.repo))
        return permission in await self.permissions()

    async def _get_app(self) -> Reply:
        answer = await self.gateway.as_app("/app")
        return self._reply(answer, "GET /app")

    async def _tried(self, read: Callable[P, Awaitable[Reply]], *args: P.args, **kwargs: P.kwargs) -> Reply:
        attempts = AsyncRetrying(
            stop=stop_after_attempt(TRIES),
            wait=wait_exponential(multiplier=0.2, max=2),
            retry=retry_if_exception_type(Unreachable),
            sleep=self.gateway.sleep,
            reraise=True,
        )
        return await attempts(read, *args, **kwargs)

    async def _get(self, path: str, params: dict[str, str | int], etag: str | None) -> Reply:
        answer = await self._read(path, params, etag)
        if answer.status_code in REDIRECTS:
            path = await self._moved(f"GET {path}", answer)
            answer = await self._read(path, params, etag)
        return self._reply(answer, f"GET {path}")

    def _reply(self, answer: httpx.Response, what: str) -> Reply:
        failure = of_status(answer, what, writing=False, now=self.now())
        if failure is not None and answer.status_code != NOT_MODIFIED:
            raise failure
        date = github_date(answer)
        if date is None:
            raise Unreachable(f"{what}: no Date header")
        return Reply(answer.status_code, _json(answer), date, lists.next_of(answer), answer.headers.get("etag"))

    async def _read(self, path: str, params: dict[str, str | int], etag: str | None = None) -> httpx.Response:
        """A token that GitHub no longer takes is renewed once."""
        token = await self.gateway.tokens.get(self.repo)
        answer = await self.gateway.send("GET", path, token, params=params, etag=etag)
        if answer.status_code == 401:
            self.gateway.tokens.forget(self.repo, token)
            token = await self.gateway.tokens.get(self.repo)
            answer = await self.gateway.send("GET", path, token, params=params, etag=etag)
        self._count(answer)
        return answer

    def _count(self, answer: httpx.Response) -> None:
        """An answer that nothing changed is free."""
        self.requests += answer.status_code != NOT_MODIFIED
        self.gateway.tell(self.repo.installation_id, answer)
        self.limit = header_number(answer, "x-ratelimit-limit") or self.limit
        self.remaining = header_number(answer, "x-ratelimit-remaining")

    async def _moved(self, what: str, answer: httpx.Response) -> str:
        """Where the same thing is under our repository's number, or Gone. The new name is learned for later requests."""
        place = self._redirected(answer)
        if place is None:
            raise Elsewhere(f"{what}: {answer.status_code} to another repository")
        by_number = await self._read(f"/repositories/{self.repo.id}", {})
        if by_number.status_code == 200:
            named = Reply(200, _json(by_number), self.now()).read(_Repository)
            if named.id == self.repo.id:
                self.gateway.learn_name(self.repo, named.full_name)
        return place

    def _redirected(self, answer: httpx.Response) -> str | None:
        """The path it leads to if that is below our repository's number on the same host."""
        target = answer.request.url.join(answer.headers.get("location", ""))
        base = httpx.URL(self.gateway.endpoint.api_url)
        if (target.scheme, target.host, target.port) != (base.scheme, base.host, base.port):
            return None
        path = urlsplit(str(target)).path.removeprefix(base.path.rstrip("/"))
        return path if f"{path}/".startswith(f"/repositories/{self.repo.id}/") else None

    async def _write(self, method: str, path: str, body: object, accept: tuple[int, ...]) -> Reply:
        token = await self.gateway.tokens.get(self.repo)
        what = f"{method} {path}"
        options = {} if body is None else {"json": body}
        answer = await self._sent(what, lambda: self.gateway.send(method, path, token, writing=True, **options))
        self.gateway.tell(self.repo.installation_id, answer)
        if answer.status_code in REDIRECTS:
            await self._moved(what, answer)
            raise Unreachable(f"{what}: the repository was renamed")
        if answer.status_code == 401:
            self.gateway.tokens.forget(self.repo, token)
        failure = of_status(answer, what, writing=True, now=self.now())
        if failure is not None and answer.status_code not in accept:
            raise failure
        body = _json(answer)
        limited = of_graphql(answer, error_kinds(body), what, self.now()) if path.endswith("/graphql") else None
        if limited is not None:
            raise limited
        date = github_date(answer)
        return Reply(answer.status_code, body, date or self.now(), dated=date is not None)

    async def _sent(self, what: str, send: Callable[[], Awaitable[httpx.Response]]) -> httpx.Response:
        """The guard counts within the time of the write: what it proved lasts until the write can land no more."""
        left = False
        try:
            async with asyncio.timeout(self.gateway.endpoint.write_timeout):
                if self._guard is not None:
                    await self._guard()
                left = True
                return await send()
        except TimeoutError as error:
            unknown = f"{what}: no answer within the deadline"
            raise (OutcomeUnknown(unknown) if left else Unreachable(f"{what}: not sent in time")) from error


def _json(answer: httpx.Response) -> Any:
    """None for no body and for one that is not JSON, which no shape then accepts."""
    try:
        return answer.json() if answer.content else None
    except (ValueError, RecursionError):
        return None
