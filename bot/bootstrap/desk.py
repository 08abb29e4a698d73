"""What the admin socket can do, wired: the same for a running server and for a command that has the database to itself."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

from bot.app.admin import AdminDesk
from bot.app.operator import Means, Orders
from bot.app.recovery import Hands, Recovery
from bot.app.replay import Replays
from bot.bootstrap.database import OpenStore, parts_of
from bot.bootstrap.parts import Parts, token_desk
from bot.settings import Settings

if TYPE_CHECKING:  # heavy: imported by the request that needs it
    from bot.bootstrap.work import Desk


def admin_desk(parts: Parts, at_hand: "Callable[[], Desk | None]", *, serving: bool) -> AdminDesk:
    """`at_hand`: the use-cases; None where no App is configured. `serving`: this process works on deliveries and records as
    well; else the next server will."""
    replays = Replays(parts.store, parts.nudge, parts.log, serving=serving)
    orders = Orders(parts.store, parts.clock, parts.log, lambda: _means(at_hand()))
    recovery = Recovery(parts.store, parts.nudge, lambda: _hands(at_hand()), serving=serving)
    more = {
        "delivery.look": replays.look,
        "delivery.replay": replays.replay,
        "order.look": orders.look,
        "order.give": orders.give,
        "recover.find": recovery.find,
        "recover.do": recovery.do,
    }
    return AdminDesk(token_desk(parts.store), parts.log, more)


def desk_alone(settings: Settings, store: OpenStore) -> AdminDesk:
    """Of a command that has the database to itself, or shares it: then servers are taken to be at work, and what they hold is
    theirs. The person who types sees the answer, so nothing is logged. The App is looked at when an order needs it: other
    requests work without one."""
    parts = parts_of(settings, None, store, _no_log)
    return admin_desk(parts, cache(partial(_alone, parts)), serving=store.shared)


def _alone(parts: Parts) -> "Desk | None":
    """None where no App is configured. Raises SettingsRefused."""
    from bot.bootstrap.github import at_the_desk  # noqa: PLC0415 - heavy

    app = parts.settings.app()
    return None if app is None else at_the_desk(replace(parts, app=app))


def _means(desk: "Desk | None") -> Means | None:
    return None if desk is None else Means(desk.transactor, desk.rules)


def _hands(desk: "Desk | None") -> Hands | None:
    return None if desk is None else Hands(desk.expiry, desk.effector)


def _no_log(level: str, event: str, **fields: object) -> None:
    """See `desk_alone`."""
