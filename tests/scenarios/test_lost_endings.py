"""Work that is over hears what happens on GitHub too, with every webhook lost (LIFECYCLE.md 2.1, 2.2, 5; L1)."""

import pytest

from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def cancelled(town: Town, *, swept: bool) -> Change:
    change = await begun(town, "testing")
    await change.on_issue("ada", "/cancel not needed")
    if swept:
        await town.later(minutes=6, stride=60)
    return change


@pytest.mark.parametrize("swept", [False, True])
async def test_a_merge_of_withdrawn_work_by_somebody_else_is_recorded_as_done(town: Town, swept: bool) -> None:
    """Also before the first sweep, whose list lacks closed pull requests."""
    change = await cancelled(town, swept=swept)
    town.world.drops_webhooks(logged=False)
    town.world.merges_by_hand("omar", change.pull)
    await town.settles()
    town.world.heals()

    await town.later(minutes=7, stride=60)
    change.notices()

    assert change.phase == "done"


async def test_a_merge_of_withdrawn_work_that_the_base_shows_later_is_recorded_as_done(town: Town) -> None:
    change = await cancelled(town, swept=False)
    before = town.world.tip(town.repo, "main")
    town.world.merges_by_hand("omar", change.pull)
    after = town.world.tip(town.repo, "main")
    town.world.force_pushes("omar", town.repo, "main", sha=before)
    await town.settles()
    assert (await change.record())["phase"] == "testing"
    town.world.force_pushes("omar", town.repo, "main", sha=after)

    await town.later(minutes=2, stride=30)
    change.notices()

    assert change.phase == "done"


async def test_whoever_begins_finished_work_anew_is_told_that_done_is_final(town: Town) -> None:
    change = await begun(town, "almost")
    await change.merges(seconds=60)
    change.notices()
    town.world.unlabels("ada", change.issue, "signalbox")
    await town.settles()
    town.world.drops_webhooks(logged=False)
    town.world.reopens("ada", change.issue)
    town.world.labels("ada", change.issue, "signalbox")
    await town.settles()
    town.world.heals()

    await town.later(minutes=13, stride=60)

    told = [one for one in change.notices() if "done is final" in one]
    assert len(told) == 1, told
