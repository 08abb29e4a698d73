"""What GitHub delivered: stored before it is answered, worked on in the order of its lane."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Literal, Protocol

from bot.domain.model.delivery import Delivery, DeliveryRow, DeliveryState


class Deliveries(Protocol):
    def add(self, delivery: Delivery) -> Literal["accepted", "duplicate", "conflict"]:
        """Store a raw delivery. Known GUID with the same body: duplicate; with another body: conflict (nothing stored)."""
        ...

    def claim(self, worker: str, until: datetime, of: int | None = None) -> Delivery | None:
        """Take the oldest received delivery of a lane in which nothing is being worked on; it is `working` until then.
        A `working` one whose time is over can be claimed again. `of`: only one of this installation."""
        ...

    def next_of(self, without: Collection[int]) -> int | None:
        """Whose the next is that can be claimed, of other installations than these; 0 = of none."""
        ...

    def waiting(self, before: datetime) -> Sequence[tuple[str, str]]:
        """GUID and event of those that came before then and are not finished, oldest first."""
        ...

    def finish(self, guid: str, state: DeliveryState, detail: str | None) -> None: ...
    def puts_off(self, guid: str, why: str) -> None:
        """It was tried, could not be decided, and waits to be tried again."""
        ...

    def unheard_since(self, lane: int, but: str | None) -> datetime | None:
        """When the oldest one came that may tell of a stop and failed, or was tried and waits. `but`: not counting this one."""
        ...

    def settle(self, lane: int, before: datetime, how: str) -> int:
        """What came until then and failed was found by a whole sweep: it is over. How many there were."""
        ...

    def get(self, guid: str) -> tuple[Delivery, DeliveryRow] | None: ...
    def list(self, state: DeliveryState | None, limit: int, before: datetime | None) -> Sequence[DeliveryRow]: ...
    def put_back(self, guid: str) -> bool:
        """Replay: received again. False when unknown."""
        ...

    def reopen_abandoned(self) -> int:
        """At start of a single process: everything `working` is `received` again. Returns how many."""
        ...

    def backlog(self) -> int: ...
    def waits(self, lane: int, since: datetime) -> bool:
        """Whether one that was received since then is not worked on yet, or failed."""
        ...
