"""What waits for nobody's clock does not spin: a time that has passed wakes a record once (L9, L10)."""

from tests.kit.stage import Stage
from tests.simulation.golden import Golden


def test_a_plan_approval_taken_back_while_checks_settle_lets_the_bot_rest() -> None:
    """The verification keeps `settles_at`; in plan_ready nobody looks at checks, so the time stays due for ever."""
    golden = Golden(Stage())
    for act in golden.acts[:5]:
        act()
        golden.stage.settles()
    golden.says("grace", golden.issue, "/revoke")
    golden.stage.settles()
    assert golden.stage.record("octo/app", golden.issue.number).phase == "plan_ready"
    golden.stage.later(120, stride=20)


def refused_for_a_while(golden: Golden) -> None:
    for act in golden.acts[:8]:
        act()
        golden.rest()
    golden.stage.world.fails("merge", 403, headers={"retry-after": "30"})
    golden.acts[8]()
    golden.stage.settles()
    assert golden.stage.record("octo/app", golden.issue.number).merge.state == "refused"


def test_a_hold_while_github_asked_for_patience_lets_the_bot_rest() -> None:
    golden = Golden(Stage())
    refused_for_a_while(golden)
    golden.says("grace", golden.pull, "/hold not now")
    golden.stage.later(120, stride=20)


def test_a_draft_while_github_asked_for_patience_lets_the_bot_rest() -> None:
    golden = Golden(Stage())
    refused_for_a_while(golden)
    golden.stage.world.clock.advance(2)
    golden.stage.world.converts_to_draft("ada", golden.pull)
    golden.stage.later(120, stride=20)


def test_a_check_that_runs_again_while_github_asked_for_patience_lets_the_bot_rest() -> None:
    golden = Golden(Stage())
    refused_for_a_while(golden)
    golden.stage.world.check_run("actions", golden.pull, "build", status="in_progress")
    golden.stage.later(120, stride=20)


def test_a_merge_that_was_refused_before_the_work_went_back_lets_the_bot_rest_a_day_later() -> None:
    """Refused, reserved again, given back by a hold (state none, `refused_since` stays), sent back to building."""
    golden = Golden(Stage())
    refused_for_a_while(golden)
    stage, world = golden.stage, golden.stage.world
    world.unreachable("check", times=None)
    stage.later(40, stride=5)
    assert stage.record("octo/app", golden.issue.number).merge.state == "reserved"
    golden.says("grace", golden.pull, "/hold not now")
    stage.settles()
    world.heals()
    golden.says("grace", golden.pull, "/reject not at all")
    golden.rest()
    record = stage.record("octo/app", golden.issue.number)
    assert (record.phase, record.merge.state) == ("building", "none")
    stage.later(25 * 3600, stride=1800)
