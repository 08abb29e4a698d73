"""One installation, several repositories: what is told of all of them is read in each one's own."""

import pytest

from tests.kit.change import begun
from tests.kit.town import PEOPLE, Town

pytestmark = pytest.mark.anyio


async def test_an_app_that_comes_back_reads_each_pull_request_in_its_own_repository(town: Town) -> None:
    """The first repository has no pull request of that number, and the work in the second one is not lost for that."""
    world = town.world
    world.labels("ada", world.opens_issue("ada", town.repo, "Something else"), "signalbox")
    await town.settles()
    town.repo = world.repository("octo/beta", members=dict(PEOPLE))
    world.requires(town.repo, "build")
    change = await begun(town, "testing")

    world.suspends()
    await town.settles()
    frozen = (await change.record())["frozen"]
    world.unsuspends()
    await town.settles()

    assert (frozen, (await change.record())["frozen"], change.phase) == ("suspended", None, "testing")
    assert change.row("Review").startswith("⏳ Review: 0 of 1")
