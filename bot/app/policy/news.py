"""Rules that changed: every open record of the repository is told, however often the process dies on the way.

The version says that it is still to be told, and each telling has a content key. So whoever goes on may begin again.
"""

from datetime import timedelta

from bot.app.outside import Outside
from bot.app.transact import Transactor
from bot.domain.model.ids import SIGNALBOX, RecordKey, Repo
from bot.domain.model.signals import PolicyChanged
from bot.ports.policies import PolicyVersion
from bot.ports.store import Tx

#: How soon records whose facts could not be read are told again.
AGAIN = timedelta(seconds=30)


class News:
    def __init__(self, outside: Outside, transactor: Transactor) -> None:
        self._store = outside.store
        self._log = outside.log
        self._nudge = outside.nudge
        self._transactor = transactor

    async def tell(self, version: PolicyVersion) -> None:
        """Open gates are evaluated anew, and everything that is shown of the rules is compared."""
        number = version.number
        repo, keys = await self._store.read(lambda tx: _concerned(tx, version.repository_id))
        waiting = [key.issue for key in keys if repo is not None and not await self._told(repo, key, version)]
        if waiting:
            await self._store.run(lambda tx: tx.policies.rest(number, tx.now() + AGAIN))
            return

        def done(tx: Tx) -> None:
            for key in keys:
                tx.records.mark_dirty(key)
            tx.policies.told(number)

        await self._store.run(done)
        if repo is not None:
            self._log("info", "policy_told", repository=repo.full_name, sha=version.policy.sha, records=len(keys))
        self._nudge()

    async def _told(self, repo: Repo, key: RecordKey, version: PolicyVersion) -> bool:
        signal = PolicyChanged(key=f"policy:{version.number}@{key.issue}", actor=SIGNALBOX)
        outcome = await self._transactor.apply(repo, key, signal)
        return outcome.kind != "later"


def _concerned(tx: Tx, repository_id: int) -> tuple[Repo | None, tuple[RecordKey, ...]]:
    return tx.repositories.get(repository_id), tuple(tx.records.of_repository(repository_id, open_only=True))
