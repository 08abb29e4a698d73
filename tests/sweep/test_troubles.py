"""Trouble of one installation is its own; webhooks are asked for again within measure; the share of the limit is kept."""

from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from bot.app.sweep.report import SweepReport, report
from bot.domain.model.sweeping import HookAttempt, Installed
from bot.ports.failures import Unreachable
from bot.simulator.app import SimulatedDirectory
from bot.simulator.forge import SimulatedForge
from bot.simulator.world import World
from tests.kit.stage import START, run
from tests.kit.sweeping import INTERVAL, SweepingStage
from tests.simulation.golden import Golden


def reported(stage: SweepingStage) -> SweepReport:
    return run(stage.store.read(report))


class Accounts(SweepingStage):
    """Two accounts on one GitHub: octo with two repositories, acme with one."""

    def __init__(self) -> None:
        first = World(START)
        self.worlds = {first.installation.id: first}
        second = World(START, account="acme", beside=first)
        self.worlds[second.installation.id] = second
        self.repos = {
            name: world.repository(name, members={"ada": "write"})
            for name, world in (("octo/app", first), ("octo/engine", first), ("acme/site", second))
        }
        super().__init__(first)

    @property
    def acme(self) -> World:
        return self.worlds[max(self.worlds)]

    def starts(self) -> None:
        super().starts()
        self.sweep = self.sweeper(_Both(self), _Everywhere(self), self.hook_log())

    def swept(self) -> dict[str, int]:
        """How often the comments of each repository were read."""
        reads = [one.path for world in self.worlds.values() for one in world.requests]
        return {name: sum(path.startswith(f"/repos/{name}/issues/comments") for path in reads) for name in self.repos}


@dataclass
class _Both:
    stage: Accounts

    def _of(self, repo: Any) -> SimulatedForge:
        return SimulatedForge(self.stage.worlds[repo.installation_id], self.stage.pause)

    async def read(self, repo: Any, question: Any) -> Any:
        return await self._of(repo).read(repo, question)

    async def together(self, repo: Any, questions: Any) -> Any:
        return {}

    async def perform(self, repo: Any, write: Any, guard: Any = None) -> Any:
        return await self._of(repo).perform(repo, write, guard)


@dataclass
class _Everywhere:
    stage: Accounts

    async def installations(self) -> tuple[Installed, ...]:
        lists = [await SimulatedDirectory(world).installations() for world in self.stage.worlds.values()]
        return tuple(one for some in lists for one in some)

    async def repositories(self, installation_id: int) -> Any:
        return await SimulatedDirectory(self.stage.worlds[installation_id]).repositories(installation_id)


def first_sweep() -> Accounts:
    stage = Accounts()
    stage.settles()
    stage.later(INTERVAL, stride=60)
    assert stage.swept() == {"octo/app": 1, "octo/engine": 1, "acme/site": 1}
    return stage


def test_i25_an_installation_suspended_in_the_middle_of_a_sweep_stops_only_itself() -> None:
    stage = first_sweep()
    stage.world.clock.advance(INTERVAL)
    assert run(stage.sweep.step()), "the App as a whole"
    assert run(stage.sweep.step()), "octo/app"
    stage.world.drops_webhooks(logged=False)
    stage.world.suspends()
    stage.settles()

    assert stage.swept()["acme/site"] == 2
    octo, acme = reported(stage).installations[1:]
    assert (octo.failures, acme.failures) == (1, 0)
    stage.later(INTERVAL, stride=60)
    assert reported(stage).installations[1].state == "suspended"
    before = stage.swept()
    stage.later(3600, stride=60)
    assert stage.swept()["octo/engine"] == before["octo/engine"]
    assert stage.swept()["acme/site"] == before["acme/site"] + 12

    stage.world.unsuspends()
    stage.later(2 * INTERVAL, stride=60)
    assert reported(stage).installations[1].state == "present"
    assert stage.swept()["octo/engine"] > before["octo/engine"]


def test_i25_an_installation_in_trouble_rests_longer_each_time_and_the_other_is_swept_as_ever() -> None:
    stage = first_sweep()
    stage.world.fails("read", 502, times=None)
    began = stage.acme.clock.monotonic()
    before = stage.swept()
    tried: list[float] = []
    while stage.acme.clock.monotonic() - began < 5 * 3600:
        count = len([one for one in stage.world.requests if one.operation == "issues"])
        stage.later(60, stride=60)
        if len([one for one in stage.world.requests if one.operation == "issues"]) > count:
            tried.append(stage.acme.clock.monotonic() - began)

    pauses = [round(later - earlier) for earlier, later in pairwise(tried)]
    assert pauses == sorted(pauses)
    assert pauses[-1] == 3600
    assert stage.swept()["acme/site"] == before["acme/site"] + 60
    octo = reported(stage).installations[1]
    assert octo.problem is not None
    assert "502" in octo.problem
    assert octo.rests_until is not None

    stage.world.heals()
    stage.later(3660, stride=60)
    assert reported(stage).installations[1].failures == 0


def busy(limit: int) -> SweepingStage:
    """Many open pull requests under way, and a limit that does not reach for reading them all each time."""
    stage = SweepingStage()
    stage.world.rate_limit = limit
    for number in range(8):
        golden = Golden(stage) if number == 0 else None
        if golden is not None:
            first = golden
        issue = first.issue if golden is not None else stage.world.opens_issue("ada", first.repo, f"Issue {number}")
        first.issue = issue
        for act in first.acts[:4]:
            act()
            stage.settles()
    return stage


def asked_by_the_sweep(stage: SweepingStage, seconds: int) -> int:
    """Requests of the sweep alone in this time; what others do because of it is left out."""
    total = 0
    end = stage.world.clock.monotonic() + seconds
    while stage.world.clock.monotonic() < end:
        stage.world.clock.advance(60)
        before = len(stage.world.requests)
        while run(stage.sweep.step()):
            pass
        at_app = {"installations", "installation_repositories", "hook_deliveries"}
        asked = stage.world.requests[before:]
        total += sum(one.status != 304 and one.operation not in at_app for one in asked)
    return total


def test_a_fifth_of_the_limit_is_never_passed_and_everybody_can_see_that_less_is_read() -> None:
    stage = busy(limit=500)
    assert asked_by_the_sweep(stage, 3600) <= 100
    (here,) = reported(stage).installations[1:]
    assert here.share == 100
    assert here.slowed_since is not None
    assert "sweep_slowed" in {event for _, event, _ in stage.log.lines}


def test_with_room_enough_nothing_is_slowed() -> None:
    stage = busy(limit=5000)
    assert asked_by_the_sweep(stage, 1200) > 100
    (here,) = reported(stage).installations[1:]
    assert (here.slowed_since, here.failures) == (None, 0)
    (repository,) = reported(stage).repositories
    assert repository.problem is None
    assert repository.swept_at is not None


@dataclass
class Log:
    """A hook log of given attempts that remembers what was asked for."""

    stage: SweepingStage
    attempts: list[HookAttempt] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    down: bool = False

    async def failed(self, since: Any) -> tuple[HookAttempt, ...]:
        if self.down:
            raise Unreachable("GET /app/hook/deliveries: 503")
        return tuple(one for one in self.attempts if one.at >= since)

    async def redeliver(self, attempt: int) -> None:
        self.asked.append(attempt)

    def adds(self, guid: str, status: int, *, age: timedelta = timedelta(0)) -> int:
        id_ = len(self.attempts) + 1
        self.attempts.append(HookAttempt(id=id_, guid=guid, at=self.stage.world.clock.now() - age, status=status))
        return id_


class LoggedStage(SweepingStage):
    def hook_log(self) -> Log:
        self.hooks: Log = getattr(self, "hooks", None) or Log(self)
        return self.hooks


def test_a_failed_delivery_is_asked_for_three_times_and_never_again() -> None:
    stage = LoggedStage()
    failed = [stage.hooks.adds("g1", 0), stage.hooks.adds("g2", 503)]
    stage.settles()
    for _ in range(6):
        stage.later(INTERVAL, stride=60)
        stage.restarts()
    assert stage.hooks.asked == failed * 3


@pytest.mark.parametrize("status", [400, 401, 409, 413, 415])
def test_what_we_refused_on_purpose_is_not_asked_for(status: int) -> None:
    stage = LoggedStage()
    stage.hooks.adds("g1", status)
    stage.settles()
    stage.later(3 * INTERVAL, stride=60)
    assert stage.hooks.asked == []


def test_what_is_stored_or_too_old_is_not_asked_for_and_of_several_attempts_the_newest_counts() -> None:
    stage = LoggedStage()
    stage.world.repository("octo/app", members={"ada": "write"})
    stage.world.opens_issue("ada", "octo/app", "Retry uploads")
    stored = stage.world.hooks.log[-1].guid
    stage.settles()
    stage.hooks.adds(stored, 0)
    stage.hooks.adds("old", 0, age=timedelta(days=3))
    stage.hooks.adds("twice", 0, age=timedelta(minutes=9))
    newest = stage.hooks.adds("twice", 500, age=timedelta(minutes=1))
    stage.later(INTERVAL, stride=60)
    assert stage.hooks.asked == [newest]


def test_when_the_hook_log_is_down_repositories_are_swept_all_the_same() -> None:
    stage = LoggedStage()
    stage.hooks.down = True
    stage.world.repository("octo/app")
    stage.settles()
    stage.later(INTERVAL, stride=60)
    assert "repository_comments" in stage.asked()
    assert reported(stage).installations[0].problem == "Unreachable: GET /app/hook/deliveries: 503"


def test_a_repository_that_the_app_lost_is_frozen_and_comes_back() -> None:
    stage = SweepingStage()
    golden = Golden(stage)
    golden.acts[0]()
    golden.rest()
    stage.later(INTERVAL, stride=60)
    stage.world.drops_webhooks(logged=False)
    stage.world.removes_repository(golden.repo)
    stage.later(2 * INTERVAL, stride=60)
    assert stage.record("octo/app", 1).frozen == "suspended"
    stage.world.installation.repositories.add(golden.repo.id)
    stage.later(2 * INTERVAL, stride=60)
    assert stage.record("octo/app", 1).frozen is None


def test_a_quiet_repository_costs_nothing_but_the_questions_of_the_app() -> None:
    stage = SweepingStage()
    stage.world.repository("octo/app")
    stage.settles()
    stage.later(3 * INTERVAL, stride=60)
    before = len(stage.world.requests)
    stage.later(3600, stride=60)
    paid = {one.operation for one in stage.world.requests[before:] if one.status != 304}
    assert paid == {"installations", "installation_repositories", "hook_deliveries"}
