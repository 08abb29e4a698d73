"""What the sweep remembers: the part of a transaction that only the sweep uses."""

from datetime import datetime
from typing import Protocol

from bot.domain.model.ids import RecordKey, Repo, Value


class SweepState(Value):
    """Where the sweep of a repository stands. Times are GitHub's, of the newest update that was looked at or, in
    `issues_since`, of the last look; None = from the first thing on that concerns us. `missing`: issues that GitHub
    did not show at the last look; `unsaid`: that lacked the start label, and no event said by whom. `behind`: there
    are more comments since `comments_since` than one sweep reads. `etags` by what was asked. `problem` is why the
    last one is incomplete. `found_until`, by our clock: all that came until then was found."""

    issues_since: datetime | None = None
    comments_since: datetime | None = None
    pulls_since: datetime | None = None
    full_at: datetime | None = None
    swept_at: datetime | None = None
    found_until: datetime | None = None
    missing: tuple[int, ...] = ()
    unsaid: tuple[int, ...] = ()
    behind: bool = False
    etags: dict[str, str] = {}
    problem: str | None = None


class Allowance(Value):
    """What sweeping an installation may cost, and its trouble. `spent` requests of ours since `hour_began`; `limit` is
    GitHub's for an hour, of all requests. `slowed_since`: the share is used up, less is read. `failures` in a row."""

    hour_began: datetime | None = None
    spent: int = 0
    limit: int = 5000
    slowed_since: datetime | None = None
    failures: int = 0
    problem: str | None = None


class Look(Value):
    """When what moves a record was last read again, and when what we show of it was last compared. None = never."""

    read_at: datetime | None = None
    compared_at: datetime | None = None


class Sweeps(Protocol):
    """What the sweep remembers. Installation 0 is the App itself."""

    def claim(self, until: datetime) -> tuple[Repo, SweepState] | None:
        """The repository that is due longest, of an installation that is present, does not rest and is not being swept; it
        is being swept until then."""
        ...

    def move_claim(self, repository_id: int, was: datetime, until: datetime | None) -> bool:
        """If it is being swept until `was`, it is so until then; None = it is not finished, and due. Whether it was."""
        ...

    def begin(self, repository_id: int) -> None:
        """From now on it is swept, if it was not before."""
        ...

    def is_due(self) -> bool:
        """Whether `claim` would find one."""
        ...

    def state(self, repository_id: int) -> SweepState: ...
    def done(self, repository_id: int, state: SweepState, due_at: datetime) -> None:
        """Store where it stands and give the repository free until `due_at`."""
        ...

    def free_abandoned(self) -> int:
        """At start of a single process: nothing is being swept, and what was is due. Returns how many."""
        ...

    def allowance(self, installation_id: int) -> Allowance: ...
    def rests_until(self, installation_id: int) -> datetime | None: ...
    def set_allowance(self, installation_id: int, allowance: Allowance, rests_until: datetime | None) -> None: ...
    def look(self, key: RecordKey) -> Look: ...
    def set_look(self, key: RecordKey, look: Look) -> None: ...
    def asked_again(self, guid: str) -> int:
        """How often GitHub was asked to deliver this one again."""
        ...

    def ask_again(self, guid: str) -> None:
        """Counts one more time."""
        ...
