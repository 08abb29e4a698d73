"""What changes between the reservation and the request is found before the request leaves (LIFECYCLE.md section 3)."""

import pytest
from inline_snapshot import snapshot

from bot.domain.model.policy import STRICT, GateRule, GateRules
from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

#: What the prerequisites are read from, and what its loss is called in GitHub's own words.
READS = [
    "permission",
    "pull",
    "pulls",
    "branch",
    "branch_rules",
    "ruleset",
    "check_runs",
    "statuses",
    "pull_files",
]


async def test_a_head_that_moved_after_the_reservation_is_found_before_the_request_leaves(town: Town) -> None:
    """known-faults.md, row 24; threats.md, T1."""
    change = await begun(town, "almost")
    await change.reserved()
    town.heads.append(town.world.pushes("ada", change.pull))
    town.world.hooks.take()

    await town.later(seconds=10)

    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 0)
    assert (change.phase, change.says) == snapshot(("testing", "**testing** · head `c2` · plan r1 · round 4"))
    assert await change.merge_state() == "none"


async def test_a_base_that_changed_after_the_reservation_is_found_before_the_request_leaves(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.branches("ada", town.repo, "stable")
    await change.reserved()
    town.world.retargets("ada", change.pull, "stable")
    town.world.hooks.take()

    await town.later(seconds=10)

    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 0)
    assert (change.phase, change.waits) == snapshot(
        ("testing", "Waiting for **a reviewer**, **an operator** and **the checks**.")
    )


async def test_a_pull_request_closed_after_the_reservation_is_found_before_the_request_leaves(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    town.world.closes("ada", change.pull)
    town.world.hooks.take()

    await town.later(seconds=10)

    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 0)
    assert (change.phase, change.waits) == snapshot(
        ("building", "Waiting for **a builder** to reopen the pull request.")
    )


@pytest.mark.parametrize("merge_api", ["sync"])
async def test_a_head_that_moved_while_the_request_was_on_its_way_is_judged_without_any_webhook(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()

    def pushes() -> None:
        town.heads.append(town.world.pushes("ada", change.pull))
        town.world.hooks.take()

    town.just_before("/merge", pushes)
    await town.later(seconds=10)

    assert (town.merges(), town.asked("merge")) == ([], 1)
    assert (change.phase, change.head, await change.merge_state()) == ("testing", "c2", "none")


async def test_the_gate_is_complete_under_the_newest_policy_or_nothing_is_asked(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    town.policy = STRICT.model_copy(update={"gates": GateRules(submit=GateRule(reviews=2, operators=1))})

    await town.later(minutes=3)

    assert (town.asked("merge", "merge_async"), change.phase, change.row("Review")) == snapshot(
        (
            0,
            "submit",
            "⏳ Review: 1 of 2 · a reviewer other than `ada`, `grace` and `omar`: comment `/approve submit c1`",
        )
    )
    await change.on_pull("sam", "/approve submit c1")
    await town.later(seconds=10)
    assert change.phase == "done"


async def test_a_check_that_turns_red_after_the_reservation_is_found_before_the_request_leaves(town: Town) -> None:
    """known-faults.md, row 50."""
    change = await begun(town, "almost")
    await change.reserved()
    change.check_run(conclusion="failure")
    town.world.hooks.take()

    await town.later(seconds=10)

    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 0)
    assert (change.phase, change.waits) == snapshot(("building", "Waiting for **a builder** to push a new commit."))


@pytest.mark.parametrize("operation", READS)
async def test_what_cannot_be_read_at_the_merge_waits_and_voids_nothing(town: Town, operation: str) -> None:
    """threats.md, T26."""
    change = await begun(town, "almost")
    await change.reserved()
    town.world.fails(operation, 500, times=None)
    town.world.fails("together", 500, times=None)
    await town.later(seconds=20)
    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 0)
    assert change.row("Review").startswith("✅ Review: 1 of 1")

    town.world.heals()
    await town.later(minutes=3)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def test_what_cannot_be_read_at_once_is_read_one_by_one(town: Town) -> None:
    town.world.fails("together", 502, times=None)
    change = await begun(town, "almost")

    await change.merges()

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def test_permission_lost_between_decision_and_merge_is_re_affirmed_by_another_reviewer(town: Town) -> None:
    change = await begun(town, "submit")
    await change.on_pull("sam", "/approve submit c1")
    town.world.sets_permission("grace", town.repo, "read")
    await change.merges()
    assert (town.merges(), change.waits) == snapshot(
        ([], "Waiting for **a reviewer**. Signalbox merges when every row is done.")
    )
    change.notices()

    await change.on_issue("sam", "/approve r1")
    await town.later(seconds=10)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def test_an_operator_who_lost_the_right_does_not_count_at_the_merge(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    town.world.sets_permission("omar", town.repo, "write")

    await town.later(seconds=10)
    assert (town.asked("merge", "merge_async"), change.waits) == snapshot(
        (0, "Waiting for **an operator**: 0 of 1 decisions by an operator count now; `omar` may no longer do this.")
    )
    await change.on_pull("sam", "/gate submit c1")
    await town.later(seconds=10)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def test_consumed_testing_decisions_are_not_read_again(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("omar", "/approve testing c1")
    change.notices()
    await change.on_pull("sam", "/gate testing c1")
    town.world.sets_permission("sam", town.repo, "read")
    await change.approved_by("grace")

    await change.merges()

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def test_a_suspended_installation_releases_what_was_reserved_and_comes_back(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    town.world.suspends()
    await town.later(minutes=1)
    record = await change.record()
    assert (record["frozen"], record["merge"]["state"], town.asked("merge", "merge_async")) == snapshot(
        ("suspended", "none", 0)
    )

    town.world.unsuspends()
    await town.later(minutes=2)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def test_a_withdrawn_change_gives_the_reservation_back(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()

    await change.on_pull("ada", "/cancel Not needed.")
    await town.later(seconds=10)

    assert (change.says, change.check, town.asked("merge", "merge_async")) == snapshot(
        ("**withdrawn** in submit by `ada`", "cancelled · withdrawn in submit", 0)
    )


async def test_a_head_that_went_away_and_came_back_while_reserved_is_judged_anew(town: Town) -> None:
    """Both pushes are heard of only when the branch is where it was: the head is the same, what was judged is not."""
    change = await begun(town, "almost")
    await change.reserved()
    town.heads.append(town.world.pushes("ada", change.pull))
    town.world.force_pushes("ada", change.pull, sha=town.heads[0])
    await town.hears()
    change.check_run()
    await town.later(seconds=30)
    change.notices()

    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 0)
    record = await change.record()
    assert (record["phase"], record["head_epoch"], change.says) == snapshot(
        ("testing", 3, "**testing** · head `c1` · plan r1 · round 5")
    )
    assert [each["counts"] for each in record["decisions"] if each["gate"] != "plan"] == [False] * 4

    said = await change.on_pull("omar", "/gate submit c1")
    assert (change.reply(said) or "").startswith("Not counted")
    assert change.row("Review").startswith("⏳ Review: 0 of 1")


async def test_a_push_and_a_push_back_each_heard_of_while_reserved_leave_nothing_of_the_old_authority(
    town: Town,
) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    town.heads.append(town.world.pushes("ada", change.pull))
    await town.hears()
    town.world.force_pushes("ada", change.pull, sha=town.heads[0])
    await town.hears()
    await town.later(seconds=30)
    change.notices()

    assert (town.merges(), town.asked("merge", "merge_async"), await change.merge_state()) == ([], 0, "none")
    assert ((await change.record())["head_epoch"], change.phase, change.row("Review")[:14]) == snapshot(
        (3, "testing", "⏳ Review: 0 of")
    )
