"""A second pull request at a head that carries our success never inherits it."""

import httpx
import pytest
from inline_snapshot import snapshot

from bot.domain.model.policy import STRICT, MergeRule
from bot.github import lists
from bot.simulator.model.threads import Pull
from tests.kit.change import Change, begun
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

    writes = [one for one in town.world.requests[before:] if not one.reads]
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


async def test_a_twin_that_slips_onto_a_page_that_was_read_stops_the_merge(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another open pull request has the judged head. While the list of open ones is read, a newer one is closed, so that the
    twin slips from the second page to the first, which was read already."""
    monkeypatch.setattr(lists, "PER_PAGE", 2)
    town.world.fails("together", 502, times=None)  # by lists alone
    change = await begun(town, "almost")
    world = town.world
    town.policy = STRICT.model_copy(update={"merge": MergeRule(method="merge")})
    world.branches("ada", town.repo, "twin", source=f"signalbox/{change.issue.number}-retry")
    world.opens_pull("ada", town.repo, "Twin", head="twin", body="nothing to see")
    others = []
    for number in range(2):
        world.branches("ada", town.repo, f"x{number}")
        world.pushes("ada", town.repo, f"x{number}", message="x")
        others.append(world.opens_pull("ada", town.repo, f"Other {number}", head=f"x{number}", body="x"))
    await town.settles()
    inner = town.road.handle_async_request

    async def shifts(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/pulls") and request.url.params.get("page") == "2" and others[-1].open:
            world.closes("ada", others[-1])
        elif request.url.path.endswith("/pulls") and not others[-1].open:
            world.reopens("ada", others[-1])
        return await inner(request)

    town.road.handle_async_request = shifts  # type: ignore[method-assign]
    await change.merges(seconds=60)
    change.notices()
    assert town.merges() == [], "#3 has the same head, and would be merged with it"


async def test_a_twin_behind_a_full_page_that_names_no_next_one_stops_the_merge(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Something between GitHub and us drops the header that names the next page (a proxy before an Enterprise server)."""
    monkeypatch.setattr(lists, "PER_PAGE", 2)
    world = town.world
    for name in ("twin", "x1"):
        world.branches("ada", town.repo, name)
        world.pushes("ada", town.repo, name, message=name)
    twin = world.opens_pull("ada", town.repo, "Twin", head="twin", body="nothing to see")
    world.opens_pull("ada", town.repo, "Other", head="x1", body="nothing to see")
    change = await begun(town, "almost")
    world.drops_webhooks(logged=False)
    world.force_pushes("ada", twin, sha=change.pull.head)
    await town.hears()
    world.heals()
    world.fails("together", 502, times=None)  # by lists alone
    inner = town.road.handle_async_request

    async def drops(request: httpx.Request) -> httpx.Response:
        answer = await inner(request)
        if request.url.path.endswith("/pulls"):
            answer.headers.pop("link", None)
        return answer

    town.road.handle_async_request = drops  # type: ignore[method-assign]
    await change.merges(seconds=60)
    change.notices()
    assert town.merges() == [], "#1 has the same head"
