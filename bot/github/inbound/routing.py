"""The few fields of a signed body that say where a delivery belongs."""

import json
from typing import Any, NamedTuple

from pydantic import ValidationError

from bot.github.inbound.payload import Envelope
from bot.github.inbound.subject import subject


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
        document = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def routing(body: bytes, app_id: int = 0) -> Routing:
    """`app_id` is our own. Raises ValueError when the body is not a JSON object. Fields that cannot be read route to lane 0: the
    delivery is authentic and is kept, and its translation says what is wrong with it. Headers are not signed and route
    nothing."""
    document = decoded(body)
    if document is None:
        raise ValueError("not a JSON object")
    action = document.get("action")
    action = action if isinstance(action, str) else None
    try:
        envelope = Envelope.model_validate(document)
    except ValidationError:
        return Routing(0, None, None, action)
    repository, installation = envelope.repository, envelope.installation
    return Routing(
        lane=repository.id if repository else 0,
        installation_id=installation.id if installation else None,
        repository=repository.full_name if repository else None,
        action=action,
        **subject(document, action, app_id)._asdict(),
    )
