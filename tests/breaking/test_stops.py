"""A reviewer's stop that GitHub shows is never passed over (LIFECYCLE.md 2.2, 2.5)."""

from contextlib import suppress

from bot.ports.store import StoreUnavailable
from tests.kit.stage import Stage
from tests.simulation.golden import Golden


def in_submit_approved(golden: Golden) -> None:
    for act in golden.acts[:8]:
        act()
        golden.rest()
    assert golden.stage.record("octo/app", golden.issue.number).phase == "submit"


def test_changes_requested_while_blocked_still_stand_after_the_resume() -> None:
    """grace approves submit; the work is blocked; grace requests changes on the same head; omar resumes and opens the gate."""
    golden = Golden(Stage())
    in_submit_approved(golden)
    golden.says("omar", golden.pull, "/block may we?")
    golden.rest()
    golden.stage.world.clock.advance(3)
    golden.stage.world.reviews("grace", golden.pull, "CHANGES_REQUESTED", "this loses data")
    golden.rest()
    golden.says("omar", golden.pull, "/resume submit")
    golden.rest()
    golden.says("omar", golden.pull, f"/gate submit {golden.pull.head[:12]}")
    golden.rest(200)

    assert golden.stage.world.landed == [], "merged although the only reviewer requests changes on this head"


def test_a_stop_survives_a_moment_without_the_database() -> None:
    """The database is locked for one transaction while /hold is applied; the delivery must come again, before anything merges."""
    golden = Golden(Stage())
    in_submit_approved(golden)
    stage = golden.stage
    golden.says("grace", golden.pull, "/hold not today")
    stage.delivers()
    left = [2]

    def outage() -> None:
        left[0] -= 1
        if left[0] == 0:
            raise StoreUnavailable("database is locked")

    stage.store.before_commit = outage  # the first commit claims the delivery, the second one would apply it
    with suppress(StoreUnavailable):  # a lane that ends and is started again is as good
        stage.settles()
    stage.store.before_commit = None
    stage.settles()
    golden.says("omar", golden.pull, f"/gate submit {golden.pull.head[:12]}")
    golden.rest(60)

    assert stage.world.landed == [], "grace said /hold before the gate was opened, and it was merged"


def test_changes_requested_are_not_overtaken_while_github_hiccups() -> None:
    """One read of grace's permission fails; her review waits in its lane, and the gate written after it must wait too."""
    golden = Golden(Stage())
    in_submit_approved(golden)
    world = golden.stage.world
    world.clock.advance(3)
    world.unreachable("permission", times=1)
    world.reviews("grace", golden.pull, "CHANGES_REQUESTED", "this loses data")
    golden.stage.settles()
    golden.says("omar", golden.pull, f"/gate submit {golden.pull.head[:12]}")
    golden.rest(200)

    assert world.landed == [], "the review was delivered before the gate was opened, and it was merged"
