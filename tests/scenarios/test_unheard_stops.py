"""What may tell of a stop and could not be worked on never gives way to a merge (LIFECYCLE.md 5, L1)."""

import json

import pytest
from inline_snapshot import snapshot
from pydantic import ValidationError

from bot.app.inbox import MOST_ATTEMPTS
from bot.ports.store import Tx
from bot.simulator import webhooks
from tests.kit.change import Change, begun
from tests.kit.town import SECRET, Town

pytestmark = pytest.mark.anyio


async def given_up(town: Town) -> Change:
    """ada takes the label away while GitHub does not say what ada may; after so many tries that is given up."""
    change = await begun(town, "almost")
    town.world.fails("permission", 502, times=None)
    town.world.unlabels("ada", change.issue, "signalbox")
    await town.hears()

    def gives_up(tx: Tx) -> None:
        rows = tx.deliveries.list("received", 10, None)
        assert [row.attempts < MOST_ATTEMPTS for row in rows] == [True], "it waits to be tried again"
        assert rows[0].detail is not None, "what waits says why"
        tx.deliveries.finish(rows[0].guid, "failed", rows[0].detail)

    await town.store.run(gives_up)
    town.world.heals()
    return change


async def test_nothing_merges_over_a_stop_that_was_given_up_until_a_sweep_has_found_it(town: Town) -> None:
    change = await given_up(town)
    await change.merges()
    assert (change.waits, town.merges()) == snapshot(
        (
            "Nobody needs to do anything. Waiting for GitHub: what GitHub told at 30 Nov 2024, hh:mm UTC may be a stop and could not be worked on; nothing merges before it is, or before a whole sweep has looked for it.",
            [],
        )
    )

    await town.later(minutes=10, stride=60)
    assert (change.says, town.merges(), change.notices()) == snapshot(("**withdrawn** in submit by `ada`", [], []))
    assert await town.store.read(lambda tx: tx.deliveries.list("failed", 10, None)) == []


async def test_a_stop_that_was_given_up_is_not_over_by_a_sweep_that_could_not_decide_it(town: Town) -> None:
    """The sweep finds that the label is gone, and GitHub still does not say what ada may."""
    change = await given_up(town)
    town.world.fails("permission", 502, times=None)
    await town.later(minutes=10, stride=60)
    failed = await town.store.read(lambda tx: tx.deliveries.list("failed", 10, None))
    assert ([row.event for row in failed], town.merges()) == (["issues"], [])

    town.world.heals()
    await town.later(minutes=10, stride=60)
    assert (change.says, town.merges(), change.notices()) == ("**withdrawn** in submit by `ada`", [], [])
    assert await town.store.read(lambda tx: tx.deliveries.list("failed", 10, None)) == []


async def test_nothing_merges_over_a_review_that_cannot_be_read_until_a_sweep_has_found_it(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.reviews("sam", change.pull, "CHANGES_REQUESTED", "The retry never ends.")
    for hook in town.world.hooks.take():
        hook.body = hook.body.replace(b'"submitted_at"', b'"submitted_when"')
        await town.post(hook.body, webhooks.headers(town.world, hook, SECRET))
    await change.merges()
    failed = await town.store.read(lambda tx: tx.deliveries.list("failed", 10, None))
    assert ([(row.event, row.detail) for row in failed], town.merges()) == snapshot(
        ([("pull_request_review", "unreadable: requested changes name no time")], [])
    )

    await town.later(minutes=10, stride=60)
    assert (change.says, town.merges()) == snapshot(
        ("**building** · plan r1 · last head `c1` was rejected by `sam` (reason)", [])
    )


@pytest.mark.parametrize("unread", ["sender", "repository"])
async def test_nothing_merges_over_a_stop_that_cannot_be_placed_until_a_sweep_has_found_it(
    town: Town, unread: str
) -> None:
    """ada takes the label away. GitHub's word of it is signed, and one field that every event has is not in a form we know."""
    change = await begun(town, "almost")
    town.world.unlabels("ada", change.issue, "signalbox")
    for hook in town.world.hooks.take():
        body = json.loads(hook.body)
        body[unread]["id"] = str(body[unread]["id"])
        hook.body = json.dumps(body).encode()
        await town.post(hook.body, webhooks.headers(town.world, hook, SECRET))
    await change.merges()
    failed = await town.store.read(lambda tx: tx.deliveries.list("failed", 10, None))
    assert ("may be a stop" in change.waits, [row.event for row in failed], town.merges()) == (True, ["issues"], [])

    await town.later(minutes=10, stride=60)
    assert (change.says, town.merges(), change.notices()) == ("**withdrawn** in submit by `ada`", [], [])
    assert await town.store.read(lambda tx: tx.deliveries.list("failed", 10, None)) == []


async def test_a_record_that_cannot_be_read_stops_no_other_delivery(town: Town) -> None:
    """One record's stored document is broken. Somebody comments on its issue; the inbox of the process must go on."""
    town.expected_errors |= {"delivery_failed", "publishing_failed"}
    broken, other = await begun(town, "plan_ready"), await begun(town, "plan_ready", "Another")
    town.store._connection.execute("UPDATE records SET document = '{}' WHERE issue = ?", (broken.issue.number,))
    town.store._connection.commit()
    await broken.on_issue("omar", "/hold not today", heard=False)
    await other.on_issue("omar", "/hold not today", heard=False)
    left: Exception | None = None
    try:
        await town.hears()
    except ValidationError as error:
        left = error
    assert left is None, "what leaves the step ends the lane, and with it the process"
    assert (await other.record())["held"] is not None

    def seen(tx: Tx) -> None:
        (row,) = tx.deliveries.list("failed", 10, None)
        tx.deliveries.finish(row.guid, "ignored", "seen")

    await town.store.run(seen)


async def test_a_stop_that_failed_and_was_deleted_since_is_not_taken_for_found(town: Town) -> None:
    """grace's /hold was delivered and failed by a fault of ours; ada, who may write, deletes the comment on GitHub."""
    change = await begun(town, "almost")
    said = await change.on_pull("grace", "/hold not today", heard=False)
    await webhooks.deliver(town.world, SECRET, town.post)

    def fails(tx: Tx) -> None:
        for row in tx.deliveries.list("received", 10, None):
            tx.deliveries.finish(row.guid, "failed", "a fault of this program: ValueError")

    await town.store.run(fails)
    town.world.deletes_comment("ada", said)
    await town.later(minutes=20, stride=60)
    await change.merges(seconds=120)
    change.notices()
    assert town.merges() == [], "grace's /hold was delivered before; nobody lifted it, and nobody replayed it"

    def replays(tx: Tx) -> None:
        (row,) = tx.deliveries.list("failed", 10, None)
        tx.deliveries.put_back(row.guid)

    await town.store.run(replays)
    await town.settles()
    assert (await change.record())["held"] is not None
