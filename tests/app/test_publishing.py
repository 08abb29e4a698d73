"""Publishing: by one at a time, success only for the version just read, and the check that loses it first."""

from datetime import timedelta
from typing import Any

from bot.app.doubts import Doubts
from bot.app.outside import Outside
from bot.app.pacing import PacedForge, Pacing
from bot.app.publish import Publisher
from bot.domain.model.effects import React
from bot.domain.projections.show import WebAddress
from bot.ports.forge import LANDING, WRITE_TIMEOUT
from bot.ports.rows import NewRow
from bot.ports.store import Tx
from bot.simulator.forge import SimulatedForge
from tests.kit.cases import actor
from tests.kit.stage import NoNudge, Stage, run
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


def standing(stage: Stage | None = None) -> Golden:
    """The check says success, and the merge is still to be asked for: GitHub does not take the request now."""
    golden = complete(stage or Stage())
    golden.stage.world.unreachable("merge_async", times=None)
    golden.acts[-1]()
    golden.stage.settles()
    assert golden.stage.record("octo/app", 1).merge.state == "reserved"
    assert conclusion(golden) == "success"
    return golden


def conclusion(golden: Golden) -> str | None:
    runs = [each for each in golden.repo.runs if each.name == "signalbox"]
    return next(each.conclusion for each in runs if each.head == golden.pull.head)


def test_success_is_taken_away_although_github_refused_it_once() -> None:
    golden = standing()
    world = golden.stage.world
    world.heals()
    world.fails("update_check_run", 403)
    golden.says("grace", golden.pull, "/hold")
    golden.stage.settles()
    assert conclusion(golden) == "success"
    assert [fields for _, event, fields in golden.stage.log.lines if event == "projection_refused"]
    golden.stage.later(35, stride=5)
    assert conclusion(golden) == "action_required"


def test_while_success_cannot_be_taken_away_nothing_else_is_written() -> None:
    golden = standing()
    world = golden.stage.world
    world.heals()
    world.fails("update_check_run", 403, times=None)
    golden.says("grace", golden.pull, "/hold")
    world.requests.clear()
    golden.stage.later(60, stride=5)
    assert not [r for r in world.requests if r.operation == "update_comment"]


def test_comments_are_written_although_our_check_is_refused() -> None:
    stage = Stage()
    golden = Golden(stage)
    stage.world.fails("create_check_run", 403, times=None)
    for act in golden.acts[:5]:
        act()
        golden.rest()
    assert [comment for comment in golden.pull.comments if "**testing**" in comment.body]
    stage.world.heals()
    golden.rest()
    assert conclusion(golden) is None


def paced(golden: Golden, sleep: Any) -> Publisher:
    """A publisher whose next write must wait for its turn in the lane."""
    stage = golden.stage
    forge = PacedForge(SimulatedForge(stage.world), Pacing(stage.store, stage.world.clock, sleep, 1.0))
    outside = Outside(stage.store, forge, stage.world.clock, stage.log, NoNudge(), stage.timing, "paced")
    record = stage.record("octo/app", 1)
    run(stage.store.run(lambda tx: tx.slots.distrust(record.key)))
    run(forge.perform(record.repo, React(comment_id=golden.pull.comments[0].id, content="eyes")))
    stage.world.requests.clear()
    return Publisher(
        outside, stage.work.rules, WebAddress("https://signalbox.example"), Doubts(outside, stage.work.transactor)
    )


def check_writes(golden: Golden) -> list[Any]:
    requests = golden.stage.world.requests
    return [r.body.get("conclusion") for r in requests if r.operation.endswith("check_run") and r.body]


def test_success_is_not_written_for_a_record_that_moved_while_the_write_waited_for_its_turn() -> None:
    stage = MeddlingStage()
    golden = standing(stage)
    stage.world.heals()
    moved: list[float] = []

    async def sleep(seconds: float) -> None:
        stage.world.clock.advance(seconds)
        if not moved:
            await stage.store.run(stage.moves)
            moved.append(seconds)

    assert run(paced(golden, sleep).publish(stage.record("octo/app", 1).key)) is True
    assert moved
    assert check_writes(golden) == ["cancelled"]


def test_who_waited_longer_than_the_lease_writes_nothing() -> None:
    golden = standing()
    stage = golden.stage
    stage.world.heals()
    key = stage.record("octo/app", 1).key

    async def sleep(_: float) -> None:
        stage.world.clock.advance(stage.timing.write_lease)

    assert run(paced(golden, sleep).publish(key)) is False
    assert check_writes(golden) == []
    golden.rest()
    assert stage.record("octo/app", 1).phase == "done"


class SlowStage(Stage):
    """A write of our check takes as long as a write can, and GitHub carries it out at the very last moment; meanwhile
    another publisher tries."""

    slow = True
    published: bool | None = None

    async def pause(self, where: str) -> None:
        if where == "before update_check_run" and self.slow:
            self.slow = False
            self.world.clock.advance(WRITE_TIMEOUT + LANDING - 1)
            record = self.loaded("octo/app", 1).record
            self.published = await self.work.publisher.publish(record.key)


def test_while_a_write_may_still_land_nobody_else_publishes_the_record() -> None:
    stage = SlowStage()
    golden = Golden(stage)
    for act in golden.acts:
        act()
        stage.settles()
    assert stage.published is False
    golden.rest()
    assert stage.record("octo/app", 1).phase == "done"


def test_a_short_approval_counts_although_the_answer_to_the_comment_it_was_read_from_was_lost() -> None:
    stage = Stage()
    golden = Golden(stage)
    for act in golden.acts[:3]:
        act()
        golden.rest()
    stage.world.loses_answer_to("create_comment", times=None)
    stage.world.loses_answer_to("update_comment", times=None)
    for act in golden.acts[3:5]:
        act()
        golden.rest()
    stage.world.heals()
    golden.rest()
    golden.says("grace", golden.pull, "/approve")
    golden.rest()
    record = stage.record("octo/app", 1)
    assert [(d.gate, d.by.login) for d in record.decisions if d.gate == "testing"] == [("testing", "grace")]


def test_what_github_has_no_more_is_tried_less_and_less_often() -> None:
    golden = Golden(Stage())
    stage = golden.stage
    golden.acts[0]()
    golden.rest()
    for operation in ("create_comment", "update_comment"):
        stage.world.fails(operation, 404, times=None)
    golden.acts[1]()
    stage.settles()
    stage.later(4 * 3600, stride=300)

    pauses = [fields["seconds"] for _, event, fields in stage.log.lines if event == "publishing_paused"]
    assert pauses[:8] == [30, 60, 120, 240, 480, 960, 1920, 3600]
    assert set(pauses[8:]) == {3600}
