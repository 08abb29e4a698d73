"""What GitHub delivered: stored before it is answered, worked on in the order of its lane."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Literal, NamedTuple, Protocol

from bot.domain.model.delivery import Delivery, DeliveryRow, DeliveryState


class About(NamedTuple):
    """A record, as deliveries tell of it: its repository (their lane) and installation, its issue and its linked pull request,
    and its head. `found_until`: see `SweepState`; what failed until then is unknown no more."""

    lane: int
    installation_id: int
    issue: int
    pull: int | None
    head: str | None
    found_until: datetime | None = None


class Unheard(NamedTuple):
    """`waits`: a delivery is not over yet. `since`: when the oldest one came that was tried in vain and waits, or that may tell
    of a stop and failed."""

    waits: bool = False
    since: datetime | None = None


class Arrival(NamedTuple):
    """Places in the order in which deliveries came, whichever process took them: of the one that is being worked on, None
    without one, and of the newest that had come. Both are looked up before anything is read of GitHub."""

    own: int | None = None
    newest: int = 0


class Deliveries(Protocol):
    def add(self, delivery: Delivery) -> Literal["accepted", "duplicate", "conflict"]:
        """Store a raw delivery. Known GUID with the same body: duplicate; with another body: conflict (nothing stored)."""
        ...

    def claim(self, worker: str, until: datetime, of: int | None = None) -> Delivery | None:
        """Take the oldest received delivery of a lane in which nothing is being worked on; it is `working` until then.
        A `working` one whose time is over can be claimed again. `of`: only one of this
        installation. One that was put off waits for that time as well: what is about the same thread or commit waits behind
        it, the rest of its lane does not."""
        ...

    def next_of(self, without: Collection[int]) -> int | None:
        """Whose the next is that can be claimed, of other installations than these; 0 = of none."""
        ...

    def waiting(self, before: datetime, after: datetime | None = None) -> Sequence[tuple[str, str]]:
        """GUID and event of those that came until `before`, and after `after`, and are not finished, oldest first."""
        ...

    def finish(self, guid: str, state: DeliveryState, detail: str | None) -> None: ...
    def puts_off(self, guid: str, why: str) -> None:
        """It was tried, could not be decided, and is tried again when the time of its claim is over."""
        ...

    def unheard(self, about: About, but: str | None) -> Unheard:
        """What is told of these and not worked on. `but`: not counting this one."""
        ...

    def swept(self, lane: int, before: datetime) -> Sequence[Delivery]:
        """What came until then, failed, and is of what a whole sweep finds. Lane 0: of no repository that could be read."""
        ...

    def settle(self, guids: Sequence[str], how: str) -> None:
        """These failed, and a whole sweep found what they told: they are over."""
        ...

    def get(self, guid: str) -> tuple[Delivery, DeliveryRow] | None: ...
    def list(self, state: DeliveryState | None, limit: int, before: datetime | None) -> Sequence[DeliveryRow]: ...
    def put_back(self, guid: str) -> bool:
        """Replay: received again. False when unknown."""
        ...

    def give_back(self, worker: str) -> int:
        """What this one is working on is `received` again: it ends. Returns how many."""
        ...

    def reopen_abandoned(self) -> int:
        """At start of a single process: everything `working` is `received` again. Returns how many."""
        ...

    def backlog(self) -> int: ...
    def arrival(self, guid: str | None) -> Arrival:
        """Where this one stands among all that have come."""
        ...

    def waits(self, lane: int, since: datetime) -> bool:
        """Whether one that was received since then is not worked on yet."""
        ...
