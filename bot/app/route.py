"""Which records does a signal concern?"""

from dataclasses import dataclass

from bot.app.gather import Gatherer
from bot.domain.lifecycle.linking import named_issues
from bot.domain.model.facts import PullOf, Unknown
from bot.domain.model.ids import RecordKey, Repo
from bot.domain.model.signals import (
    DraftChanged,
    HeadPushed,
    InstallationChanged,
    PullOpened,
    PullReopened,
    RepositoryRenamed,
    Signal,
)
from bot.ports.store import Store, Tx

#: After these an unlinked pull request is looked at: it may name an issue.
MAY_LINK = (PullOpened, PullReopened, DraftChanged, HeadPushed)


@dataclass(frozen=True, slots=True)
class Routed:
    """`unlinked`: the pull request is linked to none of these records; it only names their issues."""

    keys: tuple[RecordKey, ...]
    unlinked: int | None = None


class Router:
    def __init__(self, store: Store, gatherer: Gatherer) -> None:
        self._store = store
        self._gatherer = gatherer

    async def records(self, repo: Repo, signal: Signal) -> Routed | Unknown:
        """The records to bring this signal to; Unknown when GitHub must be asked and did not answer."""
        if isinstance(signal, InstallationChanged):
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

    async def _of_installation(self, signal: InstallationChanged) -> tuple[RecordKey, ...]:
        def of_all(tx: Tx) -> tuple[RecordKey, ...]:
            known = tx.repositories.of_installation(signal.installation_id)
            ids = signal.repositories or tuple(repo.id for repo in known)
            return tuple(key for number in ids for key in tx.records.of_repository(number, open_only=True))

        return await self._store.read(of_all)

    async def _of_pull(self, repo: Repo, number: int, signal: Signal) -> Routed | Unknown:
        linked = await self._store.read(lambda tx: tx.records.by_pull(repo.id, number))
        if linked is not None:
            return Routed((linked,))
        if not isinstance(signal, MAY_LINK):
            return Routed(())
        answers = await self._gatherer.gather(repo, [PullOf(number)])
        answer = answers[PullOf(number)]
        if isinstance(answer, Unknown):
            return answer
        if answer.value is None or not answer.value.open:
            return Routed(())
        named = [RecordKey(repo.id, issue) for issue in named_issues(answer.value, repo)]
        governed = await self._store.read(lambda tx: [key for key in named if tx.records.load(key) is not None])
        return Routed(tuple(governed), unlinked=number)
