"""The clock of the bot's machine is set while a merge is unknown: what keeps us from asking twice ends by real time
(LIFECYCLE.md section 3.6), and nothing waits for hours because a clock went back.
"""

from datetime import timedelta

import pytest

from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def unknown_and_closed(town: Town) -> Change:
    """Nobody knows whether the request can still land, and the pull request is closed: proof only waits for the window."""
    change = await begun(town, "almost")
    await change.unknown()
    town.world.closes("ada", change.pull)
    await town.settles()
    return change


async def test_a_clock_set_forward_does_not_end_the_window(town: Town) -> None:
    """threats.md, T27."""
    change = await unknown_and_closed(town)
    town.host.off = timedelta(hours=2)
    await town.later(minutes=10, stride=20)
    assert await change.merge_state() == "ambiguous"

    await town.later(minutes=8, stride=20)

    assert (await change.merge_state(), change.phase) == ("none", "building")
    change.notices()


async def test_an_operator_cannot_settle_earlier_because_the_clock_was_set_forward(town: Town) -> None:
    change = await unknown_and_closed(town)
    town.host.off = timedelta(hours=2)
    said = await change.on_pull("omar", "/settle unmerged It was closed.")

    assert "GitHub is still read until" in (change.reply(said) or "")
    assert await change.merge_state() == "ambiguous"


async def test_a_clock_set_back_makes_nobody_wait_for_hours(town: Town) -> None:
    """threats.md, T27."""
    change = await unknown_and_closed(town)
    town.host.off = -timedelta(hours=2)

    await town.later(minutes=30, stride=20)

    assert (await change.merge_state(), change.phase) == ("none", "building")
    change.notices()


async def test_an_operator_settles_though_our_clock_is_ahead(town: Town) -> None:
    """Words are written by GitHub's clock, so what they are compared with is told by it."""
    town.host.off = timedelta(hours=2)
    change = await begun(town, "almost")
    await change.unknown()
    await town.later(minutes=20, stride=60)
    settled = await change.on_pull("omar", "/settle unmerged It never arrived.")
    assert (change.reply(settled), await change.merge_state()) == (None, "refused")
    change.notices()


async def test_an_operator_resumes_what_blocked_by_itself_though_our_clock_is_ahead(town: Town) -> None:
    town.host.off = timedelta(hours=2)
    change = await begun(town, "testing")
    town.world.check_run("actions", change.pull, "build", conclusion=None)
    await town.settles()
    await town.later(minutes=150, stride=600)
    assert change.phase == "blocked"
    await change.check_ends("success")

    said = await change.on_pull("omar", "/resume testing")

    assert (change.reply(said), change.phase) == (None, "testing")
    change.notices()
