"""A part of a pull request that somebody brings to its base by themselves is not its merge (LIFECYCLE.md 3.5, 3.6, I5).

GitHub lists open pull requests for a commit that the default branch lacks (`GET /commits/{sha}/pulls`), so on any other base
a commit may be named by a pull request that is not merged at all.
"""

import pytest

from tests.kit.change import Change, begun
from tests.kit.town import Town
from tests.scenarios.conftest import anyio_backend, merge_api, town

__all__ = ["anyio_backend", "merge_api", "town"]
pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("merge_api", ["sync"])]


async def unknown_on_release(town: Town) -> tuple[Change, str]:
    """Two commits for `release`; nobody knows whether GitHub merged them (it did not). The first of them."""
    world = town.world
    world.branches("omar", town.repo, "release")
    world.requires(town.repo, "build", branch="release")
    change = await begun(town, "building")
    branch = "signalbox/1-retry"
    world.branches("ada", town.repo, branch)
    first = world.pushes("ada", town.repo, branch)
    town.heads.append(world.pushes("ada", town.repo, branch))
    change.linked = world.opens_pull("ada", town.repo, "Retry", head=branch, body="Closes #1", base="release")
    change.check_run()
    await town.settles()
    await change.passes("testing")
    await change.approved_by("grace")
    await change.unknown()
    return change, first


async def test_it_is_not_taken_for_the_merge_and_keeps_nobody_from_settling(town: Town) -> None:
    change, first = await unknown_on_release(town)
    town.world.force_pushes("omar", town.repo, "release", sha=first)
    await town.later(minutes=16, stride=240)
    town.world.closes("ada", change.pull)
    change.notices()

    said = await change.on_pull("omar", f"/settle merged {first}")
    refusal = change.reply(said)
    change.notices()
    assert (change.phase, change.pull.merged) == ("submit", False)
    assert "does not show" in (refusal or ""), refusal

    said = await change.on_pull("omar", "/settle unmerged I looked at release.")
    assert (await change.merge_state(), change.reply(said)) == ("none", None)


async def test_a_base_that_was_deleted_proves_that_nothing_landed(town: Town) -> None:
    """GitHub closes what is for it; what is not merged by then never will be."""
    change, _ = await unknown_on_release(town)
    town.repo.rulesets.clear()
    town.world.deletes_branch("omar", town.repo, "release")
    await town.later(minutes=18, stride=120)

    assert (change.pull.open, change.pull.merged) == (False, False)
    assert (change.phase, await change.merge_state()) == ("building", "none")
