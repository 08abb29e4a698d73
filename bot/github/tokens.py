"""Installation tokens, each narrowed to one repository by its number.

The narrowing is a safety property: whatever a repository is called meanwhile, and whoever has its old name, GitHub
itself refuses every write that is not to the repository the token was made for.
"""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Protocol

import httpx
from pydantic import ValidationError

from bot.domain.model.ids import Repo
from bot.github.failures import github_date, of_status
from bot.github.shapes import Moment, Part
from bot.ports.failures import Gone, Unreachable
from bot.ports.runtime import Clock

#: A token is renewed this many seconds before it ends, or after five sixths of a short life.
MARGIN = 600.0


class _Minted(Part):
    token: str
    expires_at: Moment
    permissions: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Token:
    """`good_until` on the monotonic clock. `permissions`: what the installation grants, e.g. `workflows: write`."""

    value: str = field(repr=False)
    good_until: float
    permissions: dict[str, str]


class AsApp(Protocol):
    """Send one request with the App's JWT."""

    def __call__(self, method: str, url: str, **options: object) -> Awaitable[httpx.Response]: ...


class TokenBook:
    """Asked by many at once, GitHub is asked once."""

    def __init__(self, as_app: AsApp, clock: Clock) -> None:
        self._as_app = as_app
        self._clock = clock
        self._tokens: dict[tuple[int, int], Token] = {}
        self._locks: dict[tuple[int, int], asyncio.Lock] = {}
        self._lacked: set[tuple[int, int]] = set()

    async def get(self, repo: Repo) -> Token:
        """Raises Unreachable, RateLimited, Forbidden (suspended) or Gone (uninstalled, or no longer its repository)."""
        return await self._kept((repo.installation_id, repo.id), {"repository_ids": [repo.id]})

    async def to_list(self, installation_id: int) -> Token:
        """A token that can do nothing but list what the installation holds. Raises as `get`."""
        return await self._kept((installation_id, 0), {"permissions": {"metadata": "read"}})

    async def to_merge(self, repo: Repo) -> Token:
        """Made anew after a merge that was refused for want of a permission: a token keeps what was granted when it was made,
        and an owner may have granted more. Raises as `get`."""
        key = (repo.installation_id, repo.id)
        if key in self._lacked:
            self._lacked.discard(key)
            self._tokens.pop(key, None)
        return await self.get(repo)

    def lacked(self, repo: Repo) -> None:
        """A merge was forbidden."""
        self._lacked.add((repo.installation_id, repo.id))

    def forget(self, repo: Repo, token: Token) -> None:
        """GitHub no longer takes this token. A newer one is kept."""
        self._forget((repo.installation_id, repo.id), token)

    def forget_list(self, installation_id: int, token: Token) -> None:
        """The same for a token to list with."""
        self._forget((installation_id, 0), token)

    def _forget(self, key: tuple[int, int], token: Token) -> None:
        if self._tokens.get(key) is token:
            del self._tokens[key]

    async def _kept(self, key: tuple[int, int], narrowed: dict[str, object]) -> Token:
        async with self._locks.setdefault(key, asyncio.Lock()):
            token = self._tokens.get(key)
            if token is None or token.good_until <= self._clock.monotonic():
                token = self._tokens[key] = await self._mint(key[0], narrowed)
            return token

    async def _mint(self, installation_id: int, narrowed: dict[str, object]) -> Token:
        url = f"/app/installations/{installation_id}/access_tokens"
        asked_at = self._clock.monotonic()
        answer = await self._as_app("POST", url, json=narrowed)
        if answer.status_code == 422:
            raise Gone(f"POST {url}: 422, the installation does not hold what the token is for")
        failure = of_status(answer, f"POST {url}", writing=False, now=self._clock.now())
        if failure is not None:
            raise failure
        try:
            minted = _Minted.model_validate_json(answer.content)
        except ValidationError as error:
            raise Unreachable(f"POST {url}: unreadable answer") from error
        # GitHub's own clock measures the life, so that a wrong clock here does not ask for tokens without end.
        life = (minted.expires_at - (github_date(answer) or self._clock.now())).total_seconds()
        return Token(minted.token, asked_at + life - min(MARGIN, life / 6), minted.permissions)
