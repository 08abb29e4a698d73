"""News that somebody joined or left: what waited for a role goes on, and what no longer has its people stops."""

from collections.abc import Callable

import pytest

from bot.simulator.model.people import Team
from tests.kit.change import Change, begun
from tests.kit.in_force import named_only
from tests.kit.town import PEOPLE, Town

pytestmark = pytest.mark.anyio


async def almost(town: Town) -> tuple[Change, Team]:
    """grace reviews because she is in the team core; only the human gate of submit is missing."""
    town.world.allows_teams()
    core = town.world.team("core", "grace")
    town.policy = named_only(town.world, reviewers="{teams: [core]}")
    return await begun(town, "almost"), core


Leaving = Callable[[Town, Team], object]
LEAVING: dict[str, Leaving] = {
    "she left the team": lambda town, core: town.world.leaves_team("grace", core),
    "the team was deleted": lambda town, core: town.world.deletes_team(core),
    "the team was renamed": lambda town, core: town.world.renames_team(core, "inner"),
    "she left the organization": lambda town, _: town.world.leaves_organization("grace"),
}


@pytest.mark.parametrize("how", LEAVING)
async def test_what_is_reserved_is_given_back_when_its_reviewer_lost_the_role(town: Town, how: str) -> None:
    change, core = await almost(town)
    await change.reserved()

    LEAVING[how](town, core)
    await town.hears()

    assert await change.merge_state() == "none"
    await town.later(seconds=10)
    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 0)
    assert change.row("Merge").startswith("❌ Merge: 0 of 1 decisions by a reviewer count now")


async def test_what_is_reserved_is_given_back_when_its_operator_is_no_collaborator_any_more(town: Town) -> None:
    town.world.allows_teams()
    change = await begun(town, "almost")
    await change.reserved()

    town.world.changes_collaborator("omar", town.repo, "write")
    await town.hears()

    assert await change.merge_state() == "none"
    await town.later(seconds=10)
    assert town.merges() == []
    assert change.row("Merge").startswith("❌ Merge: 0 of 1 decisions by an operator count now; `omar` may no longer")


async def test_what_is_reserved_stays_reserved_when_somebody_else_left(town: Town) -> None:
    change, core = await almost(town)
    await change.reserved()
    version = (await change.record())["version"]

    town.world.joins_team("sue", core)
    town.world.leaves_team("sue", core)
    await town.hears()

    assert ((await change.record())["version"], await change.merge_state()) == (version, "reserved")
    await town.later(seconds=10)
    assert town.merges() == ["c1 by signalbox[bot]"]


async def test_what_is_reserved_is_not_given_back_because_a_team_cannot_be_read(town: Town) -> None:
    """Nothing is asked until it can be: an unreadable person waits, and voids nothing."""
    change, core = await almost(town)
    await change.reserved()
    town.world.fails("team_membership", 500, times=None)

    town.world.joins_team("sue", core)
    await town.later(seconds=40)
    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 0)
    town.world.heals()
    await town.later(minutes=3)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


@pytest.mark.parametrize("how", ["joins the team again", "the team is added", "becomes a collaborator"])
async def test_a_merge_that_waited_for_a_role_goes_on_when_somebody_has_it(town: Town, how: str) -> None:
    change, core = await almost(town)
    del core.members[town.world.user("grace").id]
    await change.merges()
    assert town.merges() == []

    if how == "joins the team again":
        town.world.joins_team("grace", core)
    elif how == "the team is added":
        core.members[town.world.user("grace").id] = "active"
        town.world.gives_team(core, town.repo)
    else:
        core.members[town.world.user("grace").id] = "active"
        town.world.changes_collaborator("grace", town.repo, "admin")
    await town.later(seconds=10)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def test_news_of_an_organization_reaches_the_records_of_all_its_repositories(town: Town) -> None:
    first, core = await almost(town)
    town.repo = town.world.repository("octo/beta", members=dict(PEOPLE))
    town.world.requires(town.repo, "build")
    second = await begun(town, "almost")
    await first.on_pull("omar", f"/gate submit {first.head}", heard=False)
    await second.on_pull("omar", f"/gate submit {second.head}", heard=False)
    await town.hears()

    town.world.leaves_team("grace", core)
    await town.hears()

    await town.later(seconds=10)
    assert (town.merges(), first.phase, second.phase) == ([], "submit", "submit")


async def test_news_while_github_may_be_merging_is_kept_once(town: Town) -> None:
    change, core = await almost(town)
    await change.unknown()

    for _ in range(3):
        town.world.leaves_team("grace", core)
        town.world.joins_team("grace", core)
    await town.hears()

    remembered = (await change.record())["merge"]["remembered"]
    assert len(remembered) == 1
    assert await change.merge_state() == "ambiguous"
