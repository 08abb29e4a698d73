"""The sweep, a unit at a time: when it looks, at what, and that nobody sweeps twice."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from bot.app.sweep.claim import LEASE
from bot.ports.rows import NewRow
from bot.ports.store import Tx
from bot.simulator.app import SimulatedDirectory
from bot.simulator.forge import SimulatedForge
from tests.kit.cases import actor
from tests.kit.records import authorised, in_testing, merged, planned
from tests.kit.stage import run
from tests.kit.sweeping import INTERVAL, SweepingStage


class HeldUp(SweepingStage):
    """Something happens before GitHub answers the one that sweeps first; `beside` is another process."""

    meanwhile: Callable[[], None] | None = None

    async def pause(self, where: str) -> None:
        if self.meanwhile is not None and where.startswith("before"):
            self.meanwhile()

    def is_due(self) -> None:
        """The repository; the App as a whole was looked at."""
        self.world.repository("octo/app")
        all_steps(self)
        self.world.clock.advance(INTERVAL)
        assert run(self.sweep.step())
        self.beside = self.sweeper(SimulatedForge(self.world), SimulatedDirectory(self.world), self.hook_log(), "two")


def keep(stage: SweepingStage, *records: Any) -> None:
    """Records of the stage's repository, whatever became of their pull requests."""
    repo = stage.world.repository("octo/app", members={"ada": "write"})

    def save(tx: Tx) -> None:
        for number, record in enumerate(records, start=1):
            of_repo = {"repository_id": repo.id, "installation_id": stage.world.installation.id}
            first = record.model_copy(update={"version": 1, "issue": number, **of_repo})
            fields: dict[str, Any] = {"from_": None, "signal": "started", "detail": None, "delivery": None}
            tx.records.replace(first.key, 0, [NewRow(record=first, actor=actor("ada"), at=tx.now(), **fields)])

    run(stage.store.run(save))


def looked_at(stage: SweepingStage) -> list[int]:
    def find(tx: Tx) -> list[int]:
        keys = [key for repo in stage.world.repositories for key in tx.records.of_repository(repo, open_only=False)]
        return [key.issue for key in keys if tx.sweeps.look(key).read_at is not None]

    return run(stage.store.read(find))


def all_steps(stage: SweepingStage) -> int:
    steps = 0
    while run(stage.sweep.step()):
        steps += 1
    return steps


def test_a_first_start_is_no_reason_to_look_and_the_interval_is() -> None:
    stage = SweepingStage()
    stage.world.repository("octo/app")
    assert all_steps(stage) == 0
    stage.world.clock.advance(INTERVAL - 1)
    assert all_steps(stage) == 0
    assert stage.world.requests == []
    stage.world.clock.advance(1)
    assert all_steps(stage) == 2
    stage.world.clock.advance(INTERVAL - 1)
    assert all_steps(stage) == 0


def test_open_records_are_looked_at_and_no_others() -> None:
    stage = SweepingStage()
    keep(
        stage,
        in_testing(),
        authorised(),
        planned(),
        merged(),
        in_testing(withdrawn=True),
        in_testing(frozen="suspended"),
    )
    for number in range(4):
        stage.world.opens_issue("ada", "octo/app", f"Issue {number}", labels=["signalbox"])
    all_steps(stage)
    stage.world.clock.advance(INTERVAL)
    all_steps(stage)
    assert set(looked_at(stage)) >= {1, 2, 3}
    assert not set(looked_at(stage)) & {4, 5}


def test_a_process_that_died_while_sweeping_is_followed_by_another() -> None:
    stage = SweepingStage()
    stage.world.repository("octo/app")
    all_steps(stage)
    stage.world.clock.advance(INTERVAL)
    assert run(stage.sweep.step()), "the App as a whole"
    claimed = run(stage.store.run(lambda tx: tx.sweeps.claim(tx.now() + LEASE)))
    assert claimed is not None
    other = stage.sweeper(stage.forge(), SimulatedDirectory(stage.world), stage.hook_log(), "two")

    assert not run(other.step())
    stage.world.clock.advance(LEASE.total_seconds())
    before = len(stage.world.requests)
    while run(other.step()):
        pass
    assert "repository_comments" in stage.asked(before)


def test_two_processes_sweep_a_repository_once() -> None:
    stage = SweepingStage()
    stage.world.repository("octo/app")
    other = stage.sweeper(stage.forge(), SimulatedDirectory(stage.world), stage.hook_log(), "two")
    for each in (stage.sweep, other):
        run(each.step())
    stage.world.clock.advance(INTERVAL)
    done = [run(each.step()) for _ in range(3) for each in (stage.sweep, other)]
    assert done.count(True) == 2
    assert stage.asked().count("repository_comments") == 1


def test_a_sweep_that_takes_longer_than_its_claim_keeps_it_while_github_answers() -> None:
    stage = HeldUp()
    stage.is_due()
    swept: list[bool] = []

    def slowly() -> None:
        stage.world.clock.advance(LEASE.total_seconds() * 0.7)
        stage.meanwhile, mine = None, stage.meanwhile
        before = len(stage.world.requests)
        while run(stage.beside.step()):
            pass
        swept.append("repository_comments" in stage.asked(before))
        stage.meanwhile = mine

    stage.meanwhile = slowly
    assert run(stage.sweep.step())

    assert len(swept) > 2
    assert not any(swept)


def test_a_process_that_is_stopped_while_it_sweeps_gives_the_repository_to_another_at_once() -> None:
    stage = HeldUp()
    stage.is_due()

    def is_cut() -> None:
        raise asyncio.CancelledError

    stage.meanwhile = is_cut
    with pytest.raises(asyncio.CancelledError):
        run(stage.sweep.step())
    assert not run(stage.beside.step())

    run(stage.sweep.ends())

    assert run(stage.beside.step())
    assert "repository_comments" in stage.asked()
