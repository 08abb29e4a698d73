"""Several lanes of one process want to show the same record at the same moment."""

import asyncio

import pytest

from tests.kit.stage import Stage
from tests.simulation.golden import Golden


class YieldingStage(Stage):
    """At every request to GitHub somebody else gets the turn."""

    async def pause(self, where: str) -> None:
        await asyncio.sleep(0)


@pytest.mark.anyio
async def test_two_lanes_that_publish_one_record_at_once_write_one_status_comment() -> None:
    stage = YieldingStage()
    golden = Golden(stage)
    stage.world.labels("ada", golden.issue, "signalbox")
    stage.delivers()
    while await stage.work.inbox.step():
        pass
    key = stage.loaded("octo/app", golden.issue.number).record.key

    done = await asyncio.gather(stage.work.publisher.publish(key), stage.work.publisher.publish(key))

    assert sorted(done) == [False, True]
    assert [comment.author for comment in golden.issue.comments] == [stage.world.bot]
