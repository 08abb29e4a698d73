"""A second pull request at a head that carries our success never inherits it."""

import pytest
from inline_snapshot import snapshot

from bot.simulator.model.threads import Pull
from tests.kit.change import Change
from tests.kit.places import BY_COMMAND, approved_on_another_base, green
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


def opens_twin(town: Town, change: Change) -> Pull:
    town.world.force_pushes("grace", town.repo, "twin", sha=change.pull.head)
    return town.world.opens_pull("grace", town.repo, "The same commit", head="twin")


async def test_the_check_loses_success_before_anything_else_is_written(town: Town) -> None:
    change = await green(town)
    before = len(town.world.requests)
    opens_twin(town, change)

    await town.settles()

    writes = [one for one in town.world.requests[before:] if one.method != "GET"]
    assert (writes[0].operation, writes[0].body.get("conclusion"), change.check) == snapshot(
        (
            "update_check_run",
            "action_required",
            "action_required · submit: another open pull request, #3, has this head",
        )
    )


async def test_the_check_comes_back_when_the_twin_closes(town: Town) -> None:
    change = await green(town)
    twin = opens_twin(town, change)
    await town.settles()
    assert not change.check.startswith("success")

    town.world.closes("grace", twin)
    await town.settles()

    assert change.check == "success · submit: all gates complete for c1"


async def test_a_twin_is_seen_where_the_default_branch_has_the_commit_already(town: Town) -> None:
    town.policy = BY_COMMAND
    change = await approved_on_another_base(town)
    await change.on_pull("omar", "/gate submit c1")
    assert change.check.startswith("success")
    town.world.force_pushes("omar", town.repo, "main", sha=change.pull.head)
    await town.settles()

    town.world.force_pushes("grace", town.repo, "twin", sha=change.pull.head)
    town.world.opens_pull("grace", town.repo, "The same commit", head="twin", base="next")
    await town.settles()
    said = await change.on_pull("omar", "/merge")

    assert (change.check, town.merges()) == (
        "action_required · submit: another open pull request, #3, has this head",
        [],
    )
    assert "#3 has the same head" in (change.reply(said) or "")


@pytest.mark.parametrize("how", ["reopened", "pushed"])
async def test_a_pull_request_that_comes_to_the_head_later_takes_success_away_too(town: Town, how: str) -> None:
    change = await green(town)
    town.world.pushes("grace", town.repo, "twin")
    twin = town.world.opens_pull("grace", town.repo, "Another one", head="twin")
    if how == "reopened":
        town.world.closes("grace", twin)
    await town.settles()
    assert change.check.startswith("success")

    town.world.force_pushes("grace", town.repo, "twin", sha=change.pull.head)
    if how == "reopened":
        twin.head = change.pull.head
        town.world.reopens("grace", twin)
    await town.settles()

    assert not change.check.startswith("success")


async def test_while_a_twin_is_open_nothing_is_merged_and_people_are_told_why(town: Town) -> None:
    change = await green(town)
    opens_twin(town, change)
    await town.settles()

    said = await change.on_pull("omar", "/merge")

    assert (change.waits, change.reply(said), town.asked("merge", "merge_async")) == snapshot(
        (
            "Waiting for **an operator**: `#3 has the same head, and one commit can be judged for one pull request only`.",
            """\
Not counted: `/merge`.
Not merged: #3 has the same head, and one commit can be judged for one pull request only.
Nothing was asked of GitHub.\
""",
            0,
        )
    )


async def test_a_twin_that_leaves_the_head_gives_the_check_back(town: Town) -> None:
    change = await green(town)
    twin = opens_twin(town, change)
    await town.settles()

    town.world.pushes("grace", twin)
    await town.settles()

    assert change.check == "success · submit: all gates complete for c1"
