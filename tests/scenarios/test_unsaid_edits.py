"""GitHub does not say whether words were edited (LIFECYCLE.md 9, I17, I18): they wait, and so does the merge they may stop."""

import json

import httpx
import pytest

from bot.ports.store import Tx
from bot.simulator import webhooks
from tests.kit.change import begun
from tests.kit.town import SECRET, Town

pytestmark = pytest.mark.anyio


def half_an_answer(town: Town) -> None:
    """From now on GraphQL says of nobody's words whether they were edited."""
    inner = town.road.handle_async_request

    async def half(request: httpx.Request) -> httpx.Response:
        if b"lastEditedAt" not in await request.aread():
            return await inner(request)
        answer = await inner(request)
        errors = [{"type": "SERVICE_UNAVAILABLE", "path": ["nodes", 0], "message": "Something went wrong"}]
        kept = {name: value for name, value in answer.headers.items() if name != "content-length"}
        return httpx.Response(200, json={"data": {"nodes": [None]}, "errors": errors}, headers=kept, request=request)

    town.road.handle_async_request = half  # type: ignore[method-assign]


async def test_a_stop_in_a_review_of_which_nobody_says_whether_it_was_edited_is_not_merged_over(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.drops_webhooks(logged=False)
    town.world.clock.advance(3)
    town.world.reviews("sam", change.pull, "COMMENTED", "/hold not today")
    await town.settles()
    town.world.heals()
    half_an_answer(town)

    await change.merges(seconds=60)

    change.notices()
    assert town.merges() == []


async def test_a_stop_is_heard_when_github_says_again_that_it_was_not_edited(town: Town) -> None:
    change = await begun(town, "submit")
    town.world.drops_webhooks(logged=False)
    await change.on_pull("grace", "/hold not today", heard=False)
    await town.hears()
    town.world.heals()
    well = town.road.handle_async_request
    half_an_answer(town)
    await town.later(minutes=7, stride=60)
    town.road.handle_async_request = well  # type: ignore[method-assign]

    await town.later(minutes=2, stride=60)

    change.notices()
    assert (await change.record())["held"]


async def test_an_edited_remark_does_not_keep_a_delivery_that_cannot_be_read_from_being_found(town: Town) -> None:
    """The remark waits for its own webhook, which is lost, and the delivery for a sweep that leaves nothing out. Our own comments,
    which are edited all the time, wait for nothing, though every delivery of a comment failed by a fault of ours."""
    change = await begun(town, "almost")

    def fails(tx: Tx) -> None:
        for row in tx.deliveries.list(None, 200, None):
            if (row.event, row.action) == ("issue_comment", "created"):
                tx.deliveries.finish(row.guid, "failed", "a fault of this program: ValueError")

    await town.store.run(fails)
    town.world.drops_webhooks(logged=False)
    remark = town.world.comments("lin", change.issue, "Does anybody know?")
    town.world.clock.advance(5)
    town.world.edits_comment("lin", remark, "Does anybody know this?")
    await town.settles()
    town.world.heals()
    town.world.comments("lin", change.issue, "Nice work")
    for hook in town.world.hooks.take():
        body = json.loads(hook.body)
        body["comment"]["created_at"] = "a moment ago"
        hook.body = json.dumps(body).encode()
        await town.post(hook.body, webhooks.headers(town.world, hook, SECRET))
    await change.merges(seconds=30)
    assert town.merges() == []

    await town.later(minutes=12, stride=60)

    change.notices()
    assert town.merges() == ["c1 by signalbox[bot]"]
