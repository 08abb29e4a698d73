"""Places on GitHub where one thing of ours is said, level-triggered: each remembers what was written there last, and only the
difference is written. A write whose answer is missing is looked for before anything is written there again.
"""

import json
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from typing import NamedTuple

from bot.app.outside import LeaseLost, Outside
from bot.domain.model.effects import CreateCheckRun, UpdateCheckRun
from bot.domain.model.ids import Repo
from bot.domain.model.questions import OwnChecksOn
from bot.ports.failures import Gone
from bot.ports.forge import Guard
from bot.ports.policies import Report
from bot.ports.store import Tx


class Run(NamedTuple):
    """A check run that shall stand on `head`. `write(known)` makes it anew or, where one is known, says it there; `says` is
    what tells it from another."""

    name: str
    head: str
    says: object
    write: Callable[[int | None], CreateCheckRun | UpdateCheckRun]


class Places:
    def __init__(self, outside: Outside) -> None:
        self._store = outside.store
        self._forge = outside.forge
        #: One publisher at a time: a place that is being worked on is not due.
        self._lease = timedelta(seconds=outside.timing.write_lease)

    async def shows(self, repo: Repo, report: Report, run: Run, guard: Guard | None = None) -> None:
        """Have this run stand in this place. Raises ForgeFailure, and what the guard raises."""
        digest = digest_of(run.says)
        if report.sent_at is not None:
            found = (await self._forge.read(repo, OwnChecksOn(run.head, run.name))).value
            report = report.model_copy(update={"remote_id": found[0].id if found else None})
        if report.digest == digest and report.sent_at is None:
            return
        report = await self.sending(repo, report)
        try:
            written = await self._forge.perform(repo, run.write(report.remote_id), self.guard(repo, report, guard))
        except Gone:
            await self.keep(repo, report.model_copy(update={"sent_at": None, "digest": None, "remote_id": None}))
            raise
        remote = report.remote_id if written.id is None else written.id
        await self.keep(repo, report.model_copy(update={"sent_at": None, "digest": digest, "remote_id": remote}))

    async def at(self, repo: Repo, place: str, pull: int | None) -> Report:
        known = await self._store.read(lambda tx: tx.policies.report(repo.id, place))
        return (known or Report(place=place)).model_copy(update={"pull": pull})

    async def sending(self, repo: Repo, report: Report) -> Report:
        """While it is on its way it is due again later, whoever dies."""

        def store(tx: Tx) -> Report:
            sending = report.model_copy(update={"sent_at": tx.now(), "digest": None})
            tx.policies.put_report(repo.id, sending, tx.now() + self._lease)
            return sending

        return await self._store.run(store)

    def guard(self, repo: Repo, report: Report, also: Guard | None = None) -> Guard:
        """Directly before it leaves: what is being written is this, and nobody else takes it until it can land no more."""

        def prove(tx: Tx) -> None:
            now = tx.policies.report(repo.id, report.place)
            if now is None or now.sent_at != report.sent_at:
                raise LeaseLost
            tx.policies.put_report(repo.id, now, tx.now() + self._lease)

        async def guard() -> None:
            if also is not None:
                await also()
            await self._store.run(prove)

        return guard

    async def keep(self, repo: Repo, report: Report) -> None:
        await self._store.run(lambda tx: _settle(tx, repo, report))


def digest_of(what: object) -> str:
    return sha256(json.dumps(what, default=str, sort_keys=True).encode()).hexdigest()


def _settle(tx: Tx, repo: Repo, report: Report) -> None:
    """Nothing is left to do here, unless it was expected anew meanwhile."""
    now = tx.policies.report(repo.id, report.place)
    asked = report.asked if now is None else now.asked
    due = tx.now() if asked != report.asked else None
    tx.policies.put_report(repo.id, report.model_copy(update={"asked": asked}), due)
