"""The sweep, a unit at a time: when it looks, at what, and that nobody sweeps twice."""

from typing import Any

from bot.app.sweep.sweeper import LEASE
from bot.ports.rows import NewRow
from bot.ports.store import Tx
from bot.simulator.app import SimulatedDirectory
from tests.kit.cases import actor
from tests.kit.records import authorised, in_testing, merged, planned
from tests.kit.stage import run
from tests.kit.sweeping import INTERVAL, SweepingStage


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
