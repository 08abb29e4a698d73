"""The first step of everything: a delivery is stored raw before GitHub is told that it arrived."""

from typing import Literal, Protocol

from bot.domain.model.delivery import Delivery
from bot.ports.runtime import Clock, Nudge
from bot.ports.store import Store

Accepted = Literal["accepted", "duplicate", "conflict"]


class Routing(Protocol):
    """The few fields of a signed body that say where a delivery goes. `lane`: the repository's numeric id, or 0."""

    @property
    def action(self) -> str | None: ...
    @property
    def lane(self) -> int: ...
    @property
    def installation_id(self) -> int | None: ...
    @property
    def repository(self) -> str | None: ...
    @property
    def thread(self) -> int | None: ...
    @property
    def head(self) -> str | None: ...


class Intake:
    def __init__(self, store: Store, clock: Clock, nudge: Nudge) -> None:
        self._store = store
        self._clock = clock
        self._nudge = nudge

    async def accept(self, guid: str, event: str, body: bytes, routing: Routing) -> Accepted:
        """Store one authentic delivery; it is committed when this returns. The same GUID again: `duplicate`; with
        another body: `conflict`, and nothing is stored. Raises StoreUnavailable or CommitUnknown."""
        delivery = Delivery(
            guid=guid,
            event=event,
            action=routing.action,
            lane=routing.lane,
            installation_id=routing.installation_id,
            repository=routing.repository,
            thread=routing.thread,
            head=routing.head,
            body=body,
            received_at=self._clock.now(),
        )
        outcome = await self._store.run(lambda tx: tx.deliveries.add(delivery), first=True)
        if outcome == "accepted":
            self._nudge()
        return outcome
