"""Rules that changed: every open record of the repository is told, however often the process dies on the way.

The version says that it is still to be told, and each telling has a content key. So whoever goes on may begin again.
"""

from datetime import timedelta
from typing import Literal

from bot.app.aside import Unit, set_aside
from bot.app.outside import Outside
from bot.app.transact import Transactor
from bot.domain.model.ids import SIGNALBOX, RecordKey, Repo
from bot.domain.model.own_signals import PolicyChanged
from bot.ports.policies import PolicyVersion
from bot.ports.store import Tx

#: How soon records whose facts could not be read are told again.
AGAIN = timedelta(seconds=30)
#: How long a record that met a bug of ours is left alone.
SET_ASIDE = timedelta(minutes=10)
#: What became of telling one record.
Telling = Literal["told", "later", "aside"]


class News:
    def __init__(self, outside: Outside, transactor: Transactor) -> None:
        self._outside = outside
        self._store = outside.store
        self._log = outside.log
        self._nudge = outside.nudge
        self._transactor = transactor

    async def tell(self, version: PolicyVersion) -> None:
        """Open gates are evaluated anew, and everything that is shown of the rules is compared. Whoever cannot be told now
        keeps no other record from it."""
        number = version.number
        repo, keys = await self._store.read(lambda tx: _concerned(tx, version.repository_id))
        became = {key: await self._telling(repo, key, version) for key in keys} if repo is not None else {}
        pause = AGAIN if "later" in became.values() else SET_ASIDE if "aside" in became.values() else None

        def done(tx: Tx) -> None:
            for key in keys:
                if became.get(key, "told") == "told":
                    tx.records.mark_dirty(key)
            if pause is None:
                tx.policies.told(number)
            else:
                tx.policies.rest(number, tx.now() + pause)

        await self._store.run(done)
        if repo is not None and pause is None:
            self._log("info", "policy_told", repository=repo.full_name, sha=version.policy.sha, records=len(keys))
        self._nudge()

    async def _telling(self, repo: Repo, key: RecordKey, version: PolicyVersion) -> Telling:
        signal = PolicyChanged(key=f"policy:{version.number}@{key.issue}", actor=SIGNALBOX)
        try:
            outcome = await self._transactor.apply(repo, key, signal)
        except Exception as error:  # noqa: BLE001 - our own bug with one record must not stop the others; it comes again
            fields = {"repository": repo.full_name, "issue": key.issue}
            await set_aside(self._outside, Unit("policies", str(key), "news_failed", SET_ASIDE, fields), error)
            return "aside"
        return "later" if outcome.kind == "later" else "told"


def _concerned(tx: Tx, repository_id: int) -> tuple[Repo | None, tuple[RecordKey, ...]]:
    return tx.repositories.get(repository_id), tuple(tx.records.of_repository(repository_id, open_only=True))
