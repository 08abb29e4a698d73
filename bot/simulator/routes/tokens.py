"""Who is asking: the App's signed token, and the installation tokens it is exchanged for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import jwt

from bot.domain.model.facts import LEVELS
from bot.simulator.refusal import HttpError, not_found
from bot.simulator.world import World

_ORDER = ("none", "read", "write", "admin")
assert set(_ORDER) <= set(LEVELS)


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    expires_at: datetime
    repositories: frozenset[int] | None
    permissions: Mapping[str, str]


class Tokens:
    """`now` is the clock tokens live by: clients sign with their own, so over real sockets it is the real one. `long`:
    tokens of about 520 characters with dots in them, as GitHub hands out since 2026-04."""

    def __init__(self, world: World, now: Callable[[], datetime], *, long: bool) -> None:
        self._world = world
        self._now = now
        self._long = long
        self._issued: dict[str, Token] = {}

    def app(self, authorization: str) -> None:
        """Check the App's own JWT (RS256). Raises 401 with GitHub's words."""
        scheme, _, text = authorization.partition(" ")
        key = self._world.app.public_key
        if scheme.lower() != "bearer" or key is None or text.startswith("ghs_"):
            raise HttpError(401, "A JSON web token could not be decoded")
        options: Any = {"verify_exp": False, "verify_iat": False, "verify_nbf": False, "require": ["exp", "iat", "iss"]}
        try:
            claims = jwt.decode(text, key, algorithms=["RS256"], options=options)
        except jwt.InvalidTokenError as broken:
            raise HttpError(401, "A JSON web token could not be decoded") from broken
        if str(claims["iss"]) not in (str(self._world.app.id), self._world.app.client_id or None):
            raise HttpError(401, "Integration not found")
        self._check_times(claims["iat"], claims["exp"])

    def _check_times(self, iat: Any, exp: Any) -> None:
        now = self._now().timestamp()
        if not isinstance(exp, int) or exp <= now:
            raise HttpError(401, "'Expiration time' claim ('exp') must be a numeric value representing the future time")
        if exp > now + 600:
            raise HttpError(401, "'Expiration time' claim ('exp') is too far in the future")
        if not isinstance(iat, int) or iat > now:
            raise HttpError(
                401, "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"
            )

    def mint(self, repositories: frozenset[int] | None, permissions: Mapping[str, str] | None) -> Token:
        """A token for the installation, narrowed if asked. 422 for what the App itself does not have."""
        granted = self._world.app.permissions
        wanted = dict(permissions or granted)
        for name, level in wanted.items():
            if _ORDER.index(level) > _ORDER.index(granted.get(name, "none")):
                raise HttpError(422, "The permissions requested are not granted to this installation.")
        if repositories is not None and not repositories <= self._world.installation.repositories:
            text = (
                "There is at least one repository that does not exist or is not accessible to the parent installation."
            )
            raise HttpError(422, text)
        number = len(self._issued) + 1
        text = f"ghs_{self._world.app.id}_{number:08d}" + "A1b2" * 6
        if self._long:
            text += "." + "c3D4" * 60 + "." + "e5F6" * 60
        expires = (self._now() + timedelta(hours=1)).replace(microsecond=0)
        token = Token(text, expires, repositories, wanted)
        self._issued[text] = token
        return token

    def revoke_all(self) -> None:
        self._issued.clear()

    def installation(self, authorization: str) -> Token:
        """Find the installation token in use. 401 when unknown or expired, 403 while suspended."""
        scheme, _, text = authorization.partition(" ")
        token = self._issued.get(text)
        alive = token is not None and token.expires_at > self._now() and not self._world.installation.deleted
        if token is None or scheme.lower() not in ("token", "bearer") or not alive:
            raise HttpError(401, "Bad credentials")
        if self._world.installation.suspended_at is not None:
            raise HttpError(403, "This installation has been suspended")
        return token

    def reaches(self, token: Token, repository_id: int) -> bool:
        return token.repositories is None or repository_id in token.repositories

    def may(self, token: Token, permission: str, level: str) -> None:
        if _ORDER.index(token.permissions.get(permission, "none")) < _ORDER.index(level):
            needed = {"X-Accepted-GitHub-Permissions": f"{permission}={level}"}
            raise HttpError(403, "Resource not accessible by integration", headers=needed)

    def of_installation(self, id: int) -> None:
        if id != self._world.installation.id or self._world.installation.deleted:
            raise not_found()
        if self._world.installation.suspended_at is not None:
            raise HttpError(403, "This installation has been suspended")
