"""What withdraws and what revives is heard in any order: the last of it stands, as GitHub shows it (LIFECYCLE.md 2.6, I14)."""

import pytest

from tests.kit.change import Change, begun
from tests.kit.late import arrive
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def _withdrawn_after_a_cancel(change: Change) -> bool:
    """omar cancels, and what happened before is heard after it."""
    late = change.town.world.hooks.take()
    change.town.world.clock.advance(5)
    await change.on_pull("omar", "/cancel we do not want this")
    await arrive(change.town, *late)
    change.notices()
    return bool((await change.record())["withdrawn"])


async def test_an_issue_that_was_closed_last_stays_withdrawn(town: Town) -> None:
    """Closed, reopened, closed; the reopening is heard last, and an hour of sweeps changes nothing."""
    change = await begun(town, "testing")
    for act in (town.world.closes, town.world.reopens, town.world.closes):
        act("ada", change.issue)
    closed, reopened, again = [hook for hook in town.world.hooks.take() if hook.event == "issues"]
    await arrive(town, closed, again, reopened)
    at_once = (await change.record())["withdrawn"]
    await town.later(minutes=60, stride=60)

    assert (at_once, (await change.record())["withdrawn"]) == (True, True), "its issue is closed"


async def test_an_issue_that_is_closed_again_is_not_revived_by_the_reopening_before(town: Town) -> None:
    """The second closing is on its way."""
    change = await begun(town, "testing")
    for act in (town.world.closes, town.world.reopens, town.world.closes):
        act("ada", change.issue)
    closed, reopened, _ = [hook for hook in town.world.hooks.take() if hook.event == "issues"]
    await arrive(town, closed, reopened)

    assert (await change.record())["withdrawn"], "its issue is closed"


async def test_an_issue_that_was_reopened_before_it_was_cancelled_stays_withdrawn(town: Town) -> None:
    """The issue is open, and omar's word is the last one."""
    change = await begun(town, "testing")
    town.world.closes("ada", change.issue)
    await town.settles()
    town.world.reopens("ada", change.issue)

    assert await _withdrawn_after_a_cancel(change)


async def test_a_label_from_before_a_cancel_does_not_undo_it(town: Town) -> None:
    change = await begun(town, "testing")
    town.world.unlabels("ada", change.issue, "signalbox")
    await town.settles()
    town.world.labels("ada", change.issue, "signalbox")

    assert await _withdrawn_after_a_cancel(change), "omar cancelled it after the label was added, and got a thumb up"


async def test_a_label_that_is_gone_again_revives_nothing(town: Town) -> None:
    """Taken off, put on, taken off; the first two are heard."""
    change = await begun(town, "testing")
    for act in (town.world.unlabels, town.world.labels, town.world.unlabels):
        act("ada", change.issue, "signalbox")
    await arrive(town, *town.world.hooks.take()[:-1])

    assert (await change.record())["withdrawn"]


async def test_an_issue_that_is_open_again_does_not_stay_withdrawn_by_a_closing_that_is_heard_late(town: Town) -> None:
    change = await begun(town, "testing")
    town.world.closes("ada", change.issue)
    late = town.world.hooks.take()
    town.world.reopens("ada", change.issue)
    await town.later(minutes=2, stride=30)
    await arrive(town, *late)
    await town.later(minutes=30, stride=60)
    change.notices()

    assert not (await change.record())["withdrawn"], "its issue is open, and nobody can reopen it"


async def test_a_closing_counts_though_the_issue_cannot_be_read(town: Town) -> None:
    change = await begun(town, "testing")
    town.world.closes("ada", change.issue)
    late = town.world.hooks.take()
    await town.later(minutes=2, stride=30)
    town.world.fails("issue", 502, times=None)
    await arrive(town, *late)
    town.world.heals()

    assert (await change.record())["withdrawn"]
