"""What the admin socket can do, wired: the same for a running server and for a command that has the database to itself."""
# ruff: noqa: PLC0415 - heavy parts are imported by the request that needs them

from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

from bot.app.admin import AdminDesk
from bot.app.operator import Means, Orders
from bot.app.recovery import Hands, Recovery
from bot.app.replay import Replays

if TYPE_CHECKING:  # `bot.bootstrap.bot` imports this module
    from bot.bootstrap.bot import Parts
    from bot.bootstrap.work import Work
    from bot.settings import Settings
    from bot.store.sqlite import SqliteStore


def admin_desk(parts: "Parts", *, serving: bool) -> AdminDesk:
    """`serving`: this process works on deliveries and records as well; else the next server will."""
    from bot.bootstrap.bot import token_desk

    replays = Replays(parts.store, parts.nudge, parts.log, serving=serving)
    work = cache(partial(_work, parts))
    orders = Orders(parts.store, parts.clock, parts.log, lambda: _means(work()))
    recovery = Recovery(parts.store, parts.nudge, lambda: _hands(work()), serving=serving)
    more = {
        "delivery.look": replays.look,
        "delivery.replay": replays.replay,
        "order.look": orders.look,
        "order.give": orders.give,
        "recover.find": recovery.find,
        "recover.do": recovery.do,
    }
    return AdminDesk(token_desk(parts.store), parts.log, more)


def _work(parts: "Parts") -> "Work | None":
    """The use-cases, beside those of the lanes. None where no App is configured. Raises SettingsRefused."""
    from bot.bootstrap.lanes import use_cases

    app = parts.app or parts.settings.app()
    return None if app is None else use_cases(replace(parts, app=app))


def _means(work: "Work | None") -> Means | None:
    return None if work is None else Means(work.transactor, work.rules)


def _hands(work: "Work | None") -> Hands | None:
    return None if work is None else Hands(work.expiry, work.effector)


def alone(settings: "Settings", store: "SqliteStore") -> "Parts":
    """The parts of a command that has the database to itself. The person who types sees the answer, so nothing is logged.
    The App is looked at when an order needs it: other requests work without one."""
    from bot.bootstrap.bot import Parts

    return Parts(settings, None, store, _no_log)


def _no_log(level: str, event: str, **fields: object) -> None:
    """See `alone`."""
