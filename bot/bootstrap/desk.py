"""What the admin socket can do, wired: the same for a running server and for a command that has the database to itself."""
# ruff: noqa: PLC0415 - heavy parts are imported by the request that needs them

from typing import TYPE_CHECKING

from bot.app.admin import AdminDesk
from bot.app.replay import Replays

if TYPE_CHECKING:  # `bot.bootstrap.bot` imports this module
    from bot.bootstrap.bot import Parts
    from bot.settings import Settings
    from bot.store.sqlite import SqliteStore


def admin_desk(parts: "Parts", *, serving: bool) -> AdminDesk:
    """`serving`: this process works on deliveries and records as well; else the next server will."""
    from bot.bootstrap.bot import token_desk

    replays = Replays(parts.store, parts.nudge, parts.log, serving=serving)
    more = {"delivery.look": replays.look, "delivery.replay": replays.replay}
    return AdminDesk(token_desk(parts.store), parts.log, more)


def alone(settings: "Settings", store: "SqliteStore") -> "Parts":
    """The parts of a command that has the database to itself. The person who types sees the answer, so nothing is logged."""
    from bot.bootstrap.bot import Parts

    return Parts(settings, None, store, _no_log)


def _no_log(level: str, event: str, **fields: object) -> None:
    """See `alone`."""
