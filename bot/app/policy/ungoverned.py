"""Pull requests without a record: what our check says on them, as the policy wants it (INTERFACE.md section 5, `ungoverned`).

A neutral check satisfies a rule that requires it, so it must never stand beside a judgement: nothing is written where a record
has that commit or ever wrote there, that is asked once more directly before the bytes leave, and what a record says there is
written anew if it came meanwhile (I24).
"""

from bot.app.outside import Outside
from bot.app.policy.places import Places, Run
from bot.domain.model.effects import OWN_CHECK, CreateCheckRun, UpdateCheckRun
from bot.domain.model.facts import PullFacts
from bot.domain.model.ids import RecordKey, Repo
from bot.domain.model.policy import Policy
from bot.domain.projections.ungoverned_check import UngovernedCheck, ungoverned_check, withdrawn_check
from bot.ports.policies import UNGOVERNED
from bot.ports.store import Tx


class Governed(Exception):
    """A record has this pull request or its commit; it speaks for itself."""


class Ungoverned:
    def __init__(self, outside: Outside, web_url: str) -> None:
        self._store = outside.store
        self._places = Places(outside)
        self._web = web_url

    async def show(self, repo: Repo, pull: PullFacts, policy: Policy) -> None:
        """Raises ForgeFailure."""
        place = f"{UNGOVERNED}{pull.head_sha}"
        report = await self._places.at(repo, place, pull.number)
        wanted = ungoverned_check(policy)
        if wanted is None and report.remote_id is None and report.sent_at is None:
            return

        async def guard() -> None:
            if await self._store.read(lambda tx: _governing(tx, repo, pull)):
                raise Governed

        url = f"{self._web}/{repo.full_name}/pull/{pull.number}"
        try:
            await guard()
            await self._places.shows(repo, report, _run(pull.head_sha, wanted or withdrawn_check(), url), guard)
        except Governed:
            if await self._store.read(lambda tx: tx.policies.report(repo.id, place)) is not None:
                await self._places.keep(repo, report)
            return
        await self._store.run(lambda tx: _said_over(tx, repo, pull))


def _governing(tx: Tx, repo: Repo, pull: PullFacts) -> tuple[RecordKey, ...]:
    """Records whose pull request or commit it is, or whose check run stands there."""
    linked = tx.records.by_pull(repo.id, pull.number)
    there = (*tx.records.by_head(repo.id, pull.head_sha), *tx.slots.published_checks(repo.id, pull.head_sha))
    return (*there, *(() if linked is None else (linked,)))


def _said_over(tx: Tx, repo: Repo, pull: PullFacts) -> None:
    """A record that came while ours was on its way looks at what stands there, and writes its own again."""
    for key in _governing(tx, repo, pull):
        tx.slots.distrust(key)


def _run(head: str, wanted: UngovernedCheck, url: str) -> Run:
    shared = {**wanted._asdict(), "status": "completed", "details_url": url, "external_id": f"{UNGOVERNED}{head}"}

    def write(known: int | None) -> CreateCheckRun | UpdateCheckRun:
        if known is not None:
            return UpdateCheckRun.model_validate({"id": known, **shared})
        return CreateCheckRun.model_validate({"name": OWN_CHECK, "head": head, **shared})

    return Run(OWN_CHECK, head, shared, write)
