"""Another start label in the policy says nothing about work that is under way (LIFECYCLE.md 2.2: only whoever takes the start
label off withdraws)."""

import pytest

from tests.kit.change import begun
from tests.kit.policy_files import lays_down
from tests.kit.town import Town
from tests.scenarios.conftest import anyio_backend, merge_api, town

__all__ = ["anyio_backend", "merge_api", "town"]
pytestmark = pytest.mark.anyio


async def test_a_label_that_was_taken_off_before_it_became_the_start_label_withdraws_nothing(town: Town) -> None:
    """ada triaged the issue with `ready` long before anybody thought of it as a start label."""
    change = await begun(town)
    town.world.labels("ada", change.issue, "ready")
    town.world.unlabels("ada", change.issue, "ready")
    await town.settles()
    await change.reaches("plan_ready")
    await town.later(minutes=10, stride=60)

    await lays_down(town, "version: 1\nstart_label: ready\n")
    await town.later(minutes=20, stride=60)

    assert not (await change.record())["withdrawn"], change.issue_says


async def test_a_label_whose_definition_is_deleted_is_not_taken_off_by_whoever_did_so_once(town: Town) -> None:
    """ada took the label off once and put it back. That lin deletes it from the repository today is no word of hers."""
    change = await begun(town)
    town.world.unlabels("ada", change.issue, "signalbox")
    await town.settles()
    town.world.clock.advance(60)
    town.world.labels("ada", change.issue, "signalbox")
    await town.settles()
    await change.reaches("plan_ready")
    await town.later(minutes=10, stride=60)

    town.world.deletes_label("lin", town.repo, "signalbox")
    await town.later(minutes=20, stride=60)

    record = await change.record()
    change.notices()
    assert not record["withdrawn"], change.issue_says
    assert "signalbox" in [label.name for label in change.issue.labels]


async def test_issues_that_wore_a_label_before_it_became_the_start_label_start_nothing(town: Town) -> None:
    """Every old bug would become work. Nobody told of it: the bot came to the repository later."""
    await begun(town)
    old = town.world.opens_issue("ada", town.repo, "An old bug")
    town.world.labels("ada", old, "bug")
    town.world.hooks.take()
    await town.later(minutes=10, stride=60)

    await lays_down(town, "version: 1\nstart_label: bug\n")
    await town.later(minutes=20, stride=60)
    assert old.comments == []

    town.world.unlabels("ada", old, "bug")
    town.world.labels("ada", old, "bug")
    await town.later(minutes=1, stride=20)
    assert "**planning**" in town.status_of(old)
