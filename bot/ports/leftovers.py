"""What a process that is gone has left, and what is not as it should be: only to be looked at."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from bot.domain.model.ids import RecordKey
from bot.ports.rows import EffectRow


class Claimed(NamedTuple):
    """Something that a process works on until then, if it lives."""

    name: str
    until: datetime


class Unshown(NamedTuple):
    """A record that is not on GitHub as it is, and since when."""

    key: RecordKey
    since: datetime


class Leftovers(Protocol):
    def deliveries(self) -> Sequence[Claimed]:
        """Being worked on, by GUID."""
        ...

    def sweeps(self) -> Sequence[Claimed]:
        """Being swept, by the name of the repository."""
        ...

    def holds(self) -> Sequence[Claimed]:
        """Holds that end by themselves."""
        ...

    def effects(self) -> Sequence[EffectRow]:
        """Sent and not answered, or given up as unknown."""
        ...

    def unshown(self) -> Sequence[Unshown]: ...
