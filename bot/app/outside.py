"""Everything outside that the use-cases share, in one hand: ports, settings, and who this process is."""

from dataclasses import dataclass, field

from bot.app.timing import Timing
from bot.domain.model.seal import Seal
from bot.ports.forge import Forge
from bot.ports.runtime import Clock, Log, Nudge
from bot.ports.store import Store


@dataclass(frozen=True, slots=True)
class Outside:
    """`owner` names this process in leases; `nudge` wakes the lanes after a record changed. `seal` is the App's: without one,
    GitHub is asked who edited what we wrote last."""

    store: Store
    forge: Forge
    clock: Clock
    log: Log
    nudge: Nudge
    timing: Timing = field(default_factory=Timing)
    owner: str = "here"
    seal: Seal = field(default_factory=Seal)


class LeaseLost(Exception):
    """The right to write ended while the write waited; nothing was sent, and somebody else may be at it."""
