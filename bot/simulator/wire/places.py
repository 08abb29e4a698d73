"""Addresses and times as GitHub writes them."""

from datetime import datetime
from typing import overload

API = "https://api.github.com"
WEB = "https://github.com"


def pages_at(web: str | None, body: bytes) -> bytes:
    """A body whose links to GitHub's pages lead to `web`, where somebody shows them; None = they stay as they are."""
    return body if web is None else body.replace(f'"{WEB}/'.encode(), f'"{web}/'.encode())


@overload
def stamp(at: datetime) -> str: ...
@overload
def stamp(at: None) -> None: ...
def stamp(at: datetime | None) -> str | None:
    """ISO 8601 in UTC with `Z`, whole seconds."""
    return None if at is None else at.strftime("%Y-%m-%dT%H:%M:%SZ")
