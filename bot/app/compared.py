"""Records are compared with what GitHub shows of them before the sweep first moves them in this process, and before anything
of them that stands on GitHub is first written over: what a lost version showed would be gone.

A file is put back only between two processes, so once is enough. A database that others keep may be exchanged for its standby at
any time, which may miss the newest versions: the store notices, and what was compared before counts no more.
"""

from bot.app.doubts import Doubts
from bot.app.gather import Gatherer
from bot.app.outside import Outside
from bot.app.policy.book import Policies
from bot.app.transact import Outcome, Transactor
from bot.domain.model.ids import RecordKey, Repo
from bot.domain.model.record import Record
from bot.domain.model.sightings import InstallationChanged
from bot.domain.model.signals import Signal
from bot.ports.failures import ForgeFailure
from bot.ports.store import Store


class ComparedTransactor(Transactor):
    """`doubts` freeze through a transactor that compares nothing."""

    def __init__(self, outside: Outside, gatherer: Gatherer, policies: Policies) -> None:
        super().__init__(outside, gatherer, policies)
        self._doubts = Doubts(outside, Transactor(outside, gatherer, policies))
        self._compared: dict[RecordKey, int] = {}

    async def _before(self, repo: Repo, key: RecordKey, signal: Signal) -> Outcome | None:
        try:
            behind = not _says_we_are_shut_out(signal) and await self._is_behind(repo, key)
        except ForgeFailure as failure:
            why = failure.for_operator()
            return Outcome("later", note=f"what GitHub shows of this record could not be read: {why}")
        if behind:
            return Outcome("later", note="GitHub shows a newer version of this record than the database")
        return None

    async def _is_behind(self, repo: Repo, key: RecordKey) -> bool:
        """Whether it was frozen for that just now."""
        copy = self._store.exchanges
        if self._compared.get(key) == copy:
            return False
        loaded = await self._store.read(lambda tx: tx.records.load(key))
        if loaded is None or not _can_be_doubted(loaded.record):
            return False
        seen = await self._doubts.look_at_everything(repo, loaded.record)
        self._compared[key] = copy
        return any(doubt.about == "database_behind" for doubt in seen)


class Compared:
    """For the publisher: whether what stands on GitHub may be written over."""

    def __init__(self, store: Store, doubts: Doubts) -> None:
        self._store = store
        self._doubts = doubts
        self._compared: dict[RecordKey, int] = {}

    async def may_write_over(self, record: Record, *, stands: bool) -> bool:
        """False where that was found against us, and it is frozen now. `stands`: something of it is on GitHub. Raises
        ForgeFailure."""
        copy = self._store.exchanges
        if self._compared.get(record.key) == copy or record.frozen is not None or record.phase == "done":
            return True
        if stands and await self._doubts.look_at_everything(record.repo, record):
            return False
        self._compared[record.key] = copy
        return True


def _says_we_are_shut_out(signal: Signal) -> bool:
    """Then nothing can be read, and that has to be known."""
    return isinstance(signal, InstallationChanged) and signal.state != "present"


def _can_be_doubted(record: Record) -> bool:
    """What is done moves no more, what is known to be behind stays so, and without access nothing can be read."""
    return record.phase != "done" and record.frozen not in {"suspended", "database_behind"}
