"""Who has an address that is taken. A Signalbox says itself that it is one, at /readyz."""

import http.client
import json
from typing import Any, NamedTuple

from bot.settings import Settings
from bot.store.engine import locate
from bot.store.failures import StoreRefused
from bot.store.lock import holder
from bot.web.awaiting import NOT_YET

#: An address that everybody can reach is reached here at this one.
HERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - looked up, not listened on
#: As long as /readyz itself waits for its database, and a little more.
SECONDS = 3.0
MOST_BYTES = 64 * 1024


class Neighbour(NamedTuple):
    """`waits`: its database does not answer it."""

    waits: bool


def neighbour(settings: Settings) -> Neighbour | None:
    """The Signalbox that answers there; None for any other program."""
    connection = http.client.HTTPConnection(HERE.get(settings.host, settings.host), settings.port, timeout=SECONDS)
    try:
        connection.request("GET", "/readyz")
        said = json.loads(connection.getresponse().read(MOST_BYTES))
    except (OSError, ValueError, http.client.HTTPException):
        return None
    finally:
        connection.close()
    return _read(said)


def _read(said: Any) -> Neighbour | None:
    if not isinstance(said, dict):
        return None
    error = said.get("error")
    if isinstance(error, dict) and error.get("code") == "not_ready":
        return Neighbour(waits=NOT_YET in str(error.get("message")))
    return Neighbour(waits=False) if said.get("status") == "ready" else None


def written_by(settings: Settings) -> int | None:
    """The process that has the database of these settings open."""
    try:
        return holder(locate(settings.database))
    except StoreRefused:
        return None
