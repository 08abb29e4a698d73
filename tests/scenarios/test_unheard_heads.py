"""A no about a head that GitHub shows and of which nobody here has heard yet, or whose reads lag behind (LIFECYCLE.md 2.5)."""

import httpx
import pytest

from bot.simulator.hooks import HookDelivery
from tests.kit.change import Change, begun
from tests.kit.late import arrive, judged_by_sam
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def _pushed_unheard(change: Change) -> list[HookDelivery]:
    """ada pushes a new head, and its delivery is on its way."""
    await change.pushes("ada", heard=False)
    late = change.town.world.hooks.take()
    change.town.world.clock.advance(60)
    return list(late)


@pytest.mark.parametrize("word", ["/reject", "/rework"])
async def test_a_no_whose_push_is_heard_afterwards_is_about_the_head_that_github_shows(town: Town, word: str) -> None:
    change = await begun(town, "testing")
    push = await _pushed_unheard(change)
    said = await change.on_pull("grace", f"{word} it loses data")
    await arrive(town, *push)
    await judged_by_sam(change)

    assert (change.reply(said), change.phase, town.merges()) == (None, "building", [])


@pytest.mark.parametrize("word", ["/reject", "/rework"])
async def test_a_stop_counts_though_the_pull_request_cannot_be_read(town: Town, word: str) -> None:
    change = await begun(town, "testing")
    town.world.fails("pull", 502, times=None)
    await change.on_pull("grace", f"{word} it loses data", heard=False)
    await town.hears()
    town.world.heals()
    await town.settles()

    assert (change.phase, change.notices()) == ("building", [])


@pytest.mark.parametrize("stopped", ["/reject not like this", "/block may we?", "/cancel no", "/replan no"])
async def test_changes_requested_before_the_push_was_heard_of_reject_that_head(town: Town, stopped: str) -> None:
    """In the other order the new head would be rejected as well."""
    change = await begun(town, "testing")
    await change.on_pull("omar", stopped)
    push = await _pushed_unheard(change)
    await change.review("grace", "CHANGES_REQUESTED", "it still loses data")
    await arrive(town, *push)
    if "/block" in stopped:
        await change.on_pull("omar", "/resume testing")
    if "/cancel" in stopped:
        town.world.unlabels("ada", change.issue, "signalbox")
        town.world.labels("ada", change.issue, "signalbox")
        await town.settles()
    if "/replan" in stopped or "/cancel" in stopped:
        await change.on_issue("ada", "/plan\nRetry twice.")
        await change.on_issue("grace", "/approve r2")
    await judged_by_sam(change)

    assert (change.phase, town.merges()) == ("building", [])


async def test_changes_requested_while_nothing_can_be_read_reject_the_head_that_is_heard_of_afterwards(
    town: Town,
) -> None:
    change = await begun(town, "testing")
    push = await _pushed_unheard(change)
    town.world.fails("pull", 502, times=None)
    town.world.reviews("grace", change.pull, "CHANGES_REQUESTED", "it loses data")
    await town.hears()
    town.world.heals()
    await arrive(town, *push)
    await judged_by_sam(change)

    assert (change.phase, town.merges()) == ("building", [])


async def test_changes_requested_before_the_plan_is_approved_stand_under_it(town: Town) -> None:
    change = await begun(town, "plan_ready")
    await change.opens_pull()
    await change.review("grace", "CHANGES_REQUESTED", "it loses data")
    await change.on_issue("sam", "/approve r1")
    await judged_by_sam(change)

    assert (change.phase, town.merges()) == ("building", [])


async def test_changes_requested_on_red_checks_stand_when_they_turn_green(town: Town) -> None:
    """ada pushes a head with a red check, and grace's review of it is heard first."""
    change = await begun(town, "testing")
    await change.pushes("ada", green=False, heard=False)
    change.check_run(conclusion="failure")
    late = change.town.world.hooks.take()
    await change.review("grace", "CHANGES_REQUESTED", "it loses data")
    await arrive(town, *late)
    await change.check_ends("success")
    change.notices()

    assert change.phase == "building"


async def test_a_review_that_was_dismissed_rejects_no_head_that_comes(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("omar", "/block may we?")
    push = await _pushed_unheard(change)
    review = town.world.reviews("grace", change.pull, "CHANGES_REQUESTED", "it loses data")
    await town.settles()
    town.world.dismisses_review("sam", review)
    await town.settles()
    await arrive(town, *push)
    await change.on_pull("omar", "/resume testing")
    change.notices()

    assert change.phase == "testing"


async def test_changes_requested_on_a_head_that_is_over_reject_nothing_that_comes(town: Town) -> None:
    change = await begun(town, "testing")
    await change.pushes("ada")
    town.world.reviews("grace", change.pull, "CHANGES_REQUESTED", "c1 loses data", commit=town.heads[0])
    await town.settles()
    assert change.phase == "testing"
    await change.pushes_back("ada", "c1")

    assert change.phase == "testing"


async def test_one_read_of_an_older_state_frees_no_rejected_head(town: Town) -> None:
    """c2 was rejected. One read shows c1 once more, the next one c2 again; nobody pushed."""
    change = await begun(town, "testing")
    await change.pushes("ada")
    await change.on_pull("grace", "/reject it loses data")
    (c1, c2), goes, left = town.heads, town.road.handle_async_request, [1]

    async def lags(request: httpx.Request) -> httpx.Response:
        if request.method == "GET" and request.url.path.endswith(f"/pulls/{change.pull.number}") and left:
            left.clear()
            change.pull.head = c1
            try:
                return await goes(request)
            finally:
                change.pull.head = c2
        return await goes(request)

    town.road.handle_async_request = lags  # type: ignore[method-assign]
    await town.later(minutes=60, stride=60)
    change.notices()

    assert (bool(left), change.phase) == (False, "building")


async def test_a_rejected_head_that_was_read_before_the_news_of_its_push_is_judged_once_that_is_heard(
    town: Town,
) -> None:
    change = await begun(town, "testing")
    await change.on_pull("grace", "/reject not like this")
    await change.pushes("ada")
    town.world.force_pushes("ada", change.pull, sha=town.heads[0])
    push = town.world.hooks.take()
    town.world.fails("activity", 502, times=None)
    await change.on_pull("sam", "/approve")  # it looks first
    town.world.heals()
    change.notices()
    assert change.phase == "building"
    await arrive(town, *push)
    change.notices()

    assert change.phase == "testing"
