"""A base on which much happened since a pull request began keeps nobody from settling its merge (LIFECYCLE.md 3.6, L4)."""

import pytest

from tests.kit.change import Change, begun
from tests.kit.town import Town
from tests.scenarios.conftest import anyio_backend, merge_api, town

__all__ = ["anyio_backend", "merge_api", "town"]
pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("merge_api", ["sync"])]


async def on_a_busy_base(town: Town) -> Change:
    """Forty commits came to main since the branch began, as squashes do."""
    change = await begun(town, "almost")
    for _ in range(40):
        town.world.pushes("sam", town.repo, "main")
    await town.settles()
    return change


async def test_an_operator_settles_as_unmerged_what_never_landed(town: Town) -> None:
    change = await on_a_busy_base(town)
    await change.unknown()
    await town.later(minutes=16, stride=240)
    change.notices()
    before = len(town.world.requests)

    said = await change.on_pull("omar", "/settle unmerged I looked at main.")

    assert (await change.merge_state(), change.reply(said)) == ("refused", None)
    asked = [one.operation for one in town.world.requests[before:]]
    assert asked.count("commit_pulls") == 0, "what came before the request cannot be its merge"


async def test_a_conflict_is_told_as_github_s_no(town: Town) -> None:
    """GitHub answers 405 "not mergeable", which did nothing: nobody has to wait for a window, or for an operator."""
    change = await on_a_busy_base(town)
    town.world.conflicts(change.pull)
    await town.settles()

    await change.merges()
    change.notices()

    assert await change.merge_state() == "refused", change.says
