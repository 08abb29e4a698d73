"""The policy lane: looks that are due, records that are still to be told, and what is still to be said of a file."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.app.aside import Unit, set_aside
from bot.app.outside import Outside
from bot.app.policy.book import Policies
from bot.app.policy.news import News
from bot.app.policy.reports import Reports
from bot.ports.failures import ForgeFailure
from bot.ports.store import Tx

#: How long what met a bug of ours is left alone.
SET_ASIDE = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class _Task:
    """`rest(tx, until)` keeps it from coming again before then."""

    what: str
    act: Callable[[], Awaitable[None]]
    rest: Callable[[Tx, datetime], None]


class PolicyLane:
    def __init__(self, outside: Outside, policies: Policies, news: News, reports: Reports) -> None:
        self._outside = outside
        self._store = outside.store
        self._policies = policies
        self._news = news
        self._reports = reports

    async def step(self) -> bool:
        """One unit; False when nothing is due. What is in force comes before what is said of it."""
        task = await self._store.read(self._next)
        if task is None:
            return False
        try:
            with suppress(ForgeFailure):  # it is due again later
                await task.act()
        except Exception as error:  # noqa: BLE001 - our own bug with one file must not stop the others; it comes again
            unit = Unit("policies", task.what, "policy_failed", SET_ASIDE, {"what": task.what})
            await set_aside(self._outside, unit, error, task.rest)
        return True

    def _next(self, tx: Tx) -> _Task | None:
        return self._a_look(tx) or self._news_of(tx) or self._a_report(tx)

    def _a_look(self, tx: Tx) -> _Task | None:
        repo = tx.policies.due()
        if repo is None:
            return None

        def rest(tx: Tx, until: datetime) -> None:
            tx.policies.set_watch(repo.id, tx.policies.watch(repo.id), until)

        return _Task(repo.full_name, lambda: self._policies.look(repo), rest)

    def _news_of(self, tx: Tx) -> _Task | None:
        version = tx.policies.untold()
        if version is None:
            return None
        repo = tx.repositories.get(version.repository_id)
        name = repo.full_name if repo is not None else str(version.repository_id)
        return _Task(name, lambda: self._news.tell(version), lambda tx, until: tx.policies.rest(version.number, until))

    def _a_report(self, tx: Tx) -> _Task | None:
        found = tx.policies.next_report()
        if found is None:
            return None
        repo, report = found
        return _Task(
            repo.full_name,
            lambda: self._reports.publish(repo, report),
            lambda tx, until: tx.policies.put_report(repo.id, report, until),
        )
