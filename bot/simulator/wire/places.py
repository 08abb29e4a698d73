"""Addresses and times as GitHub writes them."""

import json
from datetime import datetime
from typing import Any, overload

from pydantic import TypeAdapter

API = "https://api.github.com"
WEB = "https://github.com"
_JSON: TypeAdapter[Any] = TypeAdapter(Any)


def pages_at(web: str | None, body: bytes) -> bytes:
    """A body whose links to GitHub's pages lead to `web`, where somebody shows them; None = they stay as they are."""
    return body if web is None else body.replace(f'"{WEB}/'.encode(), f'"{web}/'.encode())


def as_json(body: Any) -> bytes:
    """As GitHub sends it. Half of a character pair, which is no text, goes as an escape."""
    try:
        return _JSON.dump_json(body)
    except ValueError:  # pydantic's own of what it cannot write
        return json.dumps(body, separators=(",", ":")).encode()


@overload
def stamp(at: datetime) -> str: ...
@overload
def stamp(at: None) -> None: ...
def stamp(at: datetime | None) -> str | None:
    """ISO 8601 in UTC with `Z`, whole seconds."""
    return None if at is None else f"{at.replace(tzinfo=None).isoformat(timespec='seconds')}Z"
