"""What the admin socket can do, wired: the same for a running server and for a command that has the database to itself."""
# ruff: noqa: PLC0415 - heavy parts are imported by the request that needs them

from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

from bot.app.admin import AdminDesk
from bot.app.operator import Means, Orders
from bot.app.replay import Replays

if TYPE_CHECKING:  # `bot.bootstrap.bot` imports this module
    from bot.bootstrap.bot import Parts
    from bot.settings import Settings
    from bot.store.sqlite import SqliteStore


def admin_desk(parts: "Parts", *, serving: bool) -> AdminDesk:
    """`serving`: this process works on deliveries and records as well; else the next server will."""
    from bot.bootstrap.bot import token_desk

    replays = Replays(parts.store, parts.nudge, parts.log, serving=serving)
    orders = Orders(parts.store, parts.clock, parts.log, cache(partial(_means, parts)))
    more = {
        "delivery.look": replays.look,
        "delivery.replay": replays.replay,
        "order.look": orders.look,
        "order.give": orders.give,
    }
    return AdminDesk(token_desk(parts.store), parts.log, more)


def _means(parts: "Parts") -> Means | None:
    """What it takes to decide about a record. None where no App is configured. Raises SettingsRefused."""
    from bot.app.gather import Gatherer
    from bot.app.transact import Transactor
    from bot.bootstrap.bot import builtin_policy
    from bot.bootstrap.lanes import reaching

    app = parts.app or parts.settings.app()
    if app is None:
        return None
    policy = builtin_policy(parts.settings)
    outside = reaching(replace(parts, app=app))
    return Means(Transactor(outside, Gatherer(outside), lambda _repo: policy), lambda _repo: policy)


def alone(settings: "Settings", store: "SqliteStore") -> "Parts":
    """The parts of a command that has the database to itself. The person who types sees the answer, so nothing is logged.
    The App is looked at when an order needs it: other requests work without one."""
    from bot.bootstrap.bot import Parts

    return Parts(settings, None, store, _no_log)


def _no_log(level: str, event: str, **fields: object) -> None:
    """See `alone`."""
