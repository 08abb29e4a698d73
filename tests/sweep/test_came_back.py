"""What went away and came back while no webhook told: everything looks as before, and what was decided is void all the same."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.kit.sweeping import INTERVAL
from tests.simulation.golden import Golden
from tests.sweep.test_lost import Swept, approved, reached, record, swept, under_way, waits

Happens = Callable[[Golden], None]


def away_and_back(golden: Golden, away: Callable[..., object], back: Callable[..., object], *of: object) -> None:
    away("ada", *of)
    golden.stage.world.clock.advance(3)
    back("ada", *of)


def closed_and_reopened(golden: Golden) -> None:
    away_and_back(golden, golden.stage.world.closes, golden.stage.world.reopens, golden.pull)


def issue_closed_and_reopened(golden: Golden) -> None:
    away_and_back(golden, golden.stage.world.closes, golden.stage.world.reopens, golden.issue)


def label_taken_away_and_added(golden: Golden) -> None:
    away_and_back(golden, golden.stage.world.unlabels, golden.stage.world.labels, golden.issue, "signalbox")


def retargeted_there_and_back(golden: Golden) -> None:
    golden.stage.world.branches("ada", golden.repo, "other")
    for base in ("other", "main"):
        golden.stage.world.clock.advance(3)
        golden.stage.world.retargets("ada", golden.pull, base)


OF_THE_PULL = [closed_and_reopened, retargeted_there_and_back]
OF_THE_ISSUE = [issue_closed_and_reopened, label_taken_away_and_added]


@pytest.mark.parametrize("behind", [0, 3600])
@pytest.mark.parametrize("happens", OF_THE_PULL)
def test_what_was_decided_before_a_pull_request_went_away_and_came_back_is_void(happens: Happens, behind: int) -> None:
    """GitHub's clock may be behind ours: its times are compared with its own."""
    golden = Swept()
    clock = golden.stage.world.clock
    clock.stamp = lambda: clock.now().replace(microsecond=0) - timedelta(seconds=behind)  # type: ignore[method-assign]
    for act in golden.acts[:6]:
        act()
        golden.rest()
    waits(golden, 2 * INTERVAL)
    assert len(approved(golden)) == 1
    golden.stage.world.drops_webhooks(logged=False)
    clock.advance(3)
    happens(golden)
    swept(golden)
    assert approved(golden) == []


@pytest.mark.parametrize("happens", OF_THE_ISSUE)
def test_what_was_decided_before_an_issue_went_away_and_came_back_is_void(happens: Happens) -> None:
    golden = reached(6)
    golden.stage.world.clock.advance(3)
    happens(golden)
    waits(golden, 3 * INTERVAL)
    assert (record(golden).phase, record(golden).withdrawn) == ("planning", False)


@pytest.mark.parametrize("happens", [*OF_THE_PULL, *OF_THE_ISSUE])
def test_what_webhooks_told_is_not_void_once_more_by_the_sweep(happens: Happens) -> None:
    golden = under_way(6)
    golden.stage.world.clock.advance(3)
    happens(golden)
    golden.rest()
    before = record(golden).version, record(golden).head_epoch
    waits(golden, 3 * INTERVAL)
    assert (record(golden).version, record(golden).head_epoch) == before


def test_a_retarget_there_and_back_that_is_heard_late_is_seen_all_the_same() -> None:
    """Both webhooks come when it is over: every read shows the old base."""
    golden = under_way(6)
    golden.stage.world.clock.advance(3)
    retargeted_there_and_back(golden)
    golden.stage.settles()
    assert approved(golden) == []


@pytest.mark.parametrize("logged", [True, False], ids=["delivered again", "found by the sweep"])
def test_a_closing_that_is_heard_after_the_reopening_leaves_nothing_withdrawn(logged: bool) -> None:
    """The webhook of the closing failed; that of the reopening came, and meant nothing then."""
    golden = under_way(3)
    world = golden.stage.world
    world.drops_webhooks(times=1, event="issues", logged=logged)
    world.closes("ada", golden.issue)
    golden.stage.later(30)
    world.reopens("ada", golden.issue)
    waits(golden, 6 * INTERVAL)
    assert (record(golden).phase, record(golden).withdrawn) == ("planning", False)
