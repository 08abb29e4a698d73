"""What must hold for a merge (LIFECYCLE.md section 3), read again on the very version that asks; each with its refusal."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from inline_snapshot import snapshot

from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


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


def switches_auto_merge_on(change: Change) -> None:
    change.town.world.enables_auto_merge("ada", change.pull)


def switches_auto_merge_off(change: Change) -> None:
    change.town.world.disables_auto_merge("grace", change.pull)


def allows_rebase_only(change: Change) -> None:
    change.town.world.ruleset(change.town.repo, methods=("rebase",))


OBSTACLES = {
    "a draft": Obstacle(
        turns_to_draft, is_made_ready, "❌ Merge: the pull request is a draft · a builder: mark it as ready for review"
    ),
    "auto-merge that somebody switched on": Obstacle(
        switches_auto_merge_on,
        switches_auto_merge_off,
        "❌ Merge: GitHub's auto-merge is switched on for the pull request · a builder: switch it off there; whoever may write to the repository can",
    ),
    "a member of a stack": Obstacle(
        lies_below,
        lower_one_closes,
        "❌ Merge: merging it would merge the pull requests below it in its stack · a builder: merge or close the lower one first, or take this one off it",
    ),
    "a merge queue": Obstacle(
        queues,
        newest_rules_go,
        "❌ Merge: the base requires a merge queue, which Signalbox does not use · an operator: change the rules of the branch",
    ),
    "a bypass": Obstacle(
        bypasses,
        newest_rules_go,
        "❌ Merge: a rule of the base lets the App bypass it, and nothing may bypass · an operator: take Signalbox off the bypass list",
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


async def test_auto_merge_is_reported_early_and_our_check_is_no_success_while_it_is_on(town: Town) -> None:
    """threats.md, T30."""
    change = await begun(town, "testing")
    switches_auto_merge_on(change)
    await town.settles()
    assert "\n❌ GitHub's auto-merge is switched on" in change.check_text.replace("- ", "")

    await change.passes("testing")
    await change.approved_by("grace")
    await change.merges()
    assert (town.asked("merge", "merge_async"), change.check, change.waits) == snapshot(
        (
            0,
            "in_progress · submit: waiting for a builder",
            "Waiting for **a builder** to switch GitHub's auto-merge off on the pull request.",
        )
    )
    said = await change.on_pull("omar", "/merge")
    assert change.reply(said) == snapshot("""\
Not counted: `/merge`.
Not merged: GitHub's auto-merge is switched on for the pull request; whoever may write to the repository switches it off there.
Nothing was asked of GitHub.\
""")

    switches_auto_merge_off(change)
    await town.later(seconds=10)
    assert town.merges() == ["c1 by signalbox[bot]"]


async def test_auto_merge_switched_on_in_the_last_moment_takes_the_success_away(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()

    switches_auto_merge_on(change)
    await town.later(seconds=10)

    assert (town.asked("merge", "merge_async"), change.check) == snapshot(
        (0, "in_progress · submit: waiting for a builder")
    )


async def test_a_bypass_of_classic_protection_stops_it_too_where_the_app_may_read_of_it(town: Town) -> None:
    town.world.app.permissions["administration"] = "read"
    change = await begun(town, "almost")
    town.world.protects(town.repo, reviews=1, bypassing=(town.world.app,))

    await change.merges()
    before = (town.asked("merge", "merge_async"), change.row("Merge"))
    town.world.protects(town.repo)
    said = await change.on_pull("omar", "/merge")
    await town.later(seconds=10)

    assert before == (0, OBSTACLES["a bypass"].says)
    assert town.merges() == ["c1 by signalbox[bot]"]
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
Not merged: merging it would merge the pull requests below it in its stack; a rule of the base lets the App bypass it, and nothing may bypass.
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
    assert len(change.notices()) == 1


async def test_a_hold_stops_the_merge_only_and_its_end_lets_it_go_on(town: Town) -> None:
    change = await begun(town, "almost")
    await change.on_pull("grace", "/hold Release week.")

    await change.merges()
    assert (change.phase, town.asked("merge", "merge_async"), change.waits, change.check) == snapshot(
        (
            "submit",
            0,
            "Held by `grace` since hh:mm UTC: `Release week.`. To go on, `grace` or an operator comments `/unhold`.",
            "action_required · submit: held by grace",
        )
    )
    await change.on_pull("grace", "/unhold")
    await town.later(seconds=10)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def test_a_hold_is_lifted_by_its_owner_or_an_operator_and_nobody_else(town: Town) -> None:
    """known-faults.md, row 128."""
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
