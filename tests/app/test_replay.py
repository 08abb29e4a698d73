"""A delivery once more: what it did already is not done twice, and nobody takes it from whoever works on it."""

from datetime import timedelta
from typing import Any

from bot.app.replay import Replays
from bot.ports.store import Tx
from tests.kit.stage import NoNudge, Stage, run
from tests.simulation.golden import Golden


def replays(stage: Stage) -> Replays:
    return Replays(stage.store, NoNudge(), stage.log, serving=True)


def guids(stage: Stage) -> list[str]:
    rows = run(stage.store.read(lambda tx: tx.deliveries.list(None, 1000, None)))
    return [row.guid for row in rows]


def state(stage: Stage, guid: str) -> str:
    found = run(stage.store.read(lambda tx: tx.deliveries.get(guid)))
    assert found is not None
    return found[1].state


def test_everything_replayed_leaves_records_and_threads_as_they_are() -> None:
    golden = Golden(Stage())
    stage = golden.stage
    for act in golden.acts:
        act()
        golden.rest()
    before, every = (stage.loaded("octo/app", golden.issue.number), golden.outcome()), guids(stage)

    answers = [run(replays(stage).replay({"guid": guid}, "bastion:sam")) for guid in every]
    golden.rest()

    assert [answer["result"]["delivery"]["guid"] for answer in answers] == every
    assert (stage.loaded("octo/app", golden.issue.number), golden.outcome()) == before
    assert stage.record("octo/app", golden.issue.number).phase == "done"
    assert {state(stage, guid) for guid in every} <= {"applied", "no_op", "ignored"}


def test_a_delivery_stays_with_whoever_works_on_it() -> None:
    golden = Golden(Stage())
    golden.stage.world.labels("ada", golden.issue, "signalbox")
    golden.stage.delivers()

    def claims(tx: Tx) -> Any:
        return tx.deliveries.claim("a worker", tx.now() + timedelta(minutes=1))

    taken = run(golden.stage.store.run(claims))
    answer = run(replays(golden.stage).replay({"guid": taken.guid}, "bastion:sam"))

    assert answer["error"]["code"] == "already_recorded"
    assert state(golden.stage, taken.guid) == "working"
