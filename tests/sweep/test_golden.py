"""From a label to a confirmed merge although webhooks are lost: everything happens, only later."""

import pytest

from tests.kit.sweeping import INTERVAL, SweepingStage
from tests.simulation.golden import Golden


def plays(stage: SweepingStage, seconds: float) -> Golden:
    golden = Golden(stage)
    for act in golden.acts:
        act()
        golden.rest(seconds)
    golden.rest(1200)
    return golden


@pytest.fixture(scope="module")
def expected() -> dict[str, object]:
    outcome = plays(SweepingStage(), 70).outcome()
    assert outcome["phase"] == "done"
    return outcome


def test_with_every_webhook_lost_the_same_happens_later(expected: dict[str, object]) -> None:
    """L1: each event shows within one sweep."""
    stage = SweepingStage()
    stage.world.drops_webhooks(logged=False)

    golden = plays(stage, INTERVAL + 70)

    assert golden.outcome() == expected
    assert stage.world.hooks.log == []
    assert [line for line in stage.log.lines if line[0] == "error"] == []


def test_failed_webhooks_that_github_logged_are_delivered_again(expected: dict[str, object]) -> None:
    """known-faults.md, row 110."""
    stage = SweepingStage()
    stage.world.drops_webhooks(logged=True)

    golden = plays(stage, INTERVAL + 70)

    assert golden.outcome() == expected
    again = [hook for hook in stage.world.hooks.log if hook.redelivery]
    assert again != []
    assert all(hook.status_code == 202 for hook in again)


@pytest.mark.parametrize("how", ["read", "any"])
def test_after_thirty_minutes_of_503_everything_goes_on(how: str, expected: dict[str, object]) -> None:
    """known-faults.md, row 116."""
    stage = SweepingStage()
    golden = Golden(stage)
    for number, act in enumerate(golden.acts):
        if number == 5:
            stage.world.fails(how, 503, times=None)
            act()
            golden.rest(1800)
            stage.world.heals()
            golden.rest(1900)
        else:
            act()
        golden.rest(70)
    golden.rest(1200)

    assert golden.outcome() == expected
