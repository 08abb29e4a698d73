"""A GitHub that answers slowly, or not at all for one merge, delays and never keeps anybody from merging for good."""

import pytest

from tests.kit.stage import Stage, run
from tests.simulation.golden import Golden


class Slow(Stage):
    takes = 0.0

    async def pause(self, where: str) -> None:
        if where.startswith("before"):
            self.world.clock.advance(self.takes)


async def once(stage: Stage) -> None:
    for step in stage.work.steps.values():
        await step()


def almost(stage: Stage) -> Golden:
    golden = Golden(stage)
    for act in golden.acts[:-1]:
        act()
        golden.rest()
    return golden


@pytest.mark.parametrize("takes", [1.3, 1.6])
def test_where_reading_everything_takes_long_the_merge_is_asked_once_all_the_same(takes: float) -> None:
    stage = Slow()
    golden = almost(stage)
    stage.takes = takes
    golden.acts[-1]()
    stage.settles()
    stage.later(600, stride=5)
    record = stage.record("octo/app", golden.issue.number)
    assert (record.phase, record.merge.attempts) == ("done", 1)


def test_where_reading_takes_so_long_that_it_proves_nothing_any_more_nothing_is_asked() -> None:
    stage = Slow()
    golden = almost(stage)
    stage.takes = 12
    golden.acts[-1]()
    stage.delivers()
    for _ in range(20):  # a clock that goes on with every request never comes to rest
        run(once(stage))
    assert "merge_facts_stale" in [event for _, event, _ in stage.log.lines]
    assert not [one for one in stage.world.requests if one.operation in {"merge", "merge_async"}]


def is_unseen_for_a_minute(stage: Stage) -> None:
    """GitHub does not show the pull request, and then it does."""
    stage.world.fails("pull", 502, times=None)
    before = len(stage.world.requests)
    stage.later(60, stride=5)
    assert len(stage.world.requests) - before < 200
    stage.world.heals()
    stage.later(60, stride=5)


def test_a_merge_that_cannot_be_judged_now_is_looked_at_every_few_seconds_and_no_oftener() -> None:
    stage = Stage()
    golden = almost(stage)
    stage.world.merge_async_seconds = 20
    golden.acts[-1]()
    stage.settles()
    stage.world.clock.advance(3)
    stage.world.pushes("ada", golden.pull)
    stage.settles()
    is_unseen_for_a_minute(stage)
    assert stage.record("octo/app", golden.issue.number).merge.state in {"none", "refused"}


def test_a_merge_that_landed_unseen_is_looked_for_every_few_seconds_and_no_oftener() -> None:
    stage = Stage()
    golden = almost(stage)
    stage.world.merge_async_seconds = 20
    golden.acts[-1]()
    stage.settles()
    is_unseen_for_a_minute(stage)
    assert stage.record("octo/app", golden.issue.number).phase == "done"
