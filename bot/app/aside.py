"""What is set aside: one unit of work that met a bug of ours, so that all the others go on.

Nothing of it is lost: it comes again after a while. Until then a hold in the store says so, for doctor and the metrics.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.app.outside import Outside
from bot.ports.store import ASIDE, CommitUnknown, Held, StoreUnavailable, Tx

#: The hold's name is this, the part of the bot, and what was set aside.
PREFIX = ASIDE
HOLDER = "bug"
#: No bug of ours: the lane waits until the database answers again, and nothing is held against the unit.
OUTAGES = (StoreUnavailable, CommitUnknown)


@dataclass(frozen=True, slots=True)
class Unit:
    """`part` is who works on it, `what` names it among that part's work. `event` and `fields` are how the log tells it."""

    part: str
    what: str
    event: str
    pause: timedelta
    fields: Mapping[str, object]


async def set_aside(
    outside: Outside, unit: Unit, error: Exception, keep: Callable[[Tx, datetime], object] = lambda _tx, _until: None
) -> None:
    """`keep(tx, until)` stores whatever keeps the unit from coming again at once. An outage is raised again."""
    if isinstance(error, OUTAGES):
        raise error
    outside.log("error", unit.event, error=error, **unit.fields)

    def store(tx: Tx) -> None:
        until = tx.now() + unit.pause
        tx.leases.take(f"{PREFIX}{unit.part}:{unit.what}", HOLDER, until)
        keep(tx, until)

    await outside.store.run(store)


def aside(tx: Tx) -> Sequence[Held]:
    """Everything that is set aside now; names without the prefix, `part:what`."""
    return [held._replace(name=held.name.removeprefix(PREFIX)) for held in tx.leases.held(PREFIX)]
