"""Publishing: by one at a time, success only for the version just read, and the check that loses it first."""

from datetime import timedelta
from typing import Any

from bot.ports.store import NewRow, Tx
from tests.kit.cases import actor
from tests.kit.stage import Stage, run
from tests.simulation.golden import Golden


def complete(stage: Stage) -> Golden:
    """Every word of the golden path is said but the last, and everything is published."""
    golden = Golden(stage)
    for act in golden.acts[:-1]:
        act()
        golden.rest()
    return golden


def test_a_record_is_published_by_one_at_a_time() -> None:
    golden = complete(Stage())
    stage, key = golden.stage, golden.stage.record("octo/app", 1).key
    stage.world.requests.clear()
    until = stage.world.clock.now() + timedelta(seconds=60)
    run(stage.store.run(lambda tx: tx.slots.distrust(key)))
    assert run(stage.store.run(lambda tx: tx.leases.take(f"publish:{key}", "somebody else", until)))
    assert run(stage.work.publisher.publish(key)) is False
    assert stage.world.requests == []
    run(stage.store.run(lambda tx: tx.leases.drop(f"publish:{key}", "somebody else")))
    assert run(stage.work.publisher.publish(key)) is True
    assert stage.world.requests != []


class MeddlingStage(Stage):
    """Directly before the check would say success, the record moves on."""

    armed = False

    async def pause(self, where: str) -> None:
        if self.armed and where == "before labels":
            self.armed = False
            await self.store.run(self.moves)

    def moves(self, tx: Tx) -> None:
        key = tx.records.by_name("octo/app", 1)
        assert key is not None
        loaded = tx.records.load(key)
        assert loaded is not None
        record = loaded.record
        after = record.model_copy(update={"version": record.version + 1, "withdrawn": True})
        fields: dict[str, Any] = {"detail": None, "delivery": None, "at": tx.now(), "actor": actor("ada")}
        tx.records.replace(
            record.key, record.version, [NewRow(record=after, from_="submit", signal="issue_closed", **fields)]
        )


def test_success_is_not_written_for_a_version_that_is_no_longer_the_newest() -> None:
    stage = MeddlingStage()
    golden = complete(stage)
    stage.world.unreachable("update_check_run", times=None)
    golden.acts[-1]()
    stage.settles()
    assert stage.record("octo/app", 1).merge.state == "reserved"
    stage.world.heals()
    key = stage.record("octo/app", 1).key
    run(stage.store.run(lambda tx: tx.slots.distrust(key)))
    stage.world.requests.clear()
    stage.armed = True
    run(stage.work.publisher.publish(key))
    assert not stage.armed
    said = [r.body.get("conclusion") for r in stage.world.requests if r.operation.endswith("check_run") and r.body]
    assert said == ["cancelled"]


def test_no_check_says_success_before_the_authority_is_complete() -> None:
    golden = complete(Stage())
    written = [r.body for r in golden.stage.world.requests if r.operation.endswith("check_run") and r.body]
    assert written
    assert not [body for body in written if body.get("conclusion") == "success"]
    golden.acts[-1]()
    golden.rest()
    assert golden.stage.record("octo/app", 1).phase == "done"
    written = [r.body for r in golden.stage.world.requests if r.operation.endswith("check_run") and r.body]
    assert [body["conclusion"] for body in written].count("success") >= 1


def test_nothing_is_asked_while_the_check_cannot_be_shown() -> None:
    golden = complete(Stage())
    world = golden.stage.world
    world.unreachable("update_check_run", times=None)
    golden.acts[-1]()
    golden.rest(30)
    assert golden.stage.record("octo/app", 1).merge.state == "reserved"
    assert not [r for r in world.requests if r.operation.startswith("merge_async")]
    world.heals()
    golden.rest(120)
    assert golden.stage.record("octo/app", 1).phase == "done"


def test_the_request_leaves_only_after_the_check_was_read_back() -> None:
    golden = complete(Stage())
    golden.stage.world.requests.clear()
    golden.acts[-1]()
    golden.stage.settles()
    asked = [r.operation for r in golden.stage.world.requests]
    merge = asked.index("merge_async")
    success = [i for i, r in enumerate(golden.stage.world.requests) if r.body and r.body.get("conclusion") == "success"]
    assert success[0] < merge
    assert "own_checks" in asked[success[0] : merge] or "check_runs" in asked[success[0] : merge]
