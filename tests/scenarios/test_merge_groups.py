"""A merge queue merges around every gate, so our check fails in its groups and nothing waits there (LIFECYCLE.md section 4)."""

import pytest
from inline_snapshot import snapshot

from bot.simulator.model.checks import CheckRun
from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


def ours_on(town: Town, head: str) -> list[CheckRun]:
    return [one for one in town.repo.runs if one.head == head and one.app is town.world.app]


async def test_our_check_fails_on_the_head_of_a_merge_group_and_says_why(town: Town) -> None:
    town.world.ruleset(town.repo, merge_queue=True)
    change = await begun(town, "almost")

    group = town.world.enqueues("sam", change.pull)
    await town.settles()

    (run,) = ours_on(town, group)
    assert (run.status, run.conclusion, run.title, run.summary) == snapshot(
        (
            "completed",
            "failure",
            "merge queues are not supported here",
            "Signalbox merges one judged head at a time and by itself. A queue merges another commit than the one that was judged, so this group is refused. Take the pull request out of the queue, and the queue out of the rules of the branch.",
        )
    )
    assert (change.phase, town.merges()) == ("submit", [])


async def test_a_group_of_a_pull_request_that_nobody_governs_is_refused_too(town: Town) -> None:
    town.world.pushes("ada", town.repo, "other")
    other = town.world.opens_pull("ada", town.repo, "Unrelated", head="other")

    group = town.world.enqueues("sam", other)
    await town.settles()

    assert [one.conclusion for one in ours_on(town, group)] == ["failure"]


@pytest.mark.parametrize("landed", [True, False])
async def test_a_lost_answer_makes_no_second_check_on_the_group(town: Town, landed: bool) -> None:
    change = await begun(town, "testing")
    town.world.loses_answer_to("create_check_run", landed=landed)

    group = town.world.enqueues("sam", change.pull)
    await town.later(minutes=3)

    assert [one.conclusion for one in ours_on(town, group)] == ["failure"]


async def test_the_same_group_told_twice_is_refused_once(town: Town) -> None:
    change = await begun(town, "testing")
    group = town.world.enqueues("sam", change.pull)

    await town.delivers_each(3, fresh_guids=True)
    await town.settles()

    assert len(ours_on(town, group)) == 1
