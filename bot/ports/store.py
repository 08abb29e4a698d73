"""The durable store. The shell hands over whole transactions: `await store.run(work)`.

`work(tx)` is synchronous, re-runnable (it really is run again after some failures) and touches only `tx` and its own
locals. Its result is handed out only after COMMIT. The shell never holds a transaction across an await.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Literal, NamedTuple, Protocol, TypeVar

from bot.domain.model.effects import Effect, EffectState, MergeReply
from bot.domain.model.ids import RecordKey, Repo
from bot.domain.model.shown import ShownRow
from bot.ports.deliveries import Deliveries
from bot.ports.leftovers import Leftovers
from bot.ports.operating import Operating
from bot.ports.policies import Policies
from bot.ports.records import Records
from bot.ports.rows import (
    Applied,
    AttemptRow,
    AttemptState,
    EffectRow,
    Slot,
    TokenRow,
)
from bot.ports.sweeps import Sweeps

T = TypeVar("T")


class VersionConflict(Exception):
    """Somebody else wrote the record first, or took the lock: load again and decide again."""


class Unreadable(Exception):
    """A stored row that this version cannot read. `id` is the row's; nothing about it was changed."""

    def __init__(self, id: int, why: str) -> None:
        super().__init__(why)
        self.id = id


class HistoryDamaged(Exception):
    """A stored row of a record's history is no row: somebody changed the database."""


class StoreUnavailable(Exception):
    """The transaction is not committed (full disk, database gone). Nothing of it is stored."""


class CommitUnknown(Exception):
    """The connection died during COMMIT and the operation id could not be looked up."""


class AppliedKeys(Protocol):
    def get(self, repository_id: int, key: str) -> Applied | None: ...
    def put(self, repository_id: int, applied: Applied) -> None:
        """Raises VersionConflict when the key is already there."""
        ...


class Shown(Protocol):
    def add(self, key: RecordKey, row: ShownRow) -> None: ...
    def rows(self, key: RecordKey) -> Sequence[ShownRow]:
        """Oldest first."""
        ...


class Slots(Protocol):
    def of(self, key: RecordKey) -> dict[str, Slot]: ...
    def put(self, key: RecordKey, slot: Slot) -> None: ...
    def distrust(self, key: RecordKey) -> None:
        """Somebody else touched our projections: all slots that were clean become unsure, the record dirty."""
        ...

    def unshown_success(self) -> Sequence[RecordKey]:
        """Records that wait to be shown and have a check run that may stand as success."""
        ...

    def published_checks(self, repository_id: int, head: str) -> Sequence[RecordKey]:
        """Records that have written a check run on this head."""
        ...


class Effects(Protocol):
    def plan(self, key: RecordKey | None, repo: Repo, effect: Effect) -> bool:
        """Store as planned; False when `once` is known already."""
        ...

    def next(self, now: datetime, without: Collection[int] = (), but: Collection[RecordKey] = ()) -> EffectRow | None:
        """A planned or sent effect that may run now and is first of its (kind, target): the one whose turn it is in its
        installation, of other installations and records than these; no call of operators. Raises Unreadable."""
        ...

    def next_call(self, now: datetime) -> EffectRow | None:
        """The same for calls of operators, of any installation."""
        ...

    def set(self, id: int, state: EffectState, note: str | None, not_before: datetime | None = None) -> None:
        """Entering `sent` counts an attempt."""
        ...

    def rest(
        self, id: int, attempt: int, state: EffectState, note: str | None, until: datetime, *, tried: bool = True
    ) -> None:
        """This attempt is over and the effect is not: it is planned, or sent, and may run from then on. `tried` False: the
        attempt is not counted. Nothing, when this is not its attempt any more."""
        ...

    def extend(self, id: int, attempt: int, until: datetime) -> bool:
        """Nobody else may run it before then. False, and nothing changes, when this is not its attempt any more."""
        ...

    def withdraw(self, once: str, note: str) -> None:
        """It is not needed any more: if it is not over, it is ok with this note, whoever is carrying it out."""
        ...

    def any_between(self, after: str, before: str) -> bool:
        """Whether one is known whose `once` sorts after the first and before the second."""
        ...

    def of(self, key: RecordKey) -> Sequence[EffectRow]:
        """Those that can be read."""
        ...

    def ended(self, state: EffectState, limit: int) -> Sequence[EffectRow]:
        """The newest that are over in this state and can be read."""
        ...


class Attempts(Protocol):
    def add(self, row: AttemptRow) -> None: ...
    def get(self, id: str) -> AttemptRow | None: ...
    def set(self, id: str, state: AttemptState, uuid: str | None = None) -> None: ...
    def reply(self, id: str, reply: MergeReply) -> None:
        """Append an answer, whatever the state: late answers are kept by attempt id."""
        ...

    def of(self, key: RecordKey) -> Sequence[AttemptRow]: ...


#: Names of holds that say what rests because it met a bug of ours: no process has them, and they end by themselves.
ASIDE = "aside:"
#: Names of holds that say where somebody edited what we wrote: nobody has them, and they end by themselves.
EDITED = "edited:"


class Held(NamedTuple):
    """A hold that lasts. `until` None = until dropped."""

    name: str
    holder: str
    until: datetime | None


class Leases(Protocol):
    """Named exclusive holds. `until` None = until dropped. The database clock decides; equality = expired."""

    def take(self, name: str, holder: str, until: datetime | None) -> bool:
        """True when it was free, expired, or already held by `holder` (then extended)."""
        ...

    def drop(self, name: str, holder: str) -> None: ...
    def holder(self, name: str) -> str | None: ...
    def held(self, prefix: str) -> Sequence[Held]:
        """Holds that last and whose names begin so, by name."""
        ...

    def end_abandoned(self) -> Sequence[str]:
        """At start of a single process: every hold that would end by itself ends now. Returns their names."""
        ...


class Tokens(Protocol):
    def add(self, row: TokenRow, digest: str) -> None:
        """Raises ValueError when an unrevoked token has that name."""
        ...

    def by_digest(self, digest: str) -> TokenRow | None: ...
    def list(self) -> Sequence[TokenRow]: ...
    def revoke(self, name: str, at: datetime) -> bool: ...


class Repositories(Protocol):
    """Repositories by numeric id; names are labels that are updated when deliveries show a new one."""

    def seen(self, repo: Repo) -> None: ...
    def get(self, repository_id: int) -> Repo | None: ...
    def by_name(self, full_name: str) -> Repo | None: ...
    def of_installation(self, installation_id: int) -> Sequence[Repo]: ...
    def set_installation(self, installation_id: int, state: Literal["present", "suspended", "gone"]) -> None: ...
    def installation_state(self, installation_id: int) -> str: ...
    def installations(self) -> dict[int, str]:
        """Every installation ever heard of, and its state."""
        ...


class Tx(Protocol):
    """One open transaction. The attributes are its parts; all share it."""

    deliveries: Deliveries
    records: Records
    applied: AppliedKeys
    shown: Shown
    slots: Slots
    effects: Effects
    attempts: Attempts
    leases: Leases
    tokens: Tokens
    repositories: Repositories
    sweeps: Sweeps
    policies: Policies
    operating: Operating
    leftovers: Leftovers

    def now(self) -> datetime:
        """The database clock."""
        ...

    def not_before(self, installation_id: int) -> datetime | None:
        """Durable pause of an installation's requests (retry-after)."""
        ...

    def set_not_before(self, installation_id: int, at: datetime) -> None: ...


class Store(Protocol):
    #: Names this database for ever: the same after restarts and for all replicas of it.
    instance_id: str
    #: Whether other processes may write to this database, now or at any time. What stands in it as somebody's is theirs then,
    #: until it ends by itself.
    shared: bool
    #: How often the database was exchanged for another copy of it while this process lived (a failover): that one may be older.
    exchanges: int

    async def run(self, work: Callable[[Tx], T], first: bool = False) -> T:
        """Run `work` in one writing transaction and return its result after COMMIT. `first`: ahead of other queued work
        (intake). Raises what `work` raises (nothing of it is stored), StoreUnavailable or CommitUnknown."""
        ...

    async def read(self, work: Callable[[Tx], T]) -> T:
        """Run `work` on a consistent snapshot; writing in it is an error."""
        ...

    async def close(self) -> None: ...
