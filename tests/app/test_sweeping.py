"""The sweep: every open record is looked at now and then, by one process, also when no webhook ever comes."""

from typing import Any

from bot.app.outside import Outside
from bot.app.sweep import Sweep
from bot.ports.store import NewRow, Tx
from bot.simulator.forge import SimulatedForge
from tests.kit.cases import actor
from tests.kit.records import authorised, in_testing, merged, planned
from tests.kit.stage import NoNudge, Stage, run
from tests.simulation.golden import Golden

INTERVAL = 300.0


def keep(stage: Stage, *records: Any) -> None:
    def save(tx: Tx) -> None:
        for number, record in enumerate(records, start=1):
            first = record.model_copy(update={"version": 1, "issue": number})
            fields: dict[str, Any] = {"from_": None, "signal": "started", "detail": None, "delivery": None}
            tx.records.replace(first.key, 0, [NewRow(record=first, actor=actor("ada"), at=tx.now(), **fields)])

    run(stage.store.run(save))


def due(stage: Stage) -> list[int]:
    return [key.issue for key in run(stage.store.read(lambda tx: tx.records.due(tx.now(), 1000)))]


def sweep(stage: Stage, owner: str = "one") -> Sweep:
    forge = SimulatedForge(stage.world)
    outside = Outside(stage.store, forge, stage.world.clock, stage.log, NoNudge(), stage.timing, owner)
    return Sweep(outside, INTERVAL)


def test_open_records_with_a_pull_request_are_woken_and_no_others() -> None:
    stage = Stage()
    keep(
        stage,
        in_testing(),
        authorised(),
        planned(),
        merged(),
        in_testing(withdrawn=True),
        in_testing(frozen="suspended"),
    )
    one = sweep(stage)
    assert not run(one.step()), "a start is no reason to look at everything"
    assert due(stage) == []
    stage.world.clock.advance(INTERVAL)
    assert run(one.step())
    assert due(stage) == [1, 2]


def test_between_two_sweeps_nothing_is_woken() -> None:
    stage = Stage()
    keep(stage, in_testing())
    one = sweep(stage)
    run(one.step())
    stage.world.clock.advance(INTERVAL - 1)
    assert not run(one.step())
    assert due(stage) == []


def test_two_processes_sweep_once() -> None:
    stage = Stage()
    keep(stage, in_testing())
    one, two = sweep(stage), sweep(stage, "two")
    for each in (one, two):
        run(each.step())
    stage.world.clock.advance(INTERVAL)
    assert [run(one.step()), run(two.step())] == [True, False]


def test_many_records_are_all_reached() -> None:
    stage = Stage()
    keep(stage, *[in_testing() for _ in range(120)])
    one = sweep(stage)
    run(one.step())
    stage.world.clock.advance(INTERVAL)
    run(one.step())
    assert len(due(stage)) == 120


def test_a_push_whose_webhook_never_came_is_found() -> None:
    stage = Stage()
    golden = Golden(stage)
    for act in golden.acts[:5]:
        act()
        golden.rest()
    assert stage.record("octo/app", 1).phase == "testing"
    one = sweep(stage)
    run(one.step())
    stage.world.drops_webhooks(logged=False)
    head = stage.world.pushes("ada", golden.pull)
    stage.later(INTERVAL)
    run(one.step())
    stage.settles()
    assert stage.record("octo/app", 1).head == head
