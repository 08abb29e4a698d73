"""A success of our check run whose answer never came may arrive late. It never stands where nobody gave it (I24)."""

from collections.abc import Awaitable, Callable

import pytest

from bot.domain.model.policy import STRICT, MergeRule
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

BY_COMMAND = STRICT.model_copy(update={"merge": MergeRule(trigger="command")})


def runs(town: Town, head: str) -> list[str]:
    """Our check runs on the commit, newest last."""
    return [str(one.conclusion or one.status) for one in town.repo.runs if one.head == head and one.name == "signalbox"]


async def green_unheard(town: Town) -> Change:
    """The last gate was approved; what the check says of it leaves with the next step of the publisher."""
    town.policy = BY_COMMAND
    change = await begun(town, "almost")
    await change.on_pull("omar", "/gate submit c1", heard=False)
    await town.hears()
    return change


async def _pushes(change: Change) -> None:
    await change.pushes()


async def _rejects(change: Change) -> None:
    await change.on_pull("grace", "/reject no good")


LEAVES = pytest.mark.parametrize("leaves", [_pushes, _rejects])


@LEAVES
async def test_a_success_that_lands_after_the_commit_was_left_is_taken_away(
    town: Town, leaves: Callable[[Change], Awaitable[None]]
) -> None:
    change = await green_unheard(town)
    head = change.pull.head
    town.world.lands_late("update_check_run", 45)
    await town.shows(1)
    await leaves(change)
    await town.later(seconds=8, stride=1)
    assert runs(town, head)[-1] != "success"

    await town.later(seconds=60, stride=1)

    assert runs(town, head)[-1] != "success"
    change.notices()


async def test_a_success_that_lands_minutes_late_is_taken_away_after_a_restart_as_well(town: Town) -> None:
    change = await green_unheard(town)
    head = change.pull.head
    town.world.lands_late("update_check_run", 200)
    await town.shows(1)
    await change.pushes()
    await town.restarts()

    await town.later(minutes=6, stride=10)

    assert runs(town, head) == ["cancelled"]
    change.notices()


async def test_a_success_on_its_way_when_the_process_dies_is_looked_for_by_the_next(town: Town) -> None:
    change = await green_unheard(town)
    head = change.pull.head
    town.world.lands_late("update_check_run", 200)
    await town.shows(1)
    await town.boots()
    await change.pushes()

    await town.later(minutes=6, stride=10)

    assert runs(town, head) == ["cancelled"]
    change.notices()


async def test_when_nothing_can_come_any_more_github_is_left_alone(town: Town) -> None:
    change = await green_unheard(town)
    town.world.loses_answer_to("update_check_run", landed=False)
    await town.later(minutes=7, stride=10)
    assert runs(town, change.pull.head) == ["success"]
    written = town.asked("update_check_run")

    await town.later(minutes=30, stride=30)

    assert town.asked("update_check_run") == written
    change.notices()


async def test_a_success_without_an_answer_does_not_stand_on_a_commit_that_another_record_judges(town: Town) -> None:
    """The other pull request comes in the moment in which success is under way."""
    town.policy = BY_COMMAND
    other = await begun(town, "building", title="The same for stable")
    town.world.branches("ada", town.repo, "stable")
    first = await begun(town, "almost")
    head = first.pull.head
    run = next(one.id for one in town.repo.runs if one.head == head and one.name == "signalbox")

    async def arrives() -> None:
        branch = f"signalbox/{other.issue.number}-stable"
        town.world.force_pushes("ada", town.repo, branch, sha=head)
        other.linked = town.world.opens_pull("ada", town.repo, "The same for stable", head=branch, base="stable")
        await town.hears()
        await town.shows()
        town.world.loses_answer_to("update_check_run")

    await first.on_pull("omar", "/gate submit c1", heard=False)
    await town.hears()
    town.just_before(f"/check-runs/{run}", arrives)
    await town.settles()
    await town.later(seconds=10)

    assert runs(town, head)[-1] != "success"
    first.notices()
    other.notices()


async def test_a_check_that_waits_again_is_concluded_without_success_first(town: Town) -> None:
    """What GitHub makes of the old conclusion when a run is opened again is its own affair."""
    change = await green_unheard(town)
    await town.settles()
    assert runs(town, change.pull.head)[-1] == "success"
    before = len(town.world.requests)

    await change.on_pull("grace", "/revoke")

    written = [one.body for one in town.world.requests[before:] if one.operation == "update_check_run"]
    assert [(one["status"], one.get("conclusion")) for one in written if one] == [
        ("completed", "action_required"),
        ("in_progress", None),
    ]
    assert runs(town, change.pull.head)[-1] == "in_progress"
    change.notices()
