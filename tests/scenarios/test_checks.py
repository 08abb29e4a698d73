"""Checks of the head: red sends it back, green brings it back, pending only waits. And drafts."""

import pytest
from inline_snapshot import snapshot

from bot.simulator.wire.people import user as wire_user
from bot.simulator.wire.repositories import repository as wire_repository
from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_a_red_check_sends_the_head_back_and_a_green_re_run_brings_it_back(town: Town) -> None:
    change = await begun(town, "submit")

    await change.check_ends("failure")
    assert (change.phase, change.says, change.waits, change.check) == snapshot(
        (
            "building",
            "**building** · plan r1 · last head `c1` failed check `build`",
            "Waiting for **a builder** to push a new commit.",
            "failure · building: check build failed",
        )
    )
    await change.check_ends("success")

    assert (change.phase, change.says, change.row("Review")) == snapshot(
        (
            "testing",
            "**testing** · head `c1` · plan r1 · round 4",
            "⏳ Review: 0 of 1 · a reviewer other than `ada`: comment `/approve testing c1`",
        )
    )


async def test_the_history_says_how_many_checks_are_green(town: Town) -> None:
    change = await begun(town, "testing")
    town.world.check_run("actions", change.pull, "build", conclusion=None)
    await town.settles()
    await change.check_ends("success")

    rows = (await town.api(f"{change.repo_path}/history"))["items"]
    assert [row["detail"] for row in rows if row["signal"] == "checks_changed"] == [
        "checks pending: 0 of 1 green",
        "checks passed: 1 of 1 green",
    ]


async def test_a_red_check_at_the_last_moment_stops_the_merge(town: Town) -> None:
    change = await begun(town, "almost")
    change.check_run(conclusion="failure")

    said = await change.on_pull("omar", "/gate submit c1")
    await town.later(seconds=10)

    assert (change.reply(said) or "").startswith("Not counted: `/gate submit c1`.\nThe record is in **building**")
    assert (town.merges(), town.asked("merge", "merge_async"), change.phase) == ([], 0, "building")


async def test_a_check_that_runs_again_only_waits(town: Town) -> None:
    change = await begun(town, "almost")
    again = town.world.check_run("actions", change.pull, "build", status="in_progress")
    await change.merges()
    assert (town.merges(), change.waits, change.row("Checks"), change.check) == snapshot(
        (
            [],
            "Waiting for **check `build`**. Signalbox merges when every row is done.",
            "⏳ Checks: 0 of 1 green, `build` running since hh:mm UTC · app actions",
            "in_progress · submit: waiting for check build",
        )
    )

    town.world.completes(again, town.repo)
    await town.later(seconds=10)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def test_a_required_check_that_never_reports_is_named_and_ends_blocked(town: Town) -> None:
    """known-faults.md, row 82."""
    town.world.requires(town.repo, "lint")
    change = await begun(town, "testing")
    assert (change.waits, change.row("Checks")) == snapshot(
        (
            "Waiting for **a reviewer**, **an operator** and **check `lint`**.",
            "⬜ Checks: `lint` is required and has not reported · app actions and any source",
        )
    )

    await town.later(minutes=65, stride=60)

    assert (change.phase, change.says, change.check) == snapshot(
        (
            "blocked",
            "**blocked** in testing since 30 Nov 2024, hh:mm UTC",
            "action_required · blocked: an operator must decide about checks",
        )
    )
    change.notices()


async def test_a_green_check_of_the_wrong_app_is_not_the_required_one(town: Town) -> None:
    """known-faults.md, row 78; threats.md, T10."""
    town.repo.rulesets.clear()
    town.world.requires(town.repo, "build", app=town.world.another_app("real-ci"))
    change = await begun(town, "testing")
    assert change.row("Checks") == snapshot("⬜ Checks: `build` is required and has not reported · app real-ci")

    town.world.check_run("real-ci", change.pull, "build")
    await town.settles()

    assert change.row("Checks").startswith("✅ Checks")


async def test_a_commit_status_counts_like_a_check(town: Town) -> None:
    town.repo.rulesets.clear()
    town.world.requires(town.repo, "ci/legacy")
    change = await begun(town, "testing")
    assert change.row("Checks") == snapshot("⬜ Checks: `ci/legacy` is required and has not reported · any source")

    town.world.status("sam", change.pull, "ci/legacy")
    await town.settles()

    assert change.row("Checks").startswith("✅ Checks")


async def test_a_draft_is_judged_when_a_builder_says_so_and_marked_ready_on_entering_submit(town: Town) -> None:
    change = await begun(town, "building")
    await change.opens_pull(draft=True)
    assert (change.phase, change.waits, change.row("Pull request")) == snapshot(
        (
            "building",
            "Waiting for **a builder** to mark the pull request as ready for review.",
            "⏳ Pull request: a draft, into `main` · a builder: mark #2 as ready for review, or comment `/candidate c1` on it",
        )
    )

    await change.on_pull("ada", "/candidate c1")
    await change.passes("testing")

    assert (change.phase, change.pull.draft) == ("submit", False)


async def test_a_draft_that_is_made_ready_is_judged_by_itself(town: Town) -> None:
    change = await begun(town, "building")
    await change.opens_pull(draft=True)

    town.world.marks_ready("ada", change.pull)
    await town.settles()

    assert change.phase == "testing"


async def test_a_change_turned_into_a_draft_is_not_merged_until_it_is_ready(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.converts_to_draft("ada", change.pull)
    await change.merges()
    assert (town.merges(), change.waits, change.row("Merge")) == snapshot(
        (
            [],
            "Waiting for **a builder** to mark the pull request as ready for review.",
            "❌ Merge: the pull request is a draft · a builder: mark it as ready for review",
        )
    )

    town.world.marks_ready("ada", change.pull)
    await town.later(seconds=10)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


def tells_of_rules(town: Town) -> None:
    """The event of an App that has Administration: read."""
    town.world.app.events = (*town.world.app.events, "repository_ruleset")
    installation, repository = {"id": town.world.installation.id}, wire_repository(town.repo)
    said = {"action": "edited", "repository_ruleset": {"id": 1}, "repository": repository, "installation": installation}
    town.world.hooks.emit("repository_ruleset", said | {"sender": wire_user(town.world.user("omar"))})


async def test_rules_that_ask_for_less_let_a_head_go_on_at_once_where_github_tells_of_them(town: Town) -> None:
    town.world.requires(town.repo, "lint")
    change = await begun(town, "building")
    await change.opens_pull()
    await change.on_pull("grace", "/approve testing c1")
    await change.on_pull("omar", "/gate testing c1")
    change.notices()
    assert (change.phase, change.row("Checks")) == (
        "testing",
        "⬜ Checks: `lint` is required and has not reported · app actions and any source",
    )

    del town.repo.rulesets[max(town.repo.rulesets)]
    tells_of_rules(town)
    await town.settles()

    assert change.phase == "submit"
    change.notices()


async def test_checks_that_stay_unreadable_are_asked_for_ever_more_rarely(town: Town) -> None:
    """GitHub's list of check runs fails for two hours. Nothing else happens to this work, which is in building."""
    change = await begun(town, "building")
    town.world.fails("check_runs", 502, times=None)
    await change.opens_pull()
    await town.later(minutes=60, stride=60)
    before = len(town.calls)
    await town.later(minutes=60, stride=60)
    asked = [one for one in town.calls[before:] if one.by == "timers" and one.request.operation == "check_runs"]
    town.world.heals()
    assert 1 <= len(asked) <= 7 * 3, "one look in ten minutes, each of three tries"
    await town.later(minutes=10, stride=60)
    assert change.phase == "testing"
