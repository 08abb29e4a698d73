"""A merge whose base was rolled back or deleted before both sides showed it: somebody leads on, nothing turns in circles."""

from collections.abc import Callable

import httpx
import pytest

from tests.kit.change import Change, begun
from tests.kit.places import approved_on_another_base
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


def right_after_the_merge(town: Town, act: Callable[[], object]) -> None:
    """What somebody does on GitHub after it merged, before we look."""
    goes = town.road.handle_async_request

    async def handle(request: httpx.Request) -> httpx.Response:
        try:
            return await goes(request)
        finally:
            if request.method == "PUT" and request.url.path.endswith("/merge"):
                act()

    town.road.handle_async_request = handle  # type: ignore[method-assign]


async def settles(town: Town, change: Change, sha: str) -> str:
    said = await change.on_pull("omar", f"/settle merged {sha}")
    change.notices()
    return change.reaction(said)


@pytest.mark.parametrize("merge_api", ["sync"])
async def test_an_operator_settles_a_merge_whose_base_was_rolled_back(town: Town) -> None:
    change = await begun(town, "almost")
    before = town.world.tip(town.repo, "main")
    right_after_the_merge(town, lambda: town.world.force_pushes("omar", town.repo, "main", sha=before))
    await change.merges(seconds=60)
    assert await settles(town, change, town.world.landed[-1].sha) == "confused", (
        "it is read for the settle window first"
    )
    await town.later(minutes=60, stride=300)
    assert await settles(town, change, before) == "confused", "that is not what the pull request was merged as"
    assert await settles(town, change, town.world.landed[-1].sha) == "+1"

    assert change.phase == "done"
    assert "Missing at that moment: the merge commit on `main`." in change.waits
    assert change.pull.head_ref in town.repo.branches, "its commits may be nowhere else"


@pytest.mark.parametrize("merge_api", ["sync"])
async def test_an_operator_settles_a_merge_whose_base_was_deleted(town: Town) -> None:
    """ada, its author, may delete the branch that her pull request was merged into."""
    change = await approved_on_another_base(town)
    right_after_the_merge(town, lambda: town.world.deletes_branch("ada", town.repo, "next"))
    await change.merges(seconds=60)
    await town.later(minutes=60, stride=300)

    assert await settles(town, change, town.world.landed[-1].sha) == "+1"
    assert change.phase == "done"


async def by_hand_and_rolled_back(town: Town) -> Change:
    change = await begun(town, "submit")
    before = town.world.tip(town.repo, "main")
    town.world.merges_by_hand("omar", change.pull, "squash")
    town.world.force_pushes("omar", town.repo, "main", sha=before)
    await town.later(minutes=10, stride=5)
    return change


async def test_a_merge_by_hand_that_was_rolled_back_is_told_and_looked_at_with_growing_pauses(town: Town) -> None:
    change = await by_hand_and_rolled_back(town)
    assert change.waits.startswith("Nobody needs to do anything yet: the pull request shows a merge outside Signalbox")
    asked = len(town.world.requests)
    await town.later(minutes=4, stride=5)
    change.notices()

    assert len(town.world.requests) - asked < 40


async def test_a_merge_by_hand_that_was_rolled_back_is_an_operators_to_settle(town: Town) -> None:
    """Only the pull request shows it, so it is not done by itself, whatever the rules say of merges by others."""
    change = await by_hand_and_rolled_back(town)
    await town.later(minutes=10, stride=30)
    asked = len(town.world.requests)
    await town.later(minutes=60, stride=30)
    assert (change.phase, len(town.world.requests) - asked < 200) == ("blocked", True)
    assert change.waits.startswith("Waiting for **an operator** to settle a merge outside Signalbox")

    assert await settles(town, change, change.pull.merge_commit or "") == "+1"
    assert change.phase == "done"
    assert "the merge commit on `main`" in change.waits
