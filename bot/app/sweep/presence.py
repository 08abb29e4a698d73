"""Where our App is installed, as GitHub says it: installations come, go and are suspended, repositories too."""

from typing import Literal

from bot.app.bring import Bringer
from bot.app.outside import Outside
from bot.app.sweep.rest import after_failure
from bot.domain.model.content import stamp
from bot.domain.model.ids import SIGNALBOX, Repo
from bot.domain.model.sightings import InstallationChanged, RepositoryRenamed
from bot.domain.model.sweeping import Installed
from bot.ports.failures import ForgeFailure
from bot.ports.forge import Directory
from bot.ports.store import Tx

State = Literal["present", "suspended", "gone"]


class Presence:
    def __init__(self, outside: Outside, directory: Directory, bringer: Bringer) -> None:
        self._outside = outside
        self._store = outside.store
        self._directory = directory
        self._bringer = bringer

    async def look(self) -> None:
        """Raises as the port does for the list of installations; one installation's trouble is its own."""
        installed = await self._directory.installations()
        known = await self._store.read(lambda tx: tx.repositories.installations())
        for one in installed:
            await self._installation(one, known.get(one.id))
        for number, state in known.items():
            if state != "gone" and number not in {one.id for one in installed}:
                await self._changed(number, "gone")

    async def _installation(self, one: Installed, known: str | None) -> None:
        state: State = "suspended" if one.suspended else "present"
        if known is not None and known != state:
            await self._changed(one.id, state)
        elif known is None:
            await self._store.run(lambda tx: tx.repositories.set_installation(one.id, state))
        rests = await self._store.read(lambda tx: (tx.sweeps.rests_until(one.id), tx.now()))
        if one.suspended or (rests[0] is not None and rests[0] > rests[1]):
            return
        try:
            repositories = await self._directory.repositories(one.id)
        except ForgeFailure as failure:
            await self._trouble(one.id, failure)
            return
        await self._repositories(one.id, repositories)

    async def _trouble(self, number: int, failure: ForgeFailure) -> None:
        self._outside.log("warning", "installation_unread", installation=number, why=failure.for_operator())

        def rest(tx: Tx) -> None:
            tx.sweeps.set_allowance(number, *after_failure(tx.sweeps.allowance(number), failure, tx.now()))

        await self._store.run(rest)

    async def _repositories(self, number: int, listed: tuple[Repo, ...]) -> None:
        known = {repo.id: repo for repo in await self._store.read(lambda tx: tx.repositories.of_installation(number))}
        here = {repo.id: repo for repo in listed}
        for repo in listed:
            before = known.get(repo.id)
            if before != repo:
                await self._store.run(lambda tx: tx.repositories.seen(repo))  # noqa: B023 - run before the next turn
            if before is not None and before.full_name != repo.full_name:
                key = f"repository:{repo.id}:named:{repo.full_name}:{stamp(self._outside.clock.now())}"
                await self._bringer.bring(repo, RepositoryRenamed(key=key, actor=SIGNALBOX, full_name=repo.full_name))
            if await self._any(repo.id, frozen=True) or await self._is_elsewhere(repo):
                await self._bring(number, "present", (repo.id,), listed=True)
        await self._store.run(lambda tx: _begin(tx, listed))
        for repo_id in known.keys() - here.keys():
            if await self._any(repo_id, frozen=False):
                await self._bring(number, "gone", (repo_id,))

    async def _any(self, repository_id: int, *, frozen: bool) -> bool:
        """Whether a record under way is frozen for want of access, or is not."""

        def find(tx: Tx) -> bool:
            loaded = [tx.records.load(key) for key in tx.records.of_repository(repository_id, open_only=True)]
            return any((one.record.frozen == "suspended") is frozen for one in loaded if one is not None)

        return await self._store.read(find)

    async def _is_elsewhere(self, repo: Repo) -> bool:
        """Whether a record under way is still reached through another installation than the one that lists its repository."""

        def find(tx: Tx) -> bool:
            loaded = [tx.records.load(key) for key in tx.records.of_repository(repo.id, open_only=True)]
            return any(one.record.installation_id != repo.installation_id for one in loaded if one is not None)

        return await self._store.read(find)

    async def _changed(self, number: int, state: State) -> None:
        self._outside.log("info", "installation_changed", installation=number, state=state)
        await self._store.run(lambda tx: tx.repositories.set_installation(number, state))
        await self._bring(number, state, ())

    async def _bring(self, number: int, state: State, repositories: tuple[int, ...], *, listed: bool = False) -> None:
        anyone = await self._store.read(lambda tx: next(iter(tx.repositories.of_installation(number)), None))
        if anyone is None:
            return
        key = f"installation:{number}:{state}:{repositories}:seen:{stamp(self._outside.clock.now())}"
        signal = InstallationChanged(
            key=key, actor=SIGNALBOX, installation_id=number, state=state, repositories=repositories, listed=listed
        )
        await self._bringer.bring(anyone, signal)


def _begin(tx: Tx, repositories: tuple[Repo, ...]) -> None:
    for repo in repositories:
        tx.sweeps.begin(repo.id)
