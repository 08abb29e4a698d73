"""How the sweep stands, for doctor and whoever else reads: what it cannot do, and since when."""

from dataclasses import dataclass
from datetime import datetime

from bot.app.sweep.meter import SHARE
from bot.app.sweep.sweeper import APP
from bot.ports.store import Tx


@dataclass(frozen=True, slots=True)
class InstallationReport:
    """`id` 0 is the App itself. `spent` of `share` requests in the hour that began at `hour_began`; `slowed_since`: less is
    read than there is. `rests_until`: nothing is asked before, because of `problem`."""

    id: int
    state: str
    spent: int
    share: int
    hour_began: datetime | None
    slowed_since: datetime | None
    failures: int
    problem: str | None
    rests_until: datetime | None


@dataclass(frozen=True, slots=True)
class RepositoryReport:
    """`swept_at` None = never; `problem` is why the last sweep is incomplete."""

    full_name: str
    swept_at: datetime | None
    full_at: datetime | None
    problem: str | None


@dataclass(frozen=True, slots=True)
class SweepReport:
    installations: tuple[InstallationReport, ...]
    repositories: tuple[RepositoryReport, ...]


def report(tx: Tx) -> SweepReport:
    known = {APP: "present", **tx.repositories.installations()}
    repos = [repo for number in known if number != APP for repo in tx.repositories.of_installation(number)]
    states = [(repo, tx.sweeps.state(repo.id)) for repo in repos]
    return SweepReport(
        tuple(_installation(tx, number, state) for number, state in known.items()),
        tuple(RepositoryReport(repo.full_name, one.swept_at, one.full_at, one.problem) for repo, one in states),
    )


def _installation(tx: Tx, number: int, state: str) -> InstallationReport:
    allowance, until = tx.sweeps.allowance(number), tx.sweeps.rests_until(number)
    resting = until is not None and until > tx.now() and allowance.failures > 0
    return InstallationReport(
        id=number,
        state=state,
        spent=allowance.spent,
        share=allowance.limit // SHARE,
        hour_began=allowance.hour_began,
        slowed_since=allowance.slowed_since,
        failures=allowance.failures,
        problem=allowance.problem,
        rests_until=until if resting else None,
    )
