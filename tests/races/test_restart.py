"""A process was killed in the middle of something, and the next one starts at once."""

from collections.abc import Coroutine, Generator
from contextlib import suppress
from typing import Any

from bot.app.sweep.sweeper import Sweep
from bot.app.timing import COLLECTING
from tests.kit.stage import Stage, run
from tests.kit.sweeping import SweepingStage
from tests.simulation.golden import Golden


class Forever:
    """Awaiting it leaves the coroutine where it is, as kill -9 does: nothing after it runs, no clean-up either."""

    def __await__(self) -> Generator[None, None, None]:
        yield


class StoppingStage(Stage):
    """Everything stops before or after the request that `at` names, once."""

    at: str | None = None

    async def pause(self, where: str) -> None:
        if where == self.at:
            self.at = None
            await Forever()


def plays_until(at: str, late: float = 0) -> tuple[Golden, Coroutine[Any, Any, bool]]:
    """The first publishing, stopped at `at`; the second value is what is left of it, to be kept as it is. `late`: seconds
    after which GitHub carries out the first comment."""
    stage = StoppingStage()
    golden = Golden(stage)
    stage.world.labels("ada", golden.issue, "signalbox")
    stage.delivers()
    while run(stage.work.inbox.step()):
        pass
    if late:
        stage.world.lands_late("create_comment", late)
    stage.at = at
    stage.world.clock.advance(COLLECTING)
    publishing = stage.work.publisher.step()
    publishing.send(None)
    return golden, publishing


def test_a_bot_restarted_after_a_kill_goes_on_at_once() -> None:
    golden, left = plays_until("before add_labels")

    golden.stage.restarts()
    golden.stage.settles()

    assert [label.name for label in golden.issue.labels] == ["signalbox", "signalbox/planning"]
    assert len(golden.issue.comments) == 1
    left.close()


def test_a_status_comment_that_a_killed_bot_had_sent_is_waited_for_and_not_written_twice() -> None:
    golden, left = plays_until("after create_comment", late=3)

    golden.stage.restarts()
    golden.stage.settles()
    before = len(golden.issue.comments)
    golden.stage.later(15)

    assert (before, len(golden.issue.comments)) == (0, 1)
    left.close()


class StoppingSweep(SweepingStage, StoppingStage):
    """Dies in the middle of a sweep."""


def stops_in(sweep: Sweep) -> Coroutine[Any, Any, bool]:
    """The step of a sweep that is stopped, as it is; those before it end."""
    for _ in range(10):
        step = sweep.step()
        with suppress(StopIteration):
            step.send(None)
            return step
    raise AssertionError("the sweep came to rest")


def test_what_a_killed_bot_was_sweeping_is_swept_at_once() -> None:
    stage = StoppingSweep()
    golden = Golden(stage)
    stage.world.labels("ada", golden.issue, "signalbox")
    stage.settles()
    stage.later(301, stride=301)
    stage.world.drops_webhooks(logged=False)
    golden.says("ada", golden.issue, "/plan\nRetry three times.")
    stage.world.clock.advance(300)
    stage.at = "before repository_comments"
    sweeping = stops_in(stage.sweep)

    stage.restarts()
    stage.settles()

    assert stage.record("octo/app", golden.issue.number).phase == "plan_ready"
    sweeping.close()
