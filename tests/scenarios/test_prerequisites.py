"""What must hold for a merge (LIFECYCLE.md section 3), read again on the very version that asks; each with its refusal."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from inline_snapshot import snapshot

from bot.domain.model.policy import STRICT, GateRule, GateRules
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

#: What the prerequisites are read from, and what its loss is called in GitHub's own words.
READS = [
    "permission",
    "pull",
    "commit_pulls",
    "branch",
    "branch_rules",
    "ruleset",
    "check_runs",
    "statuses",
    "pull_files",
]


@dataclass(frozen=True)
class Obstacle:
    """`says` is the row "Merge" while it stands; `falls` is the human act that takes it away."""

    stands: Callable[[Change], object]
    falls: Callable[[Change], object]
    says: str


def lies_below(change: Change) -> None:
    """Another open pull request below ours in one stack."""
    world, repo = change.town.world, change.town.repo
    world.pushes("ada", repo, "lower")
    lower = world.opens_pull("ada", repo, "The lower one", head="lower")
    world.stacks(lower, change.pull)


def lower_one_closes(change: Change) -> None:
    change.town.world.closes("ada", change.pull.stack[0])


def bypasses(change: Change) -> None:
    change.town.world.ruleset(change.town.repo, reviews=0, strict=False, methods=("squash",), bypass="always")


def queues(change: Change) -> None:
    change.town.world.ruleset(change.town.repo, merge_queue=True)


def newest_rules_go(change: Change) -> None:
    rules = change.town.repo.rulesets
    del rules[max(rules)]


def may_change_workflows(change: Change) -> None:
    change.town.world.app.permissions["workflows"] = "write"


def turns_to_draft(change: Change) -> None:
    change.town.world.converts_to_draft("ada", change.pull)


def is_made_ready(change: Change) -> None:
    change.town.world.marks_ready("ada", change.pull)


def allows_rebase_only(change: Change) -> None:
    change.town.world.ruleset(change.town.repo, methods=("rebase",))


OBSTACLES = {
    "a draft": Obstacle(
        turns_to_draft, is_made_ready, "❌ Merge: the pull request is a draft · a builder: mark it as ready for review"
    ),
    "a member of a stack": Obstacle(
        lies_below,
        lower_one_closes,
        "❌ Merge: merging it would merge the pull requests below it in its stack · a builder: merge the lower one first, or take it off the stack",
    ),
    "a merge queue": Obstacle(
        queues,
        newest_rules_go,
        "❌ Merge: the base requires a merge queue, which Signalbox does not use · an operator: change the rules of the branch",
    ),
    "a bypass": Obstacle(
        bypasses,
        newest_rules_go,
        "❌ Merge: a ruleset of the base lets the App bypass it, and nothing may bypass · an operator: take Signalbox off the bypass list",
    ),
    "a method that is not allowed": Obstacle(
        allows_rebase_only,
        newest_rules_go,
        "❌ Merge: the base does not allow the method squash · an operator: change what is named",
    ),
}


@pytest.mark.parametrize("name", OBSTACLES)
async def test_what_stands_in_the_way_is_named_and_nothing_is_asked_until_it_is_gone(town: Town, name: str) -> None:
    obstacle, change = OBSTACLES[name], await begun(town, "almost")
    obstacle.stands(change)

    await change.merges()
    assert (town.asked("merge", "merge_async"), change.phase) == (0, "submit")
    assert change.row("Merge") == obstacle.says
    obstacle.falls(change)
    await town.settles()
    said = await change.on_pull("omar", "/merge")
    await town.later(seconds=10)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")
    change.reply(said)


async def test_merge_by_command_says_what_stands_in_the_way(town: Town) -> None:
    change = await begun(town, "almost")
    lies_below(change)
    bypasses(change)
    await change.merges()

    said = await change.on_pull("omar", "/merge")

    assert (change.reaction(said), change.reply(said), town.asked("merge", "merge_async")) == snapshot(
        (
            "confused",
            """\
Not counted: `/merge`.
Not merged: merging it would merge the pull requests below it in its stack; a ruleset of the base lets the App bypass it, and nothing may bypass.
Nothing was asked of GitHub.\
""",
            0,
        )
    )


async def test_the_lower_pull_request_merged_lets_the_upper_one_go_on_within_a_sweep(town: Town) -> None:
    change = await begun(town, "almost")
    lies_below(change)
    await change.merges()

    town.world.merges_by_hand("sam", change.pull.stack[0])
    await town.later(minutes=6, stride=30)

    assert town.merges()[1:] == ["c1 by signalbox[bot]"]


async def test_the_lowest_of_a_stack_is_merged_and_nothing_above_it(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.pushes("ada", town.repo, "upper")
    upper = town.world.opens_pull("ada", town.repo, "The upper one", head="upper")
    town.world.stacks(change.pull, upper)

    await change.merges()

    assert (town.merges(), upper.merged, change.phase) == (["c1 by signalbox[bot]"], False, "done")


async def test_workflow_files_are_not_merged_without_the_permission_to_do_so(town: Town) -> None:
    town.world.app.permissions.pop("workflows", None)
    change = await begun(town, "testing")
    files = {".github/workflows/ci.yml": "on: push\n"}
    town.heads.append(town.world.pushes("ada", change.pull, files=files))
    change.check_run()
    await town.settles()
    await change.passes("testing")
    await change.approved_by("grace")

    await change.merges()

    assert (town.asked("merge", "merge_async"), change.waits, change.row("Merge")) == snapshot(
        (
            0,
            "Waiting for **an operator**: it changes workflow files, and the App may not merge those.",
            "❌ Merge: it changes workflow files, and the App may not merge those · an operator: grant the App the permission, or merge those files separately",
        )
    )


async def test_a_hold_stops_the_merge_only_and_its_end_lets_it_go_on(town: Town) -> None:
    change = await begun(town, "almost")
    await change.on_pull("grace", "/hold Release week.")

    await change.merges()
    assert (change.phase, town.asked("merge", "merge_async"), change.waits, change.check) == snapshot(
        (
            "submit",
            0,
            "Held by `grace` since hh:mm UTC. To go on, `grace` or an operator comments `/unhold`.",
            "action_required · submit: held by grace",
        )
    )
    await change.on_pull("grace", "/unhold")
    await town.later(seconds=10)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def test_a_hold_is_lifted_by_its_owner_or_an_operator_and_nobody_else(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("grace", "/hold")

    said = await change.on_pull("ada", "/unhold")
    assert change.reply(said) == snapshot("""\
Not counted: `/unhold`.
It needs an operator (`maintain` on this repository), and `ada` has `write`.
Waiting for an operator.
Nothing changed.\
""")
    again = await change.on_pull("grace", "/hold")
    await change.on_pull("sam", "/unhold")

    assert (change.reaction(again), (await change.record())["held"]) == snapshot(("+1", None))


async def test_a_hold_survives_every_move(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("grace", "/hold")
    await change.on_pull("ada", "/replan Another way.")
    assert (change.phase, (await change.record())["held"]["by"]["login"]) == ("planning", "grace")

    await change.on_issue("ada", "/plan\nTry five times.")

    assert (change.phase, (await change.record())["held"]["by"]["login"]) == ("plan_ready", "grace")


async def test_a_head_that_moved_after_the_reservation_is_found_before_the_request_leaves(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    town.heads.append(town.world.pushes("ada", change.pull))
    town.world.hooks.take()

    await town.later(seconds=10)

    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 0)
    assert (change.phase, change.waits) == snapshot(
        ("submit", "Waiting for **an operator**: the head moved from `c1` to `c2`.")
    )
    await town.later(minutes=6, stride=60)
    assert change.phase == "testing"


async def test_a_base_that_changed_after_the_reservation_is_found_before_the_request_leaves(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.branches("ada", town.repo, "stable")
    await change.reserved()
    town.world.retargets("ada", change.pull, "stable")
    town.world.hooks.take()

    await town.later(seconds=10)

    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 0)
    assert (change.phase, change.waits) == snapshot(
        ("submit", "Waiting for **an operator**: the base moved from `main` to `stable`.")
    )
    await town.later(minutes=6, stride=60)
    assert change.phase == "testing"


async def test_a_pull_request_closed_after_the_reservation_is_found_before_the_request_leaves(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    town.world.closes("ada", change.pull)
    town.world.hooks.take()

    await town.later(seconds=10)

    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 0)
    assert (change.phase, change.waits) == snapshot(
        ("submit", "Waiting for **an operator**: the pull request is not open.")
    )
    await town.later(minutes=6, stride=60)
    assert change.phase == "building"


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
    change = await begun(town, "almost")
    await change.reserved()
    change.check_run(conclusion="failure")
    town.world.hooks.take()

    await town.later(seconds=10)

    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 0)
    assert (change.phase, change.waits) == snapshot(
        ("submit", "Waiting for **the checks**. Signalbox merges when every row is done.")
    )
    await town.later(minutes=6, stride=60)
    assert change.phase == "building"


@pytest.mark.parametrize("operation", READS)
async def test_what_cannot_be_read_at_the_merge_waits_and_voids_nothing(town: Town, operation: str) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    town.world.fails(operation, 500, times=None)
    await town.later(seconds=20)
    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 0)
    assert change.row("Review").startswith("✅ Review: 1 of 1")

    town.world.heals()
    await town.later(minutes=3)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def test_permission_lost_between_decision_and_merge_is_re_affirmed_by_another_reviewer(town: Town) -> None:
    change = await begun(town, "submit")
    await change.on_pull("sam", "/approve submit c1")
    town.world.sets_permission("grace", town.repo, "read")
    await change.merges()
    assert (town.merges(), change.waits) == snapshot(
        ([], "Waiting for **an operator**: 0 of 1 decisions by a reviewer count now; `grace` may no longer do this.")
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
