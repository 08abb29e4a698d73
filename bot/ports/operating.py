"""What operators see and keep small: numbers over everything that is stored, and the end of what is old."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from bot.domain.model.ids import Value


class Tally(Value):
    """How many of what. A state nothing is in may be missing. `waits_since`: when the delivery that waits longest came;
    `unshown_since`: since when the record that waits longest is not shown on GitHub as it is."""

    deliveries: Mapping[str, int]
    waits_since: datetime | None
    records: Mapping[str, int]
    unshown: int
    unshown_since: datetime | None
    merges: Mapping[str, int]
    effects: Mapping[str, int]


class Operating(Protocol):
    def tally(self) -> Tally: ...
    def prune(self, before: datetime, limit: int) -> int:
        """Delete at most `limit` raw deliveries that came before then and that we are done with; how many there were.
        One that failed is kept, whatever its age: its body is what a replay is made of. So is what waits."""
        ...

    def forget_redeliveries(self, before: datetime, limit: int) -> int:
        """The same for the notes of what GitHub was asked to send again."""
        ...
