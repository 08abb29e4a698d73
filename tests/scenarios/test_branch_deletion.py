"""The branch of a merged pull request goes only when nobody can miss it (LIFECYCLE.md section 4)."""

from collections.abc import Callable

import pytest

from bot.domain.model.policy import STRICT, MergeRule
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

DELETE = "/git/refs/heads/signalbox/1-retry"


async def merged_and(town: Town, needed: Callable[[Change], object]) -> Change:
    """Merged, and something happens to the branch before anybody deletes it."""
    change = await begun(town, "almost")
    town.just_before("/merge-async", lambda: needed(change))
    await change.merges(seconds=30)
    assert change.phase == "done"
    return change


def nothing(_: Change) -> None:
    """Nobody needs it."""


def gets_a_commit(change: Change) -> None:
    town = change.town
    town.just_before("/branches/signalbox/1-retry", lambda: town.world.pushes("ada", town.repo, change.pull.head_ref))


def gets_protected(change: Change) -> None:
    change.town.world.protects(change.town.repo, change.pull.head_ref)


def is_the_base_of_another(change: Change) -> None:
    town = change.town
    town.world.pushes("ada", town.repo, "above")
    town.world.opens_pull("ada", town.repo, "The next one", head="above", base=change.pull.head_ref)


async def test_after_done_the_branch_is_deleted(town: Town) -> None:
    change = await merged_and(town, nothing)

    assert change.pull.head_ref not in town.repo.branches
    order = [one.operation for one in town.world.requests if one.operation in {"merge_async", "delete_branch"}]
    assert order == ["merge_async", "delete_branch"]


async def test_before_done_nothing_is_deleted(town: Town) -> None:
    """known-faults.md, row 58."""
    change = await begun(town, "almost")
    await change.unknown()
    await town.later(minutes=20, stride=120)

    assert (change.pull.head_ref in town.repo.branches, town.asked("delete_branch")) == (True, 0)


NEEDED = {
    "it has a newer commit": gets_a_commit,
    "it is protected": gets_protected,
    "an open pull request is based on it": is_the_base_of_another,
}


@pytest.mark.parametrize("why", NEEDED)
async def test_a_branch_that_somebody_needs_stays(town: Town, why: str) -> None:
    """known-faults.md, row 56."""
    change = await merged_and(town, NEEDED[why])
    await town.later(minutes=10, stride=60)
    change.notices()

    assert (change.pull.head_ref in town.repo.branches, town.asked("delete_branch")) == (True, 0)


async def test_a_branch_from_which_another_pull_request_comes_stays(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.branches("ada", town.repo, "stable")

    def opens_a_backport() -> None:
        town.world.opens_pull("ada", town.repo, "The backport", head=change.pull.head_ref, base="stable")

    town.just_before("/branches/signalbox/1-retry", opens_a_backport)
    await change.merges(seconds=30)

    assert (change.phase, change.pull.head_ref in town.repo.branches, town.asked("delete_branch")) == ("done", True, 0)
    assert "error" not in [level for level, *_ in town.log.lines], "nothing is lost by a branch that stays"


async def test_the_branch_of_a_fork_stays(town: Town) -> None:
    change = await begun(town, "building")
    fork = town.world.forks("ada", town.repo)
    town.heads.append(town.world.pushes("ada", fork, "retry"))
    body = f"Closes #{change.issue.number}"
    change.linked = town.world.opens_pull("ada", town.repo, "Retry", head=f"{fork.owner.login}:retry", body=body)
    change.check_run()
    await town.settles()
    await change.passes("testing")
    await change.approved_by("grace")

    await change.merges(seconds=30)

    assert (change.phase, "retry" in fork.branches, town.asked("delete_branch")) == ("done", True, 0)


async def test_a_merge_by_somebody_else_deletes_no_branch(town: Town) -> None:
    change = await begun(town, "testing")

    town.world.merges_by_hand("sam", change.pull)
    await town.later(minutes=2)
    change.notices()

    assert (change.phase, change.pull.head_ref in town.repo.branches) == ("done", True)


async def test_where_the_policy_keeps_branches_it_stays(town: Town) -> None:
    town.policy = STRICT.model_copy(update={"merge": MergeRule(delete_branch=False)})
    change = await merged_and(town, nothing)

    assert (change.pull.head_ref in town.repo.branches, town.asked("delete_branch")) == (True, 0)


async def test_a_branch_that_is_gone_already_is_no_trouble(town: Town) -> None:
    change = await begun(town, "almost")
    town.just_before(DELETE, lambda: town.world.deletes_branch("ada", town.repo, change.pull.head_ref))

    await change.merges(seconds=30)
    await town.later(minutes=5, stride=60)

    assert (change.phase, town.asked("delete_branch")) == ("done", 1)
