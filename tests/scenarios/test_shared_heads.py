"""Two records whose pull requests have the same commit: one check run, and one word on it (LIFECYCLE.md 4.1)."""

import pytest

from bot.simulator.model.threads import Pull
from tests.kit.change import Change, begun
from tests.kit.places import green
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def second(town: Town, first: Change) -> Change:
    """Another governed issue, whose pull request brings the same commit to another branch."""
    if "stable" not in town.repo.branches:
        town.world.branches("ada", town.repo, "stable")
    other = await begun(town, "building", title="The same for stable")
    town.world.force_pushes("ada", town.repo, f"signalbox/{other.issue.number}-stable", sha=first.pull.head)
    other.linked = town.world.opens_pull(
        "ada", town.repo, "The same for stable", head=f"signalbox/{other.issue.number}-stable", base="stable"
    )
    await town.settles()
    return other


def runs(town: Town, pull: Pull) -> list[str]:
    """Our check runs on the head, newest last."""
    return [
        str(one.conclusion or one.status) for one in town.repo.runs if one.head == pull.head and one.name == "signalbox"
    ]


async def test_one_check_run_stands_on_one_commit_and_none_of_the_two_has_success(town: Town) -> None:
    first = await green(town)
    other = await second(town, first)

    assert (len(runs(town, first.pull)), first.pull.head) == (1, other.pull.head)
    assert runs(town, first.pull) == ["action_required"]
    await town.later(minutes=1)
    assert town.merges() == []
    first.notices()
    other.notices()


async def test_in_the_list_of_deliveries_what_changed_one_of_two_records_is_applied(town: Town) -> None:
    """known-faults.md, row 108."""
    first = await green(town)
    other = await second(town, first)

    listed = await town.store.read(lambda tx: tx.deliveries.list(None, 100, None))
    opened = [(row.state, row.detail) for row in listed if (row.event, row.action) == ("pull_request", "opened")]
    assert ("applied", "shared head looked at, advanced") in opened
    first.notices()
    other.notices()


async def test_success_comes_back_to_the_one_that_is_judged_when_the_other_leaves_the_commit(town: Town) -> None:
    first = await green(town)
    other = await second(town, first)

    town.world.closes("ada", other.pull)
    await town.settles()
    assert runs(town, first.pull) == ["success"]
    await first.on_pull("omar", "/merge")
    await town.later(seconds=10)

    assert (first.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])
    first.notices()
    other.notices()


async def test_a_record_that_left_the_commit_does_not_hide_the_success_of_the_other(town: Town) -> None:
    first = await green(town)
    other = await second(town, first)

    town.heads.append(town.world.pushes("ada", other.pull))
    await town.settles()
    await town.later(minutes=2)

    assert runs(town, first.pull) == ["success"]
    await first.on_pull("omar", "/merge")
    await town.later(seconds=10)
    assert first.phase == "done"
    first.notices()
    other.notices()


async def test_what_was_merged_of_one_pull_request_is_no_success_of_another_that_comes_to_the_commit(
    town: Town,
) -> None:
    first = await green(town)
    await first.on_pull("omar", "/merge")
    await town.later(seconds=10)
    assert first.phase == "done"

    other = await second(town, first)

    assert runs(town, other.pull) == ["in_progress"], "the one run there is says it now, and no second one hides it"
    first.notices()
    other.notices()


async def test_what_was_merged_is_no_success_of_a_pull_request_that_nobody_governs_either(town: Town) -> None:
    first = await green(town)
    await first.on_pull("omar", "/merge")
    await town.later(seconds=10)
    town.world.branches("ada", town.repo, "stable")
    head = first.pull.head
    town.world.force_pushes("grace", town.repo, "twin", sha=head)
    twin = town.world.opens_pull("grace", town.repo, "For stable as well", head="twin", base="stable")
    await town.settles()

    assert (first.phase, runs(town, twin)) == ("done", ["action_required"])
    first.notices()


async def test_a_check_that_github_refuses_for_ever_is_tried_ever_more_rarely_and_comments_go_on(town: Town) -> None:
    """known-faults.md, row 90."""
    town.world.fails("create_check_run", 403, message="Resource not accessible by integration", times=None)
    change = await begun(town, "testing")
    await town.later(minutes=1)
    before = town.asked("create_check_run")

    await town.later(minutes=180, stride=60)

    assert 3 <= town.asked("create_check_run") - before <= 10
    pauses = [fields["seconds"] for _, event, fields in town.log.lines if event == "publishing_paused"]
    assert pauses[-1] == 3600, "operators see how long it waits"

    await change.on_pull("grace", "/approve testing c1")
    assert change.row("Review").startswith("✅ Review: 1 of 1"), "what is new is shown at once all the same"
    change.notices()
