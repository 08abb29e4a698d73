"""A pull request is judged for one issue only (LIFECYCLE.md 2.3, 3.1), whatever races."""

from dataclasses import dataclass

from bot.app.gather import Gatherer
from bot.app.outside import Outside
from bot.app.transact import Outcome, Transactor
from bot.domain.model.command_signals import Link
from bot.domain.model.ids import Actor, RecordKey
from bot.domain.model.sightings import IssueReopened
from bot.domain.model.signal_origin import Source
from bot.domain.model.signals import Signal
from bot.simulator.forge import SimulatedForge
from bot.simulator.model.threads import Pull, Thread
from tests.kit.stage import NoNudge, Stage, run
from tests.simulation.golden import Golden


@dataclass
class Two:
    """Two planned issues, and a pull request that names none of them."""

    stage: Stage
    first: Thread
    second: Thread
    pull: Pull

    def link(self, issue: Thread) -> Link:
        number, ada = issue.number, self.ada
        source = Source(
            comment_id=number, thread="pull", number=self.pull.number, created_at=self.stage.world.clock.stamp()
        )
        return Link(key=f"x{number}", actor=ada, source=source, issue=number)

    @property
    def ada(self) -> Actor:
        return Actor(kind="person", id=self.stage.world.user("ada").id, login="ada")

    def linked(self) -> list[int]:
        numbers = (self.first.number, self.second.number)
        return [n for n in numbers if self.stage.record("octo/app", n).pull_request == self.pull.number]

    def race(self, signal: Signal, other: Signal) -> Outcome:
        """Sweep and inbox are two lanes: the one's signal is applied between the other's read and write."""
        repo, once = self.stage.record("octo/app", self.first.number).repo, [other]

        async def meanwhile(where: str) -> None:
            if where == "after pull" and once:
                second = once.pop()
                await transactor.apply(repo, RecordKey(repo.id, getattr(second, "issue")), second)  # noqa: B009

        forge = SimulatedForge(self.stage.world, meanwhile)
        stage = self.stage
        outside = Outside(stage.store, forge, stage.world.clock, stage.log, NoNudge(), stage.timing, "racer")
        transactor = Transactor(outside, Gatherer(outside), stage.work.rules)
        return run(transactor.apply(repo, RecordKey(repo.id, getattr(signal, "issue")), signal))  # noqa: B009


def two() -> Two:
    stage = Stage()
    golden = Golden(stage)
    world = stage.world
    second = world.opens_issue("ada", golden.repo, "Second")
    for issue in (golden.issue, second):
        world.labels("ada", issue, "signalbox")
        stage.settles()
        golden.says("ada", issue, "/plan\nDo it.")
        stage.settles()
    world.branches("ada", golden.repo, "work")
    world.pushes("ada", golden.repo, "work")
    pull = world.opens_pull("ada", golden.repo, "Work", head="work", body="")
    stage.settles()
    return Two(stage, golden.issue, second, pull)


def test_two_links_at_once_bind_it_once() -> None:
    town = two()
    town.race(town.link(town.first), town.link(town.second))
    assert len(town.linked()) == 1, f"records {town.linked()} are both linked to #{town.pull.number}"


def withdrawn() -> Two:
    """The first issue has the pull request, and is closed."""
    town = two()
    world = town.stage.world
    world.comments("ada", town.pull, f"/link #{town.first.number}")
    town.stage.settles()
    world.clock.advance(3)
    world.closes("ada", town.first)
    town.stage.settles()
    world.clock.advance(3)
    assert town.linked() == [town.first.number]
    return town


def test_a_pull_request_is_not_taken_from_what_is_started_again_meanwhile() -> None:
    town = withdrawn()
    link, now = town.link(town.second), town.stage.world.clock.stamp()
    town.stage.world.reopens("ada", town.first)
    again = IssueReopened(key="again", actor=town.ada, at=now, issue=town.first.number)
    outcome = town.race(link, again)
    assert (outcome.kind, town.linked()) == ("refused", [town.first.number])


def test_two_who_take_it_over_at_once_bind_it_once() -> None:
    town = withdrawn()
    third = town.stage.world.opens_issue("ada", "octo/app", "Third")
    town.stage.world.labels("ada", third, "signalbox")
    town.stage.settles()
    town.race(town.link(town.second), town.link(third))
    assert town.linked() == []
    assert town.stage.record("octo/app", third.number).pull_request == town.pull.number
