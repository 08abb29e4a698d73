"""API tokens of agents and admins: shown once, stored hashed, revoked at the next request.

A token is who an agent is: nothing in a request's body can say otherwise.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from bot.domain.model.ids import Value
from bot.ports.rows import TokenRow
from bot.ports.runtime import Ids
from bot.ports.store import Store, Tx

PREFIX = "sbx_"
TokenRole = Literal["builder", "reviewer", "verifier", "admin"]
TokenName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
RepositoryName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+$")]
_SHAPE = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")


class TokenOrder(Value):
    """What a new token shall be. `repositories` empty = all; `lifetime` None = until revoked."""

    name: TokenName
    role: TokenRole
    repositories: tuple[RepositoryName, ...] = ()
    lifetime: Annotated[timedelta, Field(gt=timedelta(0), le=timedelta(days=3650))] | None = None


class Issued(NamedTuple):
    """The only moment at which the token itself is known."""

    row: TokenRow
    token: str


class NameTaken(NamedTuple):
    name: str


class Ended(NamedTuple):
    """A token that worked once. Only who has the whole token hears of this."""

    name: str
    how: Literal["expired", "was revoked"]
    at: datetime


class TokenDesk:
    """`fresh_secret` gives 32 unguessable bytes as URL-safe base64 without padding. Times are the database's."""

    def __init__(self, store: Store, ids: Ids, fresh_secret: Callable[[], str]) -> None:
        self._store = store
        self._ids = ids
        self._fresh_secret = fresh_secret

    async def create(self, order: TokenOrder) -> Issued | NameTaken:
        token, token_id = PREFIX + self._fresh_secret(), self._ids.new("t")

        def work(tx: Tx) -> TokenRow:
            now = tx.now()
            row = TokenRow(
                id=token_id,
                name=order.name,
                role=order.role,
                repositories=order.repositories,
                created_at=now,
                expires_at=now + order.lifetime if order.lifetime else None,
            )
            tx.tokens.add(row, digest_of(token))
            return row

        try:
            return Issued(await self._store.run(work), token)
        except ValueError:
            return NameTaken(order.name)

    async def verify(self, token: str) -> TokenRow | Ended | None:
        """Who presents this token; None when it was never one of ours."""
        if not _SHAPE.fullmatch(token):
            return None

        def work(tx: Tx) -> TokenRow | Ended | None:
            row = tx.tokens.by_digest(digest_of(token))
            return row and _standing(row, tx.now())

        return await self._store.read(work)

    async def list(self) -> Sequence[TokenRow]:
        return await self._store.read(lambda tx: tx.tokens.list())

    async def revoke(self, name: str) -> bool:
        """False when no token that works has this name."""
        return await self._store.run(lambda tx: tx.tokens.revoke(name, tx.now()))


def _standing(row: TokenRow, now: datetime) -> TokenRow | Ended:
    if row.revoked_at is not None:
        return Ended(row.name, "was revoked", row.revoked_at)
    if row.expires_at is not None and row.expires_at <= now:
        return Ended(row.name, "expired", row.expires_at)
    return row


def digest_of(token: str) -> str:
    """Tokens are 256 random bits, so that a plain hash cannot be searched."""
    return hashlib.sha256(token.encode()).hexdigest()


def may_see(token: TokenRow, repository: str) -> bool:
    """Whether this token reads records of a repository (`owner/name`; GitHub ignores case in both)."""
    return not token.repositories or repository.casefold() in {name.casefold() for name in token.repositories}


def token_view(row: TokenRow) -> dict[str, Any]:
    return row.model_dump(mode="json")


def issued_view(issued: Issued) -> dict[str, Any]:
    """As `token create --json` prints it."""
    row = issued.row.model_dump(mode="json", include={"id", "name", "role", "expires_at"})
    return {
        "id": row["id"],
        "name": row["name"],
        "role": row["role"],
        "token": issued.token,
        "expires_at": row["expires_at"],
    }
