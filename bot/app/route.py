"""Which records does a signal concern?"""

from dataclasses import dataclass

from bot.app.gather import Gatherer
from bot.domain.lifecycle.linking import named_issues
from bot.domain.model.facts import Unknown
from bot.domain.model.ids import RecordKey, Repo
from bot.domain.model.questions import PullOf
from bot.domain.model.sightings import (
    DraftChanged,
    HeadPushed,
    InstallationChanged,
    PullClosed,
    PullOpened,
    PullReopened,
    RepositoryRenamed,
    ReviewDismissed,
    RolesChanged,
)
from bot.domain.model.signals import Signal
from bot.ports.store import Store, Tx

#: After these an unlinked pull request is looked at: it may name an issue.
MAY_LINK = (PullOpened, PullReopened, DraftChanged, HeadPushed)
#: After these it may come to or leave a head that another record judges.
MAY_SHARE = (*MAY_LINK, PullClosed)


@dataclass(frozen=True, slots=True)
class Routed:
    """`unlinked`: the pull request is linked to none of these records; it only names their issues. `sharing`: other records
    whose check stands on a head that it has or left, with that head; they are told before anything else happens."""

    keys: tuple[RecordKey, ...]
    unlinked: int | None = None
    sharing: tuple[tuple[RecordKey, str], ...] = ()


class Router:
    def __init__(self, store: Store, gatherer: Gatherer) -> None:
        self._store = store
        self._gatherer = gatherer

    async def records(self, repo: Repo, signal: Signal) -> Routed | Unknown:
        """The records to bring this signal to; Unknown when GitHub must be asked and did not answer."""
        if isinstance(signal, InstallationChanged | RolesChanged):
            return Routed(await self._of_installation(signal))
        if isinstance(signal, RepositoryRenamed):
            return Routed(tuple(await self._store.read(lambda tx: tx.records.of_repository(repo.id, open_only=False))))
        issue = getattr(signal, "issue", None)
        if issue is not None:
            return Routed((RecordKey(repo.id, issue),))
        pull = getattr(signal, "pull", None)
        if pull is not None:
            return await self._of_pull(repo, pull, signal)
        branch = getattr(signal, "branch", None)
        if branch is not None:
            return Routed(tuple(await self._store.read(lambda tx: tx.records.by_branch(repo.id, branch))))
        head = getattr(signal, "head", None)
        if head is not None:
            return Routed(tuple(await self._store.read(lambda tx: tx.records.by_head(repo.id, head))))
        return Routed(())

    async def of_thread(self, repo: Repo, number: int, *, is_pull: bool) -> RecordKey | None:
        """The record a thread belongs to: its issue, or the one its pull request is linked to."""
        if is_pull:
            return await self._store.read(lambda tx: tx.records.by_pull(repo.id, number))
        key = RecordKey(repo.id, number)
        loaded = await self._store.read(lambda tx: tx.records.load(key))
        return key if loaded is not None else None

    async def _of_installation(self, signal: InstallationChanged | RolesChanged) -> tuple[RecordKey, ...]:
        def of_all(tx: Tx) -> tuple[RecordKey, ...]:
            known = tx.repositories.of_installation(signal.installation_id)
            own = {repo.id for repo in known}
            ids = [number for number in signal.repositories if number in own] if signal.repositories else sorted(own)
            return tuple(key for number in ids for key in tx.records.of_repository(number, open_only=True))

        return await self._store.read(of_all)

    async def _of_pull(self, repo: Repo, number: int, signal: Signal) -> Routed | Unknown:
        linked = await self._store.read(lambda tx: tx.records.by_pull(repo.id, number))
        if linked is None and isinstance(signal, ReviewDismissed):
            return Routed(await self._stopped_by(repo, signal.review_id))
        if not isinstance(signal, MAY_SHARE):
            return Routed(()) if linked is None else Routed((linked,))
        if linked is not None and not isinstance(signal, PullReopened):
            sharing = await self._carrying(repo, (*await self._booked(linked), *_moved(signal)), but=linked)
            return Routed((linked,), sharing=sharing)
        # One that nobody follows, or that may have moved while it was closed.
        answer = (await self._gatherer.gather(repo, [PullOf(number)]))[PullOf(number)]
        if isinstance(answer, Unknown):
            return answer
        present = () if answer.value is None else (answer.value.head_sha,)
        sharing = await self._carrying(repo, (*present, *_moved(signal)), but=linked)
        if linked is not None:
            return Routed((linked,), sharing=sharing)
        if answer.value is None:
            return Routed((), sharing=sharing)
        named: tuple[RecordKey, ...] = ()
        if answer.value.open and isinstance(signal, MAY_LINK):
            named = await self._governed(repo, named_issues(answer.value, repo))
        return Routed(named, unlinked=number, sharing=sharing)

    async def _stopped_by(self, repo: Repo, review_id: int) -> tuple[RecordKey, ...]:
        """Records under way that keep a no of this review, which was about a pull request that was replaced."""

        def find(tx: Tx) -> tuple[RecordKey, ...]:
            loaded = [tx.records.load(key) for key in tx.records.of_repository(repo.id, open_only=True)]
            records = [one.record for one in loaded if one is not None]
            return tuple(one.key for one in records if any(no.review_id == review_id for no in one.unverified))

        return await self._store.read(find)

    async def _governed(self, repo: Repo, issues: tuple[int, ...]) -> tuple[RecordKey, ...]:
        keys = [RecordKey(repo.id, issue) for issue in issues]
        return await self._store.read(lambda tx: tuple(key for key in keys if tx.records.load(key) is not None))

    async def _booked(self, key: RecordKey) -> tuple[str, ...]:
        """The head that was last read of the pull request that is linked to this record."""
        loaded = await self._store.read(lambda tx: tx.records.load(key))
        return () if loaded is None or loaded.record.head is None else (loaded.record.head,)

    async def _carrying(
        self, repo: Repo, heads: tuple[str, ...], *, but: RecordKey | None
    ) -> tuple[tuple[RecordKey, str], ...]:
        """Records whose check run stands on one of these heads."""

        def carrying(tx: Tx) -> tuple[tuple[RecordKey, str], ...]:
            found = [(key, head) for head in dict.fromkeys(heads) for key in tx.slots.published_checks(repo.id, head)]
            return tuple((key, head) for key, head in found if key != but)

        return await self._store.read(carrying)


def _moved(signal: Signal) -> tuple[str, ...]:
    """Both ends of a push: who is told looks for itself."""
    ends = (signal.before, signal.after) if isinstance(signal, HeadPushed) else ()
    return tuple(head for head in ends if head)
