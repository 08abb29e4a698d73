"""What everything in this process is made from. A leaf: of bootstrap it imports only the clock, the names and the nudge."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bot.app.contact import Contact
from bot.app.tokens import TokenDesk
from bot.bootstrap.runtime import EventNudge, SystemClock, SystemIds
from bot.ports.runtime import Clock, Ids, Log
from bot.ports.store import Store
from bot.settings import AppCredentials, Settings

if TYPE_CHECKING:  # a command that has the database to itself counts nothing
    from bot.bootstrap.metrics import Numbers


@dataclass(frozen=True, slots=True)
class Parts:
    """What every use-case is made from. `app` None = set-up mode. `writer_works` False = nothing can be stored now.
    `numbers` None = nobody counts beside the store. `hears` begins to listen for what other processes store."""

    settings: Settings
    app: AppCredentials | None
    store: Store
    log: Log
    writer_works: Callable[[], bool] = lambda: True
    clock: Clock = field(default_factory=SystemClock)
    ids: Ids = field(default_factory=SystemIds)
    nudge: EventNudge = field(default_factory=EventNudge)
    contact: Contact = field(default_factory=Contact)
    numbers: "Numbers | None" = None
    hears: Callable[[], None] = lambda: None


def token_desk(store: Store) -> TokenDesk:
    return TokenDesk(store, SystemIds(), partial(secrets.token_urlsafe, 32))


def web_url(api_url: str) -> str:
    """GitHub's pages beside its API: `https://HOST/api/v3` on an Enterprise server."""
    parts = urlsplit(api_url)
    host = parts.netloc.removeprefix("api.") if parts.path in {"", "/"} else parts.netloc
    return f"{parts.scheme}://{host}"
