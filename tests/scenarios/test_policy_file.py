"""The policy file of the default branch decides, the newest one at the merge, and a broken one never makes a rule laxer."""

import pytest

from bot.domain.model.policy_file import PATH
from tests.kit.change import begun
from tests.kit.policy_files import BROKEN, LEAN, SOLO, TWO_REVIEWS, lays_down, policy_check
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_without_a_file_preset_strict_holds(town: Town) -> None:
    change = await begun(town, "testing")

    assert change.row("Review").startswith("⏳ Review: 0 of 1")
    assert change.row("Human gate").startswith("⏳ Human gate: 0 of 1")
    assert (await change.record())["policy_sha"] == "builtin"


async def test_a_stricter_file_that_comes_while_a_record_is_in_submit_stops_its_merge(town: Town) -> None:
    change = await begun(town, "almost")

    commit = await lays_down(town, TWO_REVIEWS)
    assert change.row("Review").startswith("⏳ Review: 1 of 2")
    await change.merges()

    assert (town.merges(), change.phase, await change.merge_state()) == ([], "submit", "none")
    assert (await change.record())["policy_sha"] == commit
    await change.approved_by("sam")
    await town.later(seconds=10)
    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def test_each_decision_says_by_the_rules_of_which_commit_it_was_given(town: Town) -> None:
    change = await begun(town, "submit")
    commit = await lays_down(town, TWO_REVIEWS)
    await change.approved_by("grace")

    given = [(one["gate"], one["policy_sha"]) for one in (await change.record())["decisions"]]
    assert {sha for gate, sha in given if gate != "submit"} == {"builtin"}
    assert [sha for gate, sha in given if gate == "submit"] == [commit]


async def test_a_reservation_is_given_back_when_a_new_file_asks_for_more(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()

    await lays_down(town, TWO_REVIEWS)
    await town.later(seconds=10)

    assert (town.merges(), await change.merge_state()) == ([], "none")
    assert change.row("Review").startswith("⏳ Review: 1 of 2")
    change.notices()


async def test_the_merge_uses_the_newest_file_although_nobody_told_of_it(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    commit = await lays_down(town, TWO_REVIEWS, heard=False)
    town.world.hooks.take()  # GitHub's webhooks are late, or lost

    await town.later(seconds=10)

    assert (town.merges(), await change.merge_state()) == ([], "none")
    assert (await change.record())["policy_sha"] == commit
    change.notices()


async def test_a_file_that_comes_at_the_last_moment_counts(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()

    def pushes() -> None:
        town.world.pushes("omar", town.repo, "main", files={PATH: TWO_REVIEWS})

    town.just_before("/graphql", pushes)
    await town.later(seconds=10)

    assert (town.merges(), await change.merge_state()) == ([], "none")
    change.notices()


async def test_rules_that_come_while_a_plan_is_being_approved_are_the_ones_it_is_approved_by(town: Town) -> None:
    change = await begun(town, "plan_ready")
    repo = await town.store.read(lambda tx: tx.repositories.get(town.repo.id))
    assert repo is not None

    async def another_worker_reads_it() -> None:
        town.world.pushes("omar", town.repo, "main", files={PATH: "version: 1\ngates:\n  plan: {reviews: 2}\n"})
        town.world.hooks.take()
        await town.work.rules.look(repo)

    town.just_before("/collaborators/grace/permission", another_worker_reads_it)
    await change.on_issue("grace", "/approve r1")

    assert change.phase == "plan_ready"
    await change.on_issue("omar", "/approve r1")
    assert change.phase == "building"


async def test_rules_that_come_while_a_merge_is_being_decided_are_the_ones_it_is_decided_by(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    repo = await town.store.read(lambda tx: tx.repositories.get(town.repo.id))
    assert repo is not None

    async def another_worker_reads_it() -> None:
        town.world.pushes("omar", town.repo, "main", files={PATH: TWO_REVIEWS})
        town.world.hooks.take()
        await town.work.rules.look(repo)

    town.just_before("/branches/main", another_worker_reads_it)
    await town.later(seconds=10)

    assert (town.merges(), await change.merge_state()) == ([], "none")
    change.notices()


@pytest.mark.parametrize("status", [403, 404, 500])
async def test_a_file_that_cannot_be_read_at_the_merge_is_not_yet_and_the_merge_comes_later(
    town: Town, status: int
) -> None:
    await lays_down(town, "version: 1\npreset: strict\n")
    change = await begun(town, "almost")
    for operation in ("repository", "together"):
        town.world.fails(operation, 500, times=None)
    town.world.fails("contents", status, times=None)

    await change.merges(seconds=60)
    assert (town.merges(), town.asked("merge", "merge_async"), change.phase) == ([], 0, "submit")

    town.world.heals()
    await town.later(minutes=3)
    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")
    change.notices()


async def test_a_lean_file_lets_testing_pass_on_verification(town: Town) -> None:
    commit = await lays_down(town, LEAN)
    change = await begun(town, "building")

    await change.opens_pull()

    assert change.phase == "submit"
    rows = (await town.api(f"{change.repo_path}/history"))["items"]
    assert {row["policy_sha"] for row in rows} == {commit}
    change.notices()


async def test_a_file_that_asks_for_less_opens_the_gate_that_waits(town: Town) -> None:
    change = await begun(town, "testing")

    await lays_down(town, LEAN)

    assert change.phase == "submit"
    change.notices()


async def test_a_broken_file_keeps_the_last_good_one_and_says_so(town: Town) -> None:
    good = await lays_down(town, TWO_REVIEWS)
    change = await begun(town, "almost")

    await lays_down(town, BROKEN)
    await change.merges()

    assert (town.merges(), change.phase) == ([], "submit")
    assert change.row("Review").startswith("⏳ Review: 1 of 2")
    assert (await change.record())["policy_sha"] == good


async def test_a_broken_first_file_leaves_preset_strict(town: Town) -> None:
    commit = await lays_down(town, "version: 1\npreset: solo\nseparation: {author_may_gate: yes}\n")
    change = await begun(town, "testing")

    assert change.row("Human gate").startswith("⏳ Human gate: 0 of 1")
    assert (await change.record())["policy_sha"] == "builtin"
    assert policy_check(town, commit).startswith("failure · not used: 1 error")


async def test_a_file_that_is_deleted_means_preset_strict(town: Town) -> None:
    await lays_down(town, LEAN)
    change = await begun(town, "planning")

    await lays_down(town, None)
    for stage in ("plan_ready", "building", "testing"):
        await change.reaches(stage)

    assert change.phase == "testing"
    assert (await change.record())["policy_sha"] == "builtin"


async def test_a_pull_request_that_loosens_its_own_rules_changes_nothing_until_it_is_merged(town: Town) -> None:
    """known-faults.md, row 64; threats.md, T11."""
    change = await begun(town, "building")
    await change.opens_pull()
    town.heads.append(town.world.pushes("ada", change.pull, files={PATH: SOLO}))
    change.check_run()
    await town.settles()

    assert change.phase == "testing"
    assert change.row("Review").startswith("⏳ Review: 0 of 1")
    await change.on_pull("ada", f"/gate testing {change.head}")
    assert (change.phase, town.merges()) == ("testing", [])
    change.notices()

    await change.passes("testing")
    await change.approved_by("grace")
    await change.merges(seconds=30)
    assert change.phase == "done"
    after = await begun(town, "building", title="Another one")
    await after.opens_pull()
    assert after.phase == "submit"
    after.notices()


async def test_each_repository_has_its_own_rules(town: Town) -> None:
    other = town.world.repository("octo/other", members={"ada": "write", "grace": "write", "omar": "maintain"})
    town.world.requires(other, "build")
    await lays_down(town, LEAN, repo=other)

    change = await begun(town, "testing")
    assert change.phase == "testing"

    issue = town.world.opens_issue("ada", other, "Elsewhere", labels=["signalbox"])
    await town.settles()
    there = await town.api(f"/lifecycles/octo/other/{issue.number}")
    assert (there["policy_sha"], (await change.record())["policy_sha"]) == (other.branches["main"], "builtin")


async def test_a_restart_keeps_the_last_good_file_although_github_is_silent(town: Town) -> None:
    commit = await lays_down(town, TWO_REVIEWS)
    change = await begun(town, "almost")
    await lays_down(town, BROKEN)

    for operation in ("contents", "commits"):
        town.world.fails(operation, 500, times=None)
    await town.boots()
    await change.on_pull("omar", f"/gate submit {change.head}")

    assert change.row("Review").startswith("⏳ Review: 1 of 2")
    assert (town.merges(), (await change.record())["policy_sha"]) == ([], commit)


async def test_nothing_is_decided_in_a_repository_whose_file_nobody_could_read_yet(town: Town) -> None:
    await lays_down(town, TWO_REVIEWS, heard=False)
    town.world.hooks.take()
    for operation in ("contents", "commits"):
        town.world.fails(operation, 500, times=9)

    issue = town.world.opens_issue("ada", town.repo, "Retry uploads")
    town.world.labels("ada", issue, "signalbox")
    await town.settles()
    assert [comment for comment in issue.comments if comment.app is not None] == []

    await town.later(minutes=4)
    assert town.status_of(issue).startswith("**planning**")


async def test_a_file_that_no_webhook_told_of_is_found_by_the_sweep(town: Town) -> None:
    change = await begun(town, "testing")
    await lays_down(town, LEAN, heard=False)
    town.world.hooks.take()

    await town.later(minutes=11)

    assert change.phase == "submit"
    change.notices()


async def test_every_open_record_is_told_although_the_process_dies_between(town: Town) -> None:
    first = await begun(town, "testing")
    second = await begun(town, "testing", title="Another one")
    town.world.pushes("omar", town.repo, "main", files={PATH: LEAN})
    town.kills_before(f"/commits/{second.pull.head}/check-runs")

    await town.restarts()

    assert (first.phase, second.phase) == ("submit", "submit")
    for change in (first, second):
        change.notices()
