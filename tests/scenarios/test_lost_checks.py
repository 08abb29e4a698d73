"""No webhook tells of a check: the sweep reads every run and status of the head and finds what it says now (L1)."""

from collections.abc import Callable

import pytest

from bot.simulator.model.checks import CheckRun
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

#: One of the two that are required: a check run of an App, and a status of a person's machine.
Reports = Callable[[Change, str], object]


def by_run(change: Change, state: str) -> CheckRun:
    running = state == "pending"
    conclusion = {"success": "success", "failure": "failure"}.get(state)
    status = "in_progress" if running else "completed"
    return change.town.world.check_run("actions", change.pull, "build", status, conclusion)


def by_status(change: Change, state: str) -> object:
    return change.town.world.status("ada", change.pull, "legacy", state)


BY = pytest.mark.parametrize("reports", [by_run, by_status])


async def begun_with_both(town: Town, stage: str) -> Change:
    town.world.requires(town.repo, "legacy")
    change = await begun(town, "building")
    await change.opens_pull(heard=False)
    by_status(change, "success")
    await town.settles()
    if stage == "submit":
        await change.passes("testing")
    change.notices()
    return change


async def unheard(change: Change, reports: Reports, state: str) -> None:
    """It happens, no webhook says so, and one sweep passes."""
    change.town.world.drops_webhooks(logged=False)
    reports(change, state)
    await change.town.later(minutes=6, stride=60)
    change.notices()


@BY
async def test_a_check_that_fails_again_after_success_sends_the_head_back(town: Town, reports: Reports) -> None:
    change = await begun_with_both(town, "submit")

    await unheard(change, reports, "failure")

    assert change.phase == "building"


@BY
async def test_a_check_that_is_run_again_after_success_is_waited_for(town: Town, reports: Reports) -> None:
    change = await begun_with_both(town, "submit")
    await change.approved_by("grace")

    await unheard(change, reports, "pending")
    town.world.heals()
    await change.merges()

    assert (change.phase, town.merges()) == ("submit", [])
    assert (await change.record())["verification"]["state"] == "pending"


@BY
async def test_a_check_that_completes_opens_the_gate(town: Town, reports: Reports) -> None:
    change = await begun_with_both(town, "testing")
    reports(change, "pending")
    await town.settles()
    await change.passes("testing")
    assert change.phase == "testing"

    await unheard(change, reports, "success")

    assert change.phase == "submit"


@BY
async def test_a_red_check_that_is_green_again_makes_the_head_a_candidate(town: Town, reports: Reports) -> None:
    change = await begun_with_both(town, "testing")
    reports(change, "failure")
    await town.settles()
    assert change.phase == "building"

    await unheard(change, reports, "success")

    assert change.phase == "testing"


async def test_a_run_that_its_app_changes_after_it_was_green_is_read_again(town: Town) -> None:
    change = await begun_with_both(town, "submit")
    run = next(one for one in town.repo.runs if one.name == "build")

    def changes(_change: Change, _state: str) -> None:
        town.world.updates_check_run(town.repo, run, conclusion="failure")

    await unheard(change, changes, "failure")

    assert change.phase == "building"


@BY
@pytest.mark.parametrize("merge_api", ["sync"])
async def test_a_refused_merge_is_asked_again_when_the_sweep_finds_what_changed(town: Town, reports: Reports) -> None:
    change = await begun_with_both(town, "submit")
    await change.approved_by("grace")
    town.world.fails("merge", 405, message="Repository rule violations found")
    await change.merges()
    assert town.merges() == []

    await unheard(change, reports, "success")

    assert town.merges() == ["c1 by signalbox[bot]"]
