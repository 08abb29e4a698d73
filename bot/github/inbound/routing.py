"""The few fields of a signed body that say where a delivery belongs."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from bot.github.inbound.subject import part, subject
from bot.github.shapes import FullName, Id

T = TypeVar("T")
_ID: TypeAdapter[int] = TypeAdapter(Id)
_NAME: TypeAdapter[str] = TypeAdapter(FullName)
_JSON: TypeAdapter[Any] = TypeAdapter(Any, config=ConfigDict(cache_strings="keys"))


class Routing(NamedTuple):
    """`lane` is the repository's numeric id, 0 without one. `thread` and `head`: see `subject`."""

    lane: int
    installation_id: int | None
    repository: str | None
    action: str | None
    thread: int | None = None
    head: str | None = None


def decoded(body: bytes) -> dict[str, Any] | None:
    """The JSON object, or None when it is none or is nested too deeply."""
    try:
        document = _JSON.validate_json(body)
    except ValueError:
        document = _decoded_by_the_book(body)
    return document if isinstance(document, dict) else None


def _decoded_by_the_book(body: bytes) -> Any:
    """The fast reader refuses some of what is JSON, such as half of a surrogate pair; nothing of GitHub's is refused for that."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def routing(body: bytes, app_id: int = 0) -> Routing:
    """`app_id` is our own. Raises ValueError when the body is not a JSON object. Each field is read by itself: a
    delivery of which one cannot be read is authentic all the same, and what it may stop is found by the others. Its
    translation says what is wrong with it. Headers are not signed and route nothing."""
    document = decoded(body)
    if document is None:
        raise ValueError("not a JSON object")
    action = document.get("action")
    action = action if isinstance(action, str) else None
    repository = part(document, "repository")
    return Routing(
        lane=_read(_ID, repository, "id") or 0,
        installation_id=_read(_ID, part(document, "installation"), "id"),
        repository=_read(_NAME, repository, "full_name"),
        action=action,
        **subject(document, action, app_id)._asdict(),
    )


def _read(kind: TypeAdapter[T], where: Mapping[str, Any] | None, name: str) -> T | None:
    try:
        return kind.validate_python(where.get(name)) if where is not None else None
    except ValidationError:
        return None
