"""Faults that bots of this kind are known for and that no other story tells (known-faults.md). What each row stands for, and
every other row, is in tests/rules/known.yaml."""

from dataclasses import replace
from datetime import timedelta

import pytest
from inline_snapshot import snapshot

from bot.domain.model.policy_file import PATH
from tests.kit.change import Change, begun
from tests.kit.policy_files import SOLO
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_on_a_closed_thread_a_command_is_answered_with_what_is_true_there(town: Town) -> None:
    """known-faults.md, rows 16 and 52."""
    change = await begun(town, "testing")
    town.world.closes("ada", change.pull)
    await town.settles()
    closed = await change.on_pull("grace", "/approve testing c1")
    town.world.closes("ada", change.issue)
    await town.settles()
    withdrawn = await change.on_issue("ada", "/plan\nAnother plan.")
    unknown = await change.on_pull("grace", "/signalbox unapprove")

    assert [change.reply(said) for said in (closed, withdrawn)] == snapshot(
        [
            """\
Not counted: `/approve testing c1`.
The record is in **building**, so there is nothing to judge; that changes when a builder reopens #2, or comments `/link #1` on another pull request.\
""",
            """\
Not counted: `/plan`.
The record is withdrawn by `ada` since 30 Nov 2024, hh:mm UTC, so nothing is judged.
A builder starts it again by reopening the issue, or by adding the label again (taking it off first where it is still on).\
""",
        ]
    )
    assert (change.reply(unknown) or "").startswith("Not a command: `/signalbox unapprove`.")
    assert town.merges() == []
    change.notices()


async def _almost_with_odd_dates(town: Town) -> Change:
    """Two commits were pushed, and only the human gate of submit is missing. Whoever commits says when: the oldest commit
    calls itself the newest, and the head the oldest."""
    change = await begun(town, "building")
    await change.opens_pull()
    await change.pushes("ada")
    await change.passes("testing")
    await change.approved_by("grace")
    commits = town.world.commits
    for years, sha in ((9, town.world.tip(town.repo, "main")), (-9, town.heads[1])):
        commits[sha] = replace(commits[sha], at=commits[sha].at + timedelta(days=365 * years))
    return change


async def test_a_force_push_that_drops_only_the_tip_voids_what_was_approved_whatever_commits_say_of_time(
    town: Town,
) -> None:
    """known-faults.md, row 30."""
    change = await _almost_with_odd_dates(town)

    await change.pushes_back("ada", "c1")
    await change.on_pull("omar", "/gate submit c1")

    assert (change.phase, change.head, town.merges()) == ("testing", "c1", [])
    assert change.row("Review") == snapshot(
        "⏳ Review: 0 of 1 · a reviewer other than `ada`: comment `/approve testing c1`"
    )
    change.notices()


async def test_the_same_files_in_a_new_commit_need_a_fresh_approval(town: Town) -> None:
    """known-faults.md, row 32; threats.md, T8: a force-push to the same tree is a new head like any other."""
    change = await begun(town, "almost")

    town.heads.append(town.world.force_pushes("ada", change.pull))
    change.check_run()
    await town.settles()
    await change.on_pull("omar", "/gate submit c2")

    assert town.world.commits[town.heads[0]].tree_sha == town.world.commits[town.heads[1]].tree_sha
    assert (change.phase, change.head, town.merges()) == ("testing", "c2", [])
    change.notices()


async def test_the_head_that_is_merged_is_that_of_the_pull_request_and_not_the_newest_by_date(town: Town) -> None:
    """known-faults.md, row 96."""
    change = await _almost_with_odd_dates(town)

    await change.merges()

    assert (town.merges(), town.asked("merge", "merge_async")) == (["c2 by signalbox[bot]"], 1)
    change.notices()


@pytest.mark.parametrize("said", ["/signalbox delegate @ada", "/signalbox label remove hold", "/signalbox lgtm"])
async def test_a_right_is_never_passed_on_and_a_label_is_no_command(town: Town, said: str) -> None:
    """known-faults.md, rows 42 and 128."""
    change = await begun(town, "testing")
    word = await change.on_pull("grace", said)
    await change.pushes("ada")

    own = await change.on_pull("ada", "/approve testing c2")

    assert (change.reply(word) or "").startswith(f"Not a command: `{' '.join(said.split()[:2])}`.")
    assert (change.reply(own) or "").startswith("Not counted: `/approve testing c2`.")
    assert change.row("Review").startswith("⏳ Review: 0 of 1")


async def test_what_was_judged_on_the_branch_below_is_judged_anew_when_github_retargets_it(town: Town) -> None:
    """known-faults.md, rows 46 and 48: the branch below had no rules."""
    change = await begun(town, "building")
    town.world.pushes("grace", town.repo, "lower")
    await change.opens_pull()
    town.world.retargets("ada", change.pull, "lower")
    town.world.hooks.take()
    change.check_run()
    await town.settles()
    await town.later(minutes=2)
    await change.passes("testing")
    await change.approved_by("grace")

    town.world.retargets("sam", change.pull, "main")
    await town.settles()
    await change.on_pull("omar", "/gate submit c1")

    assert (change.phase, town.merges()) == ("testing", [])
    assert change.row("Review").startswith("⏳ Review: 0 of 1")
    change.notices()


async def test_a_check_counts_on_the_head_that_is_judged_and_on_no_other_commit(town: Town) -> None:
    """known-faults.md, row 86: neither what GitHub would merge nor the base speaks for the head."""
    change = await begun(town, "building")
    await change.opens_pull()
    await change.pushes("ada", green=False)
    for commit in (town.world.tip(town.repo, "main"), town.heads[0]):
        town.world.status("ada", (town.repo, commit), "build", "success")
        town.world.check_run("actions", (town.repo, commit), "build", conclusion="success")
    await town.settles()

    assert change.row("Checks") == snapshot("⬜ Checks: `build` is required and has not reported · any source")
    change.notices()


async def test_a_mergeability_that_github_has_not_computed_keeps_nobody_waiting(town: Town) -> None:
    """known-faults.md, row 102: whether it can be merged is asked by merging; the answer is shown."""
    change = await begun(town, "almost")
    town.world.takes_time_to_compute(change.pull, 20)

    await change.merges()

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])


async def test_github_is_answered_at_once_although_it_does_not_answer_us(town: Town) -> None:
    """known-faults.md, row 112."""
    change = await begun(town, "plan_ready")
    town.world.unreachable(times=None)
    town.world.comments("grace", change.issue, "/approve r1")
    asked = len(town.world.requests)

    answers = await town.delivers_each(1)

    assert (set(answers), len(town.world.requests)) == ({202}, asked)
    town.world.heals()
    await town.later(minutes=10)
    assert change.phase == "building"


async def test_a_hold_outlives_a_restart_and_the_next_sweep(town: Town) -> None:
    """known-faults.md, row 118."""
    change = await begun(town, "almost")
    await change.on_pull("grace", "/hold Release week.")
    await town.boots()

    await change.merges(seconds=400)

    assert (change.waits, town.merges()) == snapshot(
        ("Held by `grace` since hh:mm UTC: `Release week.`. To go on, `grace` or an operator comments `/unhold`.", [])
    )
    change.notices()


async def test_branches_of_which_no_pull_request_comes_are_nothing_to_us(town: Town) -> None:
    """known-faults.md, row 68."""
    change = await begun(town, "testing")
    before = (await change.record())["version"]

    town.world.pushes("ada", town.repo, "lonely")
    town.world.force_pushes("ada", town.repo, "lonely")
    town.world.deletes_branch("ada", town.repo, "lonely")
    await town.settles()

    assert ((await change.record())["version"], change.notices()) == (before, [])


async def test_the_rules_are_those_of_the_default_branch_whatever_the_base_carries(town: Town) -> None:
    """known-faults.md, rows 64 and 134: a branch, and a fork, with a file that lets one person do it all."""
    change = await begun(town, "building")
    town.world.pushes("omar", town.repo, "rel", files={PATH: SOLO})
    town.world.requires(town.repo, "build", branch="rel")
    await change.opens_pull()
    town.world.retargets("ada", change.pull, "rel")
    await town.settles()
    await change.passes("testing")

    own = await change.on_pull("ada", f"/gate submit {change.head}")

    assert (change.phase, town.merges(), (change.reply(own) or "")[:24]) == ("submit", [], "Not counted: `/gate subm")
    assert change.row("Review").startswith("⏳ Review: 0 of 1")
    change.notices()
