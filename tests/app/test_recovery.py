"""Recovery on demand: what a killed process has left is listed, put in order, and nothing is decided by it (I13)."""

from datetime import timedelta
from typing import Any

import pytest

from bot.app.recovery import Hands, Recovery
from bot.app.timing import COLLECTING
from bot.domain.model.record import Record
from tests.kit.stage import NoNudge, Stage, run
from tests.races.test_restart import StoppingStage
from tests.simulation.golden import Golden

#: Steps in the middle of which a process was killed: kept, so that no clean-up of theirs ever runs.
LEFT: list[Any] = []


def recovery(stage: Stage, *, serving: bool = False) -> Recovery:
    hands = Hands(stage.work.expiry, stage.work.effector)
    return Recovery(stage.store, NoNudge(), lambda: hands, serving=serving)


def found(stage: Stage, *, serving: bool = False) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = run(recovery(stage, serving=serving).find({}, "bastion:sam"))["result"]["items"]
    return items


def recovers(stage: Stage) -> list[str]:
    return [
        run(recovery(stage).do({"what": item["what"], "id": item["id"]}, "bastion:sam"))["result"]["became"]
        for item in found(stage)
        if item["acts"]
    ]


def shown(items: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(item["what"], item["does"]) for item in items]


def authority(record: Record) -> object:
    return record.phase, record.decisions, record.gates_opened, record.merge.head, record.merge.attempts


def killed(acts: int, step: str, at: str) -> Golden:
    """The golden path as far as `acts`, then the bot dies in a step, at a request."""
    stage = StoppingStage()
    golden = Golden(stage)
    for act in golden.acts[:acts]:
        act()
        golden.rest()
    golden.acts[acts]()
    stage.delivers()
    if step != "inbox":
        while run(stage.work.inbox.step()):
            pass
    if step == "publisher":
        stage.world.clock.advance(COLLECTING)
    stage.at = at
    dying: Any = stage.work.steps[step]()
    dying.send(None)
    LEFT.append(dying)
    return golden


def test_a_request_to_merge_whose_sender_died_becomes_ambiguous_and_is_not_repeated() -> None:
    golden = killed(8, "merger", "after merge_async")
    stage = golden.stage
    before = stage.record("octo/app", golden.issue.number)
    early = [item["what"] for item in found(stage)]
    stage.world.clock.advance(60)

    late = found(stage)
    became = recovers(stage)

    after = stage.record("octo/app", golden.issue.number)
    assert ("merge" in early, before.merge.state) == (False, "requested")
    assert [item["name"] for item in late if item["what"] == "merge"] == [f"octo/app#{golden.issue.number}"]
    assert ("ambiguous" in became, after.merge.state) == (True, "ambiguous")
    assert authority(after) == authority(before)
    stage.restarts()
    golden.rest()
    assert golden.outcome()["landings"] == [(before.merge.head, "signalbox[bot]")]


def test_a_lost_request_that_another_process_is_carrying_on_is_left_to_it() -> None:
    golden = killed(8, "merger", "after merge_async")
    stage = golden.stage
    key = stage.record("octo/app", golden.issue.number).key
    stage.world.clock.advance(120)
    run(stage.store.run(lambda tx: tx.leases.take(f"merge:{key}", f"bot-{stage.generation}", None)))

    became = run(recovery(stage, serving=True).do({"what": "merge", "id": str(key)}, "bastion:sam"))["result"]["became"]

    after = stage.record("octo/app", golden.issue.number)
    assert (became, after.merge.state) == ("carried on by another process now", "requested")


@pytest.mark.parametrize(
    ("acts", "step", "at"),
    [(0, "publisher", "before create_comment"), (2, "inbox", "before permission"), (8, "merger", "before merge_async")],
)
def test_recovery_adds_no_authority_and_asks_github_for_nothing(acts: int, step: str, at: str) -> None:
    golden = killed(acts, step, at)
    stage = golden.stage
    stage.world.clock.advance(120)
    keys = run(
        stage.store.read(
            lambda tx: [
                (key, tx.records.load(key)) for key in tx.records.of_repository(golden.repo.id, open_only=False)
            ]
        )
    )
    asked = len(stage.world.requests)

    recovers(stage)

    assert len(stage.world.requests) == asked
    for key, loaded in keys:
        assert loaded is not None
        assert authority(stage.record("octo/app", key.issue)) == authority(loaded.record)
    assert [item for item in found(stage) if item["acts"]] == []
    stage.restarts()
    golden.rest()


def test_beside_a_running_server_what_it_works_on_is_its_own() -> None:
    golden = killed(2, "inbox", "before permission")

    assert [item["what"] for item in found(golden.stage, serving=True)] == []
    assert ("delivery", "worked on again") in shown(found(golden.stage))


@pytest.mark.parametrize(("landed", "became"), [(True, "found on GitHub"), (False, "not on GitHub")])
def test_a_reply_of_which_nobody_knows_is_looked_for_and_not_sent_again(landed: bool, became: str) -> None:
    golden = Golden(Stage())
    stage = golden.stage
    golden.acts[0]()
    golden.rest()
    stage.world.loses_answer_to("create_comment", landed=landed)
    golden.says("ada", golden.issue, "/approve r1")
    stage.settles()
    stage.world.unreachable("comments", times=None)
    stage.later(3600, stride=60)
    stage.world.heals()
    (item,) = [item for item in found(stage, serving=True) if item["what"] == "effect"]
    comments = len(golden.issue.comments)

    answer = run(recovery(stage).do({"what": "effect", "id": item["id"]}, "bastion:sam"))

    assert (item["found"].split(":")[0], item["acts"]) == ("unknown", True)
    assert answer == {"result": {"became": became}}
    assert len(golden.issue.comments) == comments
    assert len([one for one in found(stage) if one["what"] == "effect"]) == (0 if landed else 1)


def test_without_an_app_only_the_database_is_put_in_order() -> None:
    golden = killed(2, "inbox", "before permission")
    without = Recovery(golden.stage.store, NoNudge(), lambda: None, serving=False)
    (claimed,) = [item for item in found(golden.stage) if item["what"] == "delivery"]

    claims = [run(without.do({"what": "delivery", "id": each}, "bastion:sam")) for each in ("any", claimed["id"])]
    merge = run(without.do({"what": "merge", "id": "1#1"}, "bastion:sam"))

    assert claims == [{"result": {"became": "not claimed any more"}}, {"result": {"became": "free"}}]
    assert merge["error"]["code"] == "could_not_verify"
    assert found(golden.stage, serving=False) == [item for item in found(golden.stage) if item["what"] == "record"]


def test_beside_a_server_nothing_is_called_free_that_it_still_has() -> None:
    stage = killed(2, "inbox", "before permission").stage
    (claimed,) = [item for item in found(stage) if item["what"] == "delivery"]
    order = {"what": "delivery", "id": claimed["id"]}

    beside = run(recovery(stage, serving=True).do(order, "bastion:sam"))["result"]["became"]

    assert beside.startswith("left to the server: claimed until ")
    assert claimed in found(stage)


def test_a_hold_whose_time_is_over_holds_nothing_and_is_not_listed() -> None:
    """A backup of a living server holds such, and operations.md promises that nothing was left behind in it."""
    stage = Stage()
    run(stage.store.run(lambda tx: tx.leases.take("publish:1#1", "bot-0", tx.now() + timedelta(minutes=1))))
    early = shown(found(stage))
    stage.world.clock.advance(61)

    assert (early, found(stage)) == ([("hold", "free")], [])
