"""A pull request is judged for one issue only (LIFECYCLE.md 2.3, 3.1), whatever races."""

from bot.app.gather import Gatherer
from bot.app.outside import Outside
from bot.app.transact import Transactor
from bot.domain.model.command_signals import Link
from bot.domain.model.ids import Actor, RecordKey
from bot.domain.model.signal_origin import Source
from bot.simulator.forge import SimulatedForge
from tests.kit.stage import NoNudge, Stage, run
from tests.simulation.golden import Golden


def test_two_links_at_once_bind_it_once() -> None:
    """Sweep and inbox are two lanes: each links the pull request to another record, between the other's read and write."""
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
    ada = world.user("ada")
    repo = stage.record("octo/app", golden.issue.number).repo
    once: list[int] = []

    def link(issue: int) -> Link:
        source = Source(comment_id=issue, thread="pull", number=pull.number, created_at=world.clock.stamp())
        return Link(key=f"x{issue}", actor=Actor(kind="person", id=ada.id, login="ada"), source=source, issue=issue)

    async def other(where: str) -> None:
        if where == "after pull" and not once:
            once.append(1)
            await transactor.apply(repo, RecordKey(repo.id, second.number), link(second.number))

    forge = SimulatedForge(world, other)
    outside = Outside(stage.store, forge, world.clock, stage.log, NoNudge(), stage.timing, "racer")
    transactor = Transactor(outside, Gatherer(outside), stage.work.rules)
    run(transactor.apply(repo, RecordKey(repo.id, golden.issue.number), link(golden.issue.number)))

    linked = [n for n in (golden.issue.number, second.number) if stage.record("octo/app", n).pull_request is not None]
    assert len(linked) == 1, f"records {linked} are both linked to #{pull.number}"
