"""RETENTION_DAYS: raw deliveries end, what they led to does not."""

from collections import Counter

from bot.app.outside import Outside
from bot.app.retention import BATCH, Retention
from bot.domain.model.delivery import Delivery
from bot.domain.model.ids import RecordKey
from bot.ports.store import Tx
from bot.simulator.forge import SimulatedForge
from bot.store.chain import verify
from tests.kit.stage import NoNudge, Stage, run
from tests.simulation.golden import Golden

DAY = 86400.0


def merged() -> tuple[Stage, Golden]:
    stage = Stage()
    golden = Golden(stage)
    for act in golden.acts:
        act()
        golden.rest()
    assert stage.record("octo/app", golden.issue.number).phase == "done"
    return stage, golden


def retention(stage: Stage, days: float = 30) -> Retention:
    forge = SimulatedForge(stage.world, stage.pause)
    return Retention(Outside(stage.store, forge, stage.world.clock, stage.log, NoNudge()), days)


def rows(stage: Stage) -> Counter[str]:
    found = run(stage.store.read(lambda tx: tx.deliveries.list(None, 10_000, None)))
    return Counter(row.state for row in found)


def prunes(lane: Retention) -> int:
    steps = 0
    while run(lane.step()):
        steps += 1
    return steps


def add(stage: Stage, *guids: str) -> None:
    now = stage.world.clock.now()

    def store(tx: Tx) -> None:
        for guid in guids:
            tx.deliveries.add(Delivery(guid=guid, event="issues", body=b"{}", received_at=now))
            tx.deliveries.finish(guid, "applied", None)

    run(stage.store.run(store))


def test_after_thirty_days_the_deliveries_are_gone_and_the_history_still_proves_itself() -> None:
    stage, golden = merged()
    repository = next(iter(stage.world.repositories.values()))
    key = RecordKey(repository.id, golden.issue.number)
    assert rows(stage).total() > 0
    before = run(stage.store.read(lambda tx: tx.records.history(key)))
    lane = retention(stage)

    assert prunes(lane) == 0
    stage.world.clock.advance(30 * DAY + 1)
    prunes(lane)

    assert rows(stage).total() == 0
    assert run(stage.store.read(lambda tx: tx.records.history(key))) == before
    assert verify(before, stage.record("octo/app", key.issue).model_dump(mode="json")) == []
    assert [event for _, event, _ in stage.log.lines if event == "deliveries_pruned"] == ["deliveries_pruned"]


def test_a_delivery_that_is_repeated_after_it_was_deleted_changes_nothing() -> None:
    stage, golden = merged()
    name, issue = "octo/app", golden.issue.number
    version = stage.loaded(name, issue).record.version
    stage.world.clock.advance(30 * DAY + 1)
    prunes(retention(stage))

    stage.unacknowledged += list(stage.world.hooks.log)
    stage.settles()

    assert stage.loaded(name, issue).record.version == version


def test_many_are_deleted_a_few_at_a_time_and_then_there_is_peace_for_an_hour() -> None:
    stage = Stage()
    add(stage, *(f"d{number}" for number in range(2 * BATCH + 1)))
    stage.world.clock.advance(DAY + 1)
    lane = retention(stage, days=1)

    assert prunes(lane) == 3
    add(stage, "late")
    stage.world.clock.advance(1800)
    assert not run(lane.step())

    stage.world.clock.advance(DAY)
    assert prunes(lane) == 1
    assert rows(stage).total() == 0


def test_fractions_of_days_count() -> None:
    stage = Stage()
    add(stage, "a")
    stage.world.clock.advance(0.5 * DAY + 1)

    assert prunes(retention(stage, days=0.5)) == 1
