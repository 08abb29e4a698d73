"""The sweep, a unit at a time: the App as a whole, then one repository after the other, the longest due first.

What is stored decides who sweeps what: any process may take over at any time, and a repository is swept by one.
"""

from contextlib import suppress
from datetime import datetime, timedelta
from itertools import count

from bot.app.aside import Unit, set_aside
from bot.app.sweep.claim import LEASE, Claim, claim
from bot.app.sweep.comments import FULL
from bot.app.sweep.holding import Holding
from bot.app.sweep.issues import look_at_issues
from bot.app.sweep.meter import HOUR, MeteredForge, Purse, opened
from bot.app.sweep.over import settle
from bot.app.sweep.policy import look_at_policy
from bot.app.sweep.presence import Presence
from bot.app.sweep.pulls import look_at_pulls
from bot.app.sweep.records import look_at_records
from bot.app.sweep.redelivery import Redelivery
from bot.app.sweep.rest import after_failure, after_success
from bot.app.sweep.tour import OVERLAP, Hands, Tour
from bot.app.sweep.words import look_at_words, threads_of
from bot.domain.model.ids import Repo
from bot.domain.model.text import moment
from bot.ports.failures import ForgeFailure, Gone, RateLimited
from bot.ports.store import CommitUnknown, StoreUnavailable, Tx
from bot.ports.sweeps import Allowance, SweepState

#: What could not be decided is looked for again this soon.
SOON = timedelta(minutes=1)
#: The App itself, among the installations.
APP = 0
#: How long a repository, or what is asked of the App, is left alone after a bug of ours.
SET_ASIDE = timedelta(minutes=10)
NAME = "sweep:app"


class Sweep:
    """`interval` is the time between two sweeps of the same repository, in seconds."""

    def __init__(
        self, hands: Hands, meter: MeteredForge, presence: Presence, redelivery: Redelivery, interval: float
    ) -> None:
        self._hands = hands
        self._outside = hands.outside
        self._store = hands.outside.store
        self._meter = meter
        self._presence = presence
        self._redelivery = redelivery
        self._interval = timedelta(seconds=interval)
        self._calls = count(1)
        self._claims: dict[int, Claim] = {}
        self._app_owners: set[str] = set()

    async def step(self) -> bool:
        """Sweep the App or one repository; False when nothing is due."""
        if await self._app():
            return True
        if not await self._store.read(lambda tx: tx.sweeps.is_due()):
            return False
        claimed = await claim(self._outside)
        if claimed is None:
            return False
        mine, state = claimed
        self._claims[mine.repo.id] = mine
        try:
            await self._repository(mine, state)
        except Exception as error:  # noqa: BLE001 - our own bug with one repository must not stop the others
            await self._broken(mine.repo, state, error)
        del self._claims[mine.repo.id]
        self._outside.nudge()
        return True

    async def ends(self) -> None:
        """What was under way when the lanes were cut is due, for another process or the next one."""

        def give_back(tx: Tx) -> None:
            for mine in self._claims.values():
                mine.give_back(tx)
            for owner in self._app_owners:
                tx.leases.drop(NAME, owner)

        with suppress(StoreUnavailable, CommitUnknown):
            await self._store.run(give_back)
            self._outside.nudge()

    async def _app(self) -> bool:
        """Where the App is installed, and which webhooks failed. The one does not wait for the other. A first start is no
        reason to look: there is nothing yet that a webhook could have been lost of."""
        if not await self._store.read(_app_is_due):
            return False
        if await self._store.read(lambda tx: tx.sweeps.rests_until(APP)) is None:
            await self._store.run(lambda tx: tx.sweeps.set_allowance(APP, Allowance(), tx.now() + self._interval))
            return False
        owner = f"{self._outside.owner}/{next(self._calls)}"
        if not await self._store.run(lambda tx: _app_is_due(tx) and tx.leases.take(NAME, owner, tx.now() + LEASE)):
            return False
        self._app_owners.add(owner)
        failure: ForgeFailure | None = None
        why: list[str] = []
        for part in (self._presence.look, self._redelivery.ask):
            try:
                await part()
            except ForgeFailure as trouble:
                failure = trouble
                why.append(trouble.for_operator())
            except Exception as error:  # noqa: BLE001 - our own bug here must not stop the repositories
                await set_aside(self._outside, Unit("sweep", "app", "sweep_broken", SET_ASIDE, {}), error)
        if why:
            self._outside.log("warning", "app_unread", why="; ".join(why))

        def done(tx: Tx) -> None:
            before = tx.sweeps.allowance(APP)
            if failure is None:
                tx.sweeps.set_allowance(APP, after_success(before), tx.now() + self._interval)
            else:
                tx.sweeps.set_allowance(APP, *after_failure(before, failure, tx.now()))
            tx.leases.drop(NAME, owner)

        await self._store.run(done)
        self._app_owners.discard(owner)
        self._outside.nudge()
        return True

    async def _broken(self, repo: Repo, state: SweepState, error: Exception) -> None:
        """It is where it was before, says why, and comes again later."""
        problem = f"a fault of this program: {type(error).__name__}"
        after = state.model_copy(update={"problem": problem})
        unit = Unit("sweep", repo.full_name, "sweep_broken", SET_ASIDE, {"repository": repo.full_name})
        await set_aside(self._outside, unit, error, lambda tx, until: tx.sweeps.done(repo.id, after, until))

    async def _repository(self, mine: Claim, state: SweepState) -> None:
        repo = mine.repo
        allowance, now = await self._store.read(
            lambda tx: (opened(tx.sweeps.allowance(repo.installation_id), tx.now()), tx.now())
        )
        self._meter.begin(repo.installation_id, mine.beat)
        purse = Purse(self._meter, repo.installation_id, allowance)
        full = state.full_at is None or now - state.full_at >= FULL
        holding = Holding(self._store, repo.id, f"{self._outside.owner}/{next(self._calls)}")
        tour = Tour(repo=repo, hands=self._hands, before=state, purse=purse, now=now, full=full, holding=holding)
        if purse.left <= 0:
            await self._used_up(tour, allowance)
            return
        try:
            after = await _sweep(tour)
        except ForgeFailure as failure:
            await self._failed(tour, failure)
            return
        await self._done(tour, after)

    async def _done(self, tour: Tour, after: SweepState) -> None:
        repo, troubled = tour.repo, tour.troubles > 0
        wait = min(SOON, self._interval) if tour.behind or tour.troubles > tour.faults else self._interval
        if tour.slowed:
            self._outside.log("warning", "sweep_slowed", repository=repo.full_name, installation=repo.installation_id)
        if troubled:
            self._outside.log("warning", "sweep_incomplete", repository=repo.full_name, why=tour.problem)

        until = tour.now - OVERLAP if tour.found_everything else tour.before.found_until
        state = after.model_copy(update={"found_until": until})

        def store(tx: Tx) -> None:
            tx.sweeps.done(repo.id, state, tx.now() + wait)
            spent = after_success(tour.purse.closed(tour.now, slowed=tour.slowed))
            tx.sweeps.set_allowance(repo.installation_id, spent, None)
            if tour.found_everything:
                how = f"the sweep of {moment(tour.now)} looked for what it told"
                settle(tx, self._hands.translate, repo.id, tour.now - OVERLAP, how)

        await self._store.run(store)

    async def _failed(self, tour: Tour, failure: ForgeFailure) -> None:
        """The repository's own absence is no trouble of its installation."""
        repo = tour.repo
        self._outside.log("warning", "sweep_failed", repository=repo.full_name, why=failure.for_operator())
        state = tour.before.model_copy(update={"problem": failure.for_operator()})

        def store(tx: Tx) -> None:
            spent = tour.purse.closed(tour.now, slowed=tour.slowed)
            if isinstance(failure, Gone):
                tx.sweeps.set_allowance(repo.installation_id, after_success(spent), None)
            else:
                tx.sweeps.set_allowance(repo.installation_id, *after_failure(spent, failure, tx.now()))
            tx.sweeps.done(repo.id, state, tx.now() + (self._interval if isinstance(failure, Gone) else timedelta(0)))
            if isinstance(failure, RateLimited):
                tx.set_not_before(repo.installation_id, failure.until)

        await self._store.run(store)

    async def _used_up(self, tour: Tour, allowance: Allowance) -> None:
        """The share of this hour is spent: this repository waits for the next, and everybody can see why."""
        repo, began = tour.repo, allowance.hour_began or tour.now
        self._outside.log("warning", "sweep_slowed", repository=repo.full_name, installation=repo.installation_id)
        slowed = tour.purse.closed(tour.now, slowed=True)

        def store(tx: Tx) -> None:
            tx.sweeps.set_allowance(repo.installation_id, slowed, None)
            tx.sweeps.done(repo.id, tour.before, began + HOUR)

        await self._store.run(store)


async def _sweep(tour: Tour) -> SweepState:
    """In this order: by the newest rules, a start makes threads hearable, a link makes pull requests so."""
    await tour.holding.begins()
    await look_at_policy(tour)
    await tour.look_up()
    issues_since = await look_at_issues(tour)
    pulls_since = await look_at_pulls(tour)
    comments_since = await look_at_words(tour)
    await tour.holding.looked_again(tour.unread | _passed_over(tour))
    await look_at_records(tour)
    complete = tour.full and not tour.troubles and not tour.behind
    if tour.owes_lines:
        pulls_since = tour.before.pulls_since
        tour.etags.pop("pulls", None)
    return SweepState(
        issues_since=issues_since,
        comments_since=comments_since,
        pulls_since=pulls_since,
        full_at=tour.now if complete else tour.before.full_at,
        swept_at=tour.now,
        missing=tuple(sorted(tour.missing)),
        unsaid=tuple(sorted(tour.unsaid)),
        behind=tour.behind,
        etags=tour.etags,
        problem=tour.problem,
    )


def _passed_over(tour: Tour) -> set[int]:
    """Threads of records of which not everything is read while they are frozen."""
    return {each for one in tour.open.values() if one.record.frozen is not None for each in threads_of(one.record)}


def _app_is_due(tx: Tx) -> bool:
    until: datetime | None = tx.sweeps.rests_until(APP)
    return until is None or until <= tx.now()
