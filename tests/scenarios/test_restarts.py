"""kill -9 around the merge: what is stored decides, never what the process remembered."""

import httpx
import pytest
from inline_snapshot import snapshot

from bot.app.restart import take_over
from bot.simulator.verbs.merging import MergeCall
from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

BOTH = pytest.mark.parametrize(("merge_api", "end"), [("async", "/merge-async"), ("sync", "/merge")])


async def test_a_restart_in_reserved_asks_once_and_only_after_every_prerequisite_is_read_again(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    town.world.check_run("actions", change.pull, "build", status="in_progress")
    town.world.hooks.take()

    await town.boots()
    assert (town.merges(), town.asked("merge_async")) == ([], 0)
    await change.check_ends("success")
    await town.later(minutes=7, stride=60)

    assert (change.phase, town.asked("merge_async") <= 1) == snapshot(("done", True))


async def test_a_restart_in_reserved_with_nothing_changed_merges_once(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()

    await town.boots()
    await town.later(seconds=10)

    assert (change.phase, town.merges(), town.asked("merge_async")) == ("done", ["c1 by signalbox[bot]"], 1)


@BOTH
async def test_a_restart_between_storing_and_sending_is_unknown_and_never_sent_again(town: Town, end: str) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    town.kills_before(end)

    await town.restarts()
    assert await change.merge_state() == "requested"
    await town.later(minutes=30, stride=200)

    assert (await change.merge_state(), town.merges()) == ("ambiguous", [])
    assert (town.asked("merge", "merge_async"), len(change.notices())) == (0, 1)


@BOTH
async def test_a_restart_after_the_merge_landed_finds_it_by_reading(town: Town, end: str) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    call = MergeCall(change.pull.head, "squash", "Retry uploads (#2)")
    town.kills_before(end, lambda: town.world.merge(town.world.bot, change.pull, call))

    await town.restarts()
    await town.later(minutes=2, stride=10)

    assert (change.phase, town.merges(), (await change.record())["merge"]["external"]) == (
        "done",
        ["c1 by signalbox[bot]"],
        False,
    )
    change.notices()


async def test_an_asynchronous_merge_without_a_stored_uuid_is_unknown_like_any_other(town: Town) -> None:
    town.world.merge_async_seconds = 120
    change = await begun(town, "almost")
    await change.reserved()
    call = MergeCall(change.pull.head, "squash", action="direct_merge")
    town.kills_before("/merge-async", lambda: town.world.merge_async(town.world.bot, change.pull, call))

    await town.restarts()
    await town.later(seconds=60, stride=10)
    assert (await change.merge_state(), town.merges()) == ("ambiguous", [])
    change.notices()
    await town.later(minutes=3, stride=20)

    assert (change.phase, town.merges(), town.asked("merge_async")) == ("done", ["c1 by signalbox[bot]"], 0)


async def test_a_restart_while_github_merges_in_the_background_watches_on(town: Town) -> None:
    change = await begun(town, "almost")
    await change.asked(seconds=60)

    await town.boots()
    await town.later(minutes=2, stride=10)

    assert (change.phase, town.merges(), town.asked("merge_async")) == ("done", ["c1 by signalbox[bot]"], 1)
    change.notices()


async def test_a_restart_while_nobody_knows_changes_nothing(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()

    await town.boots()
    await town.later(minutes=30, stride=200)

    assert (await change.merge_state(), town.asked("merge", "merge_async"), change.notices()) == ("ambiguous", 1, [])


async def test_a_restart_before_the_check_was_published_publishes_it_once(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    town.kills_before(f"/check-runs/{town.repo.runs[-1].id}")

    await town.restarts()
    await town.later(seconds=30)

    assert (change.phase, change.check) == ("done", "success · done: merged as m1")


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_restart_around_marking_a_draft_ready_marks_it_and_calls_nobody_twice(town: Town, when: str) -> None:
    change = await begun(town, "building")
    await change.opens_pull(draft=True)
    await change.on_pull("ada", "/candidate c1")
    await change.on_pull("grace", "/approve testing c1")
    change.notices()

    def is_done() -> None:
        if when == "after":
            town.world.marks_ready(town.world.bot, change.pull)

    await change.on_pull("omar", "/gate testing c1", heard=False)
    town.kills_before("/graphql", is_done)
    await town.restarts()
    await town.later(minutes=3, stride=20)

    assert (change.phase, change.pull.draft, change.notices()) == ("submit", False, [])


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_restart_around_a_reply_answers_once(town: Town, when: str) -> None:
    """known-faults.md, row 18."""
    change = await begun(town, "testing")
    number = change.pull.number

    def is_done() -> None:
        if when == "after":
            body = f"Not counted.\n<!-- signalbox:reply:comment:issue:{said.id} -->"
            town.world.comments(town.world.bot, change.pull, body)

    said = await change.on_pull("ada", "/approve testing c1", heard=False)
    town.kills_before(f"/issues/{number}/comments", is_done)
    await town.restarts()
    await town.later(minutes=3, stride=20)

    assert (change.reply(said) or "").startswith("Not counted")


async def test_a_head_that_github_has_no_more_keeps_its_record_from_nothing(town: Town) -> None:
    """The rejected head is purged from GitHub; the webhook of ada's next push is lost, and the bot is started anew."""
    change = await begun(town, "testing")
    await change.on_pull("grace", f"/reject testing {change.head} The retry never ends.")
    change.notices()
    old = change.pull.head
    town.world.drops_webhooks(logged=False)
    await change.pushes("ada", heard=False)
    town.world.heals()
    await town.store.run(take_over)
    town.steps = town._steps(town.private_key)
    goes = town.road.handle_async_request

    async def handle(request: httpx.Request) -> httpx.Response:
        if old in request.url.path:
            return httpx.Response(422, json={"message": f"No commit found for SHA: {old}"}, request=request)
        return await goes(request)

    town.road.handle_async_request = handle  # type: ignore[method-assign]
    await town.later(minutes=30, stride=60)
    warned = [fields["why"] for _, event, fields in town.log.lines if event == "sweep_failed"]
    assert ((await change.record())["head"], warned) == (change.pull.head, [])
