"""The only place that builds githubkit clients: one App on one GitHub host.

githubkit's own retries, HTTP cache, redirects and rate-limit sleeps are off: each of them would repeat a write, hide an
answer, or hold a lane for an hour. One transport is shared by all clients, so connections are kept alive.
"""

import hmac
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from http.cookiejar import DefaultCookiePolicy
from importlib.util import find_spec
from typing import Any

import httpx
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from githubkit import AppAuthStrategy, GitHub, TokenAuthStrategy
from githubkit.auth.base import BaseAuthStrategy
from githubkit.cache import MemCacheStrategy
from githubkit.exception import RequestError, RequestFailed
from githubkit.response import Response
from githubkit.throttling import BaseThrottler

from bot.domain.model.ids import Repo
from bot.github.contradictions import Contradictions
from bot.github.failures import header_number, of_transport, outside_cause
from bot.github.tokens import Token, TokenBook
from bot.github.unrelated import Unrelated
from bot.ports.forge import WRITE_TIMEOUT
from bot.ports.runtime import Clock, Sleep

USER_AGENT = "signalbox"
#: GitHub itself ends a request after 10 s; a shorter patience only manufactures ambiguity.
TIMEOUT = httpx.Timeout(connect=10.0, read=30.0, write=30.0, pool=10.0)
#: Clients kept, of the tokens used last.
MOST_CLIENTS = 32


def know_as_missing(name: str) -> None:
    """A package that is not installed is looked for in every folder that Python knows, each time somebody tries to import it;
    what is noted as missing is missing at once."""
    if name not in sys.modules and find_spec(name) is None:
        sys.modules[name] = None  # type: ignore[assignment]  # how Python itself notes it


know_as_missing("sniffio")  # httpcore tries whenever it takes a lock, some ten times for a request

#: Told of every answer: installation (0 = the App itself), status, GitHub's limit for an hour, and what is left of it.
Heard = Callable[[int, int, int | None, int | None], None]


def nobody(_installation: int, _status: int, _limit: int | None, _remaining: int | None) -> None:
    """Nobody counts."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The App. `private_key` is the PEM text."""

    app_id: int
    private_key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where GitHub is. `api_version` 2022-11-28 is the one that still names merge commits. `merge_timeout` and
    `write_timeout`: seconds one merge request and any other write may take as a whole. `transport` None = the network."""

    api_url: str = "https://api.github.com"
    api_version: str = "2022-11-28"
    merge_timeout: float = 30.0
    write_timeout: float = WRITE_TIMEOUT
    transport: httpx.AsyncBaseTransport | None = None


@lru_cache(maxsize=2)
def _read(pem: str) -> Any:
    """githubkit hands it on to PyJWT, which would read a text anew, and check its primes, for every token."""
    return load_pem_private_key(pem.encode(), None)


def mark_secret(private_key: str) -> bytes:
    """For the seal on what we write, made of the App's private key (PEM); nothing signed or sent shows anything of it."""
    numbers = _read(private_key).private_numbers()
    secret = numbers.d.to_bytes((numbers.d.bit_length() + 7) // 8, "big")
    return hmac.digest(secret, b"signalbox: seal of hidden lines, 1", "sha256")


class Shared(httpx.AsyncHTTPTransport):
    """A transport that survives the clients githubkit opens and closes around every call."""

    async def aclose(self) -> None:
        """Ignored: `close_for_good` ends it."""

    async def __aexit__(self, *_: object) -> None:
        """Ignored, like aclose."""

    async def close_for_good(self) -> None:
        await super().aclose()


class _Free(BaseThrottler):
    """How many requests are on their way at once is for those who make them."""

    def acquire(self, _request: httpx.Request) -> Any:
        return nullcontext()

    def async_acquire(self, _request: httpx.Request) -> Any:
        return nullcontext()


def _transports() -> tuple[Shared, Shared]:
    """One that keeps its connections and one that has a new one for each request; to read the authorities takes 30 ms, once."""
    trusted = httpx.create_ssl_context()
    return Shared(verify=trusted), Shared(verify=trusted, limits=httpx.Limits(max_keepalive_connections=0))


class _Plain(GitHub[Any]):
    """githubkit without its reading of rate limits: it raises on odd headers, and `failures.pause` knows more. Its client of
    httpx is made once and keeps nothing of an answer: what is open between requests is the transport's."""

    _http: httpx.AsyncClient | None = None

    def get_async_client(self) -> Any:
        """What to enter for a client of httpx; leaving it closes nothing."""
        if self._http is None:
            self._http = httpx.AsyncClient(**self._get_client_defaults(), transport=self.config.async_transport)
            self._http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=()))
        return nullcontext(self._http)

    def _check_rate_limit(self, response: Response[Any]) -> None:
        pass


class GitHubGateway:
    """Clients, tokens and names of one App on one host. Share one for the life of the process. `knows_no_batches`: this GitHub
    lacks a field that reading many things at once asks for."""

    def __init__(
        self, identity: Identity, endpoint: Endpoint, clock: Clock, sleep: Sleep, heard: Heard = nobody
    ) -> None:
        self.heard = heard
        self.app_id = identity.app_id
        self.endpoint = endpoint
        self.clock = clock
        self.sleep = sleep
        self._cache = MemCacheStrategy()
        self._shared: Shared | None = None
        self._fresh: Shared | None = None
        if endpoint.transport is None:
            self._shared, self._fresh = _transports()
        self._app = self._client(AppAuthStrategy(identity.app_id, _read(identity.private_key)), self._shared)
        self._by_token = lru_cache(MOST_CLIENTS)(self._client_with)
        self.tokens = TokenBook(self._as_app, clock)
        self._names: dict[tuple[int, str], str] = {}
        self.bot_id: int | None = None
        self.knows_no_batches = False
        self.contradictions = Contradictions()
        self.unrelated = Unrelated()

    @property
    def traced(self) -> bool:
        """Whether the transport tells when it begins to write (a transport given from outside may not)."""
        return self._fresh is not None

    async def send(self, method: str, url: str, token: Token, **options: Any) -> httpx.Response:
        """One request as an installation; the raw answer, whatever its status. Raises the transport's failures."""
        return await self._raw(self._by_token(token.value, self._shared), method, url, **options)

    async def as_app(self, url: str, **options: Any) -> httpx.Response:
        """One read as the App itself (JWT). Raises the transport's failures."""
        return await self._as_app("GET", url, **options)

    async def write_as_app(self, url: str) -> httpx.Response:
        """One POST without a body as the App itself (JWT). Raises the transport's failures."""
        return await self._as_app("POST", url, writing=True)

    async def _as_app(self, method: str, url: str, **options: Any) -> httpx.Response:
        answer = await self._raw(self._app, method, url, **options)
        self.tell(0, answer)
        return answer

    def tell(self, installation: int, answer: httpx.Response) -> None:
        """Have an answer counted."""
        limit, left = (header_number(answer, f"x-ratelimit-{name}") for name in ("limit", "remaining"))
        self.heard(installation, answer.status_code, limit, left)

    def merging_client(self, token: Token) -> GitHub[Any]:
        """A client whose every request opens its own connection: one that the server just closed would turn a merge
        into an unknown outcome."""
        return self._by_token(token.value, self._fresh)

    def path(self, repo: Repo) -> str:
        """`/repos/{owner}/{name}`, under the newest name a redirect has told."""
        return f"/repos/{self._names.get((repo.id, repo.full_name), repo.full_name)}"

    def learn_name(self, repo: Repo, full_name: str) -> None:
        self._names[repo.id, repo.full_name] = full_name

    async def close(self) -> None:
        for transport in (self._shared, self._fresh):
            if transport is not None:
                await transport.close_for_good()

    def _client_with(self, token: str, transport: httpx.AsyncBaseTransport | None) -> GitHub[Any]:
        return self._client(TokenAuthStrategy(token), transport)

    def _client(self, auth: BaseAuthStrategy, transport: httpx.AsyncBaseTransport | None) -> GitHub[Any]:
        return _Plain(
            auth,
            base_url=self.endpoint.api_url,
            user_agent=USER_AGENT,
            follow_redirects=False,
            timeout=TIMEOUT,
            async_transport=transport or self.endpoint.transport,
            cache_strategy=self._cache,
            http_cache=False,
            auto_retry=False,
            throttler=_Free(),
        )

    async def _raw(self, client: GitHub[Any], method: str, url: str, **options: Any) -> httpx.Response:
        writing, etag = options.pop("writing", False), options.pop("etag", None)
        headers = {"X-GitHub-Api-Version": self.endpoint.api_version, **({"If-None-Match": etag} if etag else {})}
        try:
            answer = await client.arequest(method, url, headers=headers, **options)
        except RequestFailed as failed:
            return failed.response.raw_response
        except RequestError as error:
            raise of_transport(outside_cause(error), f"{method} {url}", writing=writing) from error
        return answer.raw_response
