"""The merge, sentence by sentence (LIFECYCLE.md section 3): reserve, publish, request, confirm."""

from itertools import pairwise

import pytest
from inline_snapshot import snapshot

from tests.kit import holding_up
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_first_come_is_first_by_completion_of_authority(town: Town) -> None:
    changes = [
        await begun(town, stage, title)
        for stage, title in (("submit", "First"), ("almost", "Second"), ("almost", "Third"))
    ]
    town.world.merge_async_seconds = 60
    for change in (changes[0], changes[2], changes[1]):
        await change.on_pull("omar", f"/gate submit {change.head}")
    await changes[0].approved_by("grace")  # the last that its authority lacked, though its gate was opened first of all
    assert [await change.merge_state() for change in changes] == ["none", "none", "requested"]

    await town.later(minutes=5, stride=10)

    assert town.merges() == [f"c{n} by signalbox[bot]" for n in (3, 2, 1)]
    for change in changes:
        change.notices()


async def test_two_bases_do_not_wait_for_each_other(town: Town) -> None:
    first, second = await begun(town, "almost"), await begun(town, "testing", "Faster parser")
    town.world.branches("ada", town.repo, "stable")
    town.world.requires(town.repo, "build", branch="stable")
    town.world.retargets("ada", second.pull, "stable")
    await town.settles()
    await second.passes("testing")
    await second.approved_by("grace")

    await first.asked()
    await second.asked()

    assert (await first.merge_state(), await second.merge_state()) == ("requested", "requested")
    await town.later(minutes=1)
    assert (first.phase, second.phase) == ("done", "done")


async def test_the_check_is_success_before_anybody_is_asked(town: Town) -> None:
    change = await begun(town, "almost")
    seen: list[str] = []
    town.just_before("/merge-async", lambda: seen.append(change.check))

    await change.merges()

    assert seen == snapshot(["success · submit: all gates complete for c1"])


async def test_a_check_that_cannot_be_published_backs_off_then_gives_the_right_back(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    town.world.fails("update_check_run", 500, times=None)
    before = len(town.calls)
    await town.later(seconds=110, stride=1)
    tries = [one.request.at for one in town.calls[before:] if one.by == "merger"]
    gaps = [round((later - earlier).total_seconds()) for earlier, later in pairwise(tries)]
    assert ([gap for gap in gaps if gap], town.asked("merge_async")) == snapshot(([1, 2, 4, 8, 16, 32], 0))

    await town.later(seconds=60, stride=2)

    events = [row["signal"] for row in (await town.api(f"{change.repo_path}/history"))["items"]]
    assert ("reservation_released" in events, town.asked("merge_async"), change.phase) == (True, 0, "submit")


async def test_after_the_check_can_be_published_again_the_merge_goes_on_by_itself(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    town.world.fails("update_check_run", 500, times=None)
    await town.later(minutes=4)
    assert town.asked("merge_async") == 0

    town.world.heals()
    await town.later(minutes=3)

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])


async def test_a_check_that_reads_back_as_something_else_asks_for_nothing(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    town.just_before(
        "/check-runs", lambda: town.world.check_run(town.world.app, change.pull, "signalbox", "in_progress")
    )

    await town.later(seconds=1, stride=1)

    assert (town.asked("merge_async"), await change.merge_state()) == (0, "reserved")
    town.repo.runs.pop()
    await town.later(minutes=2)
    assert change.phase == "done"


async def test_the_request_carries_the_head_a_direct_merge_and_never_a_bypass(town: Town) -> None:
    change = await begun(town, "almost")
    head = change.pull.head

    await change.merges()

    (asked,) = [one for one in town.world.requests if one.operation == "merge_async"]
    assert {key: asked.body[key] for key in ("sha", "merge_method", "merge_action")} == {
        "sha": head,
        "merge_method": "squash",
        "merge_action": "direct_merge",
    }
    assert "bypass" not in asked.body


async def test_the_check_stays_success_while_github_is_asked_and_until_it_is_confirmed(town: Town) -> None:
    change = await begun(town, "almost")
    await change.asked()
    shown = {change.check}
    for _ in range(20):
        await town.later(seconds=2, stride=1)
        shown.add(change.check)

    assert (sorted(shown), change.phase) == snapshot(
        (["success · done: merged as m1", "success · submit: merging c1"], "done")
    )


async def test_the_bytes_leave_only_while_enough_of_the_lease_remains(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    holding_up.after_storing_the_request(town, 11)

    await town.later(seconds=3, stride=1)
    attempts = (await change.record())["merge"]["attempts"]
    assert (town.asked("merge_async"), await change.merge_state(), attempts) == snapshot((0, "reserved", 1))
    await town.later(seconds=20)

    assert (change.phase, town.asked("merge_async")) == ("done", 1)


async def test_a_request_that_was_not_sent_can_still_be_stopped_by_a_person(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    holding_up.after_storing_the_request(town, 11)
    await town.later(seconds=3, stride=1)

    said = await change.on_pull("grace", "/hold Wait.")
    await town.later(minutes=1)

    assert (change.reaction(said), town.asked("merge_async"), change.waits) == snapshot(
        ("+1", 0, "Held by `grace` since hh:mm UTC: `Wait.`. To go on, `grace` or an operator comments `/unhold`.")
    )


@pytest.mark.parametrize("merge_api", ["sync"])
async def test_a_moved_base_keeps_the_reservation_and_a_person_s_stop_ends_it(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.fails("merge", 405, times=None)
    await change.on_pull("omar", "/gate submit c1")
    assert (town.asked("merge"), await change.merge_state()) == (1, "reserved")

    await change.on_pull("grace", "/hold Wait.")
    await town.later(minutes=3, stride=20)

    assert (town.asked("merge"), await change.merge_state(), change.check) == snapshot(
        (1, "none", "action_required · submit: held by grace")
    )


@pytest.mark.parametrize("merge_api", ["sync"])
async def test_the_delay_between_tries_on_a_moving_base_grows(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.fails("merge", 405, times=None)

    await change.on_pull("omar", "/gate submit c1")
    await town.later(minutes=3, stride=1)

    tries = [one.at for one in town.world.requests if one.operation == "merge"]
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(tries)]
    assert (len(tries), gaps == sorted(gaps), gaps[-1] > 4 * gaps[0]) == (5, True, True)


@pytest.mark.parametrize("merge_api", ["sync"])
async def test_which_try_it_is_stands_in_the_row_of_the_merge(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.fails("merge", 405, times=None)

    await change.on_pull("omar", "/gate submit c1")
    first = change.row("Merge")
    await town.later(seconds=12, stride=1)

    assert (first, change.row("Merge")) == snapshot(
        (
            "⏳ Merge: squash into `main`, reserved, try 2 of 5 · Signalbox",
            "⏳ Merge: squash into `main`, reserved, try 4 of 5 · Signalbox",
        )
    )
    await town.later(minutes=3, stride=5)


@pytest.mark.parametrize("merge_api", ["sync"])
async def test_a_base_that_moves_for_ever_gives_the_branch_to_the_next_one(town: Town) -> None:
    first, second = await begun(town, "almost"), await begun(town, "almost", "Faster parser")
    town.world.fails("merge", 405, times=5)
    await first.on_pull("omar", "/gate submit c1")
    await second.on_pull("omar", "/gate submit c2")

    await town.later(minutes=4, stride=10)

    assert (town.merges()[0], await first.merge_state()) == ("c2 by signalbox[bot]", "refused")


@pytest.mark.parametrize("merge_api", ["sync"])
async def test_a_merge_refused_for_a_day_is_put_before_a_person(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.fails("merge", 405, message="Repository rule violations found", times=None)
    await change.merges()

    await town.later(minutes=25 * 60, stride=7200)

    assert (change.phase, change.says, change.notices()) == snapshot(
        (
            "blocked",
            "**blocked** in submit since 1 Dec 2024, hh:mm UTC",
            [
                """\
**An operator is needed: GitHub has refused the merge since 30 Nov 2024, hh:mm UTC: Repository rule violations found.**
It was about to merge `c1` (evidence: GitHub: Repository rule violations found).
A merge by hand would count as outside.
An operator changes what GitHub names, then lets it go on with `/resume submit` or an earlier phase.\
"""
            ],
        )
    )


async def test_a_merge_under_our_name_that_nobody_here_asked_for_is_not_ours(town: Town) -> None:
    change = await begun(town, "testing")

    town.world.merges_by_hand(town.world.bot, change.pull)
    await town.later(seconds=10)

    record = await change.record()
    assert (change.phase, record["merge"]["external"], record["merge"]["missing"]) == snapshot(
        ("done", True, ["review (testing)", "human gate (testing)", "review (submit)", "human gate (submit)"])
    )
    change.notices()


async def lands_and_vanishes(town: Town, change: Change) -> None:
    """GitHub merges, and before anybody looks the base is pushed back to where it was."""
    base = town.repo.branches["main"]
    await change.asked()
    while not town.world.landed:
        town.world.clock.advance(1)
    town.world.force_pushes("sam", town.repo, "main", sha=base)
    await town.settles()


async def test_a_merge_that_only_the_pull_request_shows_ends_unknown_after_the_window(town: Town) -> None:
    change = await begun(town, "almost")
    await lands_and_vanishes(town, change)
    await town.later(minutes=5, stride=60)
    assert (change.phase, await change.merge_state()) == ("submit", "confirming")

    await town.later(minutes=13, stride=60)

    assert (change.phase, await change.merge_state(), change.check) == (
        "submit",
        "ambiguous",
        "action_required · submit: it is not known whether GitHub merged c1",
    )
    (told,) = change.notices()
    assert "The pull request shows a merge, and the base does not." in told


async def test_confirming_that_does_not_end_gives_the_branch_to_the_next_one(town: Town) -> None:
    first, second = await begun(town, "almost"), await begun(town, "almost", "Faster parser")
    await lands_and_vanishes(town, first)
    await second.on_pull("omar", "/gate submit c2")
    assert (await first.merge_state(), await second.merge_state()) == ("confirming", "none")

    await town.later(minutes=18, stride=60)

    assert (await first.merge_state(), second.phase) == ("ambiguous", "done")
    first.notices()


async def test_merges_into_one_base_come_in_the_order_in_which_they_were_complete(town: Town) -> None:
    first, held, ready = [await begun(town, "almost", title) for title in ("First", "Held", "Ready")]
    town.world.merge_async_seconds = 60
    await held.on_pull("grace", "/hold Wait.")
    await held.on_pull("omar", f"/gate submit {held.head}")
    await first.on_pull("omar", f"/gate submit {first.head}")
    await ready.on_pull("omar", f"/gate submit {ready.head}")
    await held.on_pull("grace", "/unhold")

    await town.later(minutes=5, stride=10)

    assert town.merges() == [f"c{number} by signalbox[bot]" for number in (1, 3, 2)]
    for change in (first, held, ready):
        change.notices()
