"""Labels do not differ by case: where `Signalbox` exists, GitHub takes `signalbox` for that one."""

import pytest

from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("lost", [False, True])
async def test_a_start_label_that_somebody_made_in_capitals_starts_work(town: Town, lost: bool) -> None:
    town.world.creates_label("ada", town.repo, "Signalbox", "ededed")
    change = Change(town, town.world.opens_issue("ada", town.repo, "Retry"))
    await town.later(minutes=6, stride=180)
    if lost:
        town.world.drops_webhooks(logged=False)
    town.world.labels("ada", change.issue, "signalbox")
    await town.settles()
    await town.later(minutes=6 if lost else 0, stride=60)
    assert "signalbox/planning" in [label.name for label in change.issue.labels]


@pytest.mark.parametrize("lost", [False, True])
async def test_a_start_label_that_was_renamed_to_capitals_withdraws_when_it_is_taken_off(
    town: Town, lost: bool
) -> None:
    change = await begun(town, "building")
    await town.later(minutes=6, stride=180)
    if lost:
        town.world.drops_webhooks(logged=False)
    town.repo.labels["signalbox"].name = "SignalBox"
    town.world.unlabels("ada", change.issue, "SignalBox")
    await town.settles()
    await town.later(minutes=6 if lost else 0, stride=60)
    assert change.issue_says.startswith("**withdrawn**")


async def test_phase_labels_that_were_renamed_to_capitals_are_still_ours(town: Town) -> None:
    change = await begun(town, "building")
    town.world.creates_label("lin", town.repo, "Signalbox/Done", "ededed")
    town.repo.labels["signalbox/building"].name = "Signalbox/Building"
    town.world.labels("lin", change.issue, "signalbox/done")
    await town.settles()
    assert [one.name for one in change.issue.labels] == ["signalbox", "Signalbox/Building"]

    await change.opens_pull()
    assert [one.name for one in change.issue.labels] == ["signalbox", "signalbox/testing"]
