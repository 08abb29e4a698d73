"""What people are told of a policy file: on the commit that changed it, and on pull requests that would change it."""

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from bot.app.timing import Timing
from bot.bootstrap.work import Step
from bot.domain.model.policy_file import PATH
from bot.simulator.model.threads import Pull
from tests.kit.change import begun
from tests.kit.policy_files import BROKEN, LEAN, SOLO, annotations, lays_down, policy_check, policy_runs
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


def proposes(town: Town, text: str | None, who: str = "ada", branch: str = "rules") -> Pull:
    town.world.branches(who, town.repo, branch)
    town.heads.append(town.world.pushes(who, town.repo, branch, files={PATH: text}))
    return town.world.opens_pull(who, town.repo, "Other rules", head=branch)


async def test_a_good_file_is_told_on_the_commit_that_changed_it(town: Town) -> None:
    commit = await lays_down(town, "version: 1\npreset: strict\n")

    assert policy_check(town, commit) == "success · in force: preset strict"
    assert annotations(town, commit) == []


async def test_a_broken_file_is_told_by_line_with_what_is_in_force_instead(town: Town) -> None:
    """known-faults.md, row 136."""
    await lays_down(town, LEAN)
    commit = await lays_down(town, BROKEN)

    assert policy_check(town, commit) == "failure · not used: 1 error"
    (run,) = policy_runs(town, commit)
    assert town.shown(run.summary or "").startswith("`.github/signalbox.yml` is not used. 1 error found.")
    assert "In force stays preset lean, the file of" in (run.summary or "")
    (said,) = annotations(town, commit)
    assert said.startswith("failure line 4: this is the text `none`, and it must be")
    assert "In force instead: `1` by the file of" in said


async def test_a_first_file_with_a_laxer_preset_says_what_it_takes_away(town: Town) -> None:
    await begun(town, "planning")

    commit = await lays_down(town, SOLO)

    assert policy_check(town, commit) == "success · in force: preset solo"
    assert annotations(town, commit) == snapshot(
        [
            "notice line 1: laxer than preset strict, which held without a file: `0` instead of `1`.",
            "notice line 1: laxer than preset strict, which held without a file: `0` instead of `1`.",
            "notice line 1: laxer than preset strict, which held without a file: `0` instead of `1`.",
            "notice line 1: laxer than preset strict, which held without a file: `true` instead of `false`.",
            "notice line 1: laxer than preset strict, which held without a file: `true` instead of `false`.",
            "notice line 1: laxer than preset strict, which held without a file: `true` instead of `false`.",
        ]
    )


async def test_a_first_file_that_begins_with_the_same_preset_says_each_thing_once(town: Town) -> None:
    await begun(town, "planning")

    commit = await lays_down(town, "version: 1\nblocked_recovery: builder\n")

    assert annotations(town, commit) == snapshot(
        ["notice line 2: laxer than preset strict: `builder` instead of `human`."]
    )


async def test_rules_that_end_are_told_where_the_file_was_taken_away(town: Town) -> None:
    await lays_down(town, "version: 1\ngates:\n  submit: {reviews: 2, operators: 1}\n")

    commit = await lays_down(town, None)

    assert policy_check(town, commit) == "success · no file: preset strict is in force"
    (run,) = policy_runs(town, commit)
    assert "laxer than the file of" in (run.text or "")


async def test_a_proposed_file_is_judged_and_says_that_it_is_not_in_force(town: Town) -> None:
    """known-faults.md, row 136."""
    commit = await lays_down(town, "version: 1\npreset: strict\n")
    pull = proposes(town, SOLO)
    await town.settles()

    assert policy_check(town, pull.head) == "success · could be used (preset solo), not merged yet"
    (said,) = [town.reads(one) for one in town.ours(pull)]
    first, *_, last = said.split("\n\n")
    assert first == (
        "**The policy file at `c1`.** `.github/signalbox.yml` could be used; it begins with preset solo. 6 notices found."
    )
    assert last.splitlines() == [
        "This is not in force: a pull request never configures its own gate.",
        f"In force is preset strict, the file of `{commit[:7]}`, until this is merged.",
    ]
    assert "notice: laxer than the file of" in said


async def test_a_proposal_that_breaks_the_file_fails_its_check_and_says_where_below_the_pull_request(
    town: Town,
) -> None:
    """known-faults.md, row 136."""
    commit = await lays_down(town, "version: 1\npreset: strict\n")
    pull = proposes(town, BROKEN)
    await town.settles()

    assert policy_check(town, pull.head) == snapshot("failure · would not be used: 1 error")
    assert [town.reads(one).replace(commit[:7], "NOW") for one in town.ours(pull)] == snapshot(
        [
            """\
**The policy file at `c1`.** `.github/signalbox.yml` would not be used. 1 error found.

- Line 4, `gates.submit.reviews`, error: this is the text `none`, and it must be a mapping with `people` and `agents` or a whole number from 0 to 10.
In force instead: `1` by the file of NOW.

This is not in force: a pull request never configures its own gate.
In force is preset strict, the file of `NOW`, until this is merged.\
"""
        ]
    )


async def test_a_proposal_without_a_finding_needs_no_comment(town: Town) -> None:
    pull = proposes(town, "version: 1\npreset: strict\n")
    await town.settles()

    assert policy_check(town, pull.head) == "success · could be used (preset strict), not merged yet"
    assert town.ours(pull) == []


async def test_the_one_comment_on_a_proposal_is_edited_and_never_repeated(town: Town) -> None:
    pull = proposes(town, BROKEN)
    await town.settles()
    (comment,) = town.ours(pull)
    assert "Line 4, `gates.submit.reviews`, error" in town.reads(comment)
    assert policy_check(town, pull.head) == "failure · would not be used: 1 error"

    town.heads.append(town.world.pushes("ada", pull, files={PATH: "version: 1\npreset: strict\n"}))
    await town.settles()

    assert [one.id for one in town.ours(pull)] == [comment.id]
    assert "error" not in town.shown(comment.body)
    assert policy_check(town, pull.head).startswith("success")

    town.heads.append(town.world.pushes("ada", pull, files={PATH: None, "other.txt": "x"}))
    await town.settles()
    assert "no longer changes" in town.shown(comment.body)
    assert policy_runs(town, pull.head) == []


@pytest.mark.parametrize("write", ["create_comment", "update_comment"])
async def test_what_is_said_of_a_proposal_is_not_given_up_by_one_answer_that_nothing_is_there(
    town: Town, write: str
) -> None:
    town.world.fails(write, 404)
    pull = proposes(town, BROKEN)
    await town.later(seconds=90)
    town.heads.append(town.world.pushes("ada", pull, files={PATH: "version: 1\npreset: strict\n"}))
    await town.later(seconds=90)

    (comment,) = town.ours(pull)
    assert "error" not in town.reads(comment)


async def test_a_comment_on_a_proposal_that_somebody_deleted_stays_deleted(town: Town) -> None:
    pull = proposes(town, BROKEN)
    await town.settles()
    (comment,) = town.ours(pull)
    town.world.deletes_comment("omar", comment)
    town.heads.append(town.world.pushes("ada", pull, files={PATH: "version: 1\npreset: strict\n"}))
    await town.later(seconds=90)

    assert town.ours(pull) == []


async def test_what_was_said_is_not_written_again(town: Town) -> None:
    pull = proposes(town, BROKEN)
    commit = await lays_down(town, LEAN)
    written = town.asked("create_check_run", "update_check_run", "create_comment", "update_comment")

    town.world.closes("ada", pull)
    town.world.reopens("ada", pull)
    await town.later(minutes=7)

    assert len([town.reads(comment) for comment in town.ours(pull)]) == 1
    assert town.asked("create_check_run", "update_check_run", "create_comment", "update_comment") == written
    assert len(policy_runs(town, commit)) == len(policy_runs(town, pull.head)) == 1


async def test_a_pull_request_that_is_merely_behind_is_left_alone(town: Town) -> None:
    change = await begun(town, "testing")
    await lays_down(town, LEAN)
    await change.pushes()

    assert policy_runs(town, change.pull.head) == []
    change.notices()


@pytest.mark.parametrize("where", ["/check-runs", "/comments"])
@pytest.mark.parametrize("landed", [False, True])
async def test_a_lost_answer_leaves_one_check_and_one_comment(town: Town, where: str, landed: bool) -> None:
    operation = "create_check_run" if where == "/check-runs" else "create_comment"
    town.world.loses_answer_to(operation, landed=landed)
    pull = proposes(town, BROKEN)

    await town.settles()
    await town.later(minutes=2)

    assert len([town.reads(comment) for comment in town.ours(pull)]) == 1
    assert len(policy_runs(town, pull.head)) == 1


async def test_our_checks_about_the_file_are_no_evidence(town: Town) -> None:
    for ruleset in list(town.repo.rulesets):
        del town.repo.rulesets[ruleset]
    change = await begun(town, "building")
    town.world.branches("ada", town.repo, f"signalbox/{change.issue.number}-rules")
    head = town.world.pushes("ada", town.repo, f"signalbox/{change.issue.number}-rules", files={PATH: BROKEN})
    town.heads.append(head)
    change.linked = town.world.opens_pull(
        "ada", town.repo, "Rules", head=f"signalbox/{change.issue.number}-rules", body=f"Closes #{change.issue.number}"
    )
    await town.later(minutes=3)

    assert policy_check(town, head).startswith("failure")
    assert change.phase == "testing"
    assert "signalbox policy" not in change.row("Checks")
    await change.passes("testing")
    assert change.phase == "testing"
    for comment in town.ours(change.pull):
        town.reads(comment)
    change.notices()


class Crowded(Town):
    """Whoever waits for its turn waits longer than any lease, and meanwhile another process works on the reports."""

    rival: Step | None = None

    async def sleeps(self, seconds: float) -> None:
        rival, self.rival = self.rival, None
        if rival is not None:
            seconds = Timing().write_lease + 1
        await super().sleeps(seconds)
        if rival is not None:
            assert await rival()


async def test_a_report_that_waited_too_long_is_left_to_whoever_took_it_meanwhile(tmp_path: Path) -> None:
    town = Crowded(tmp_path)
    await lays_down(town, LEAN)
    pull = proposes(town, BROKEN)
    await town.hears()
    rival = town._steps(town.private_key)["policies"]
    town.rival = rival
    await town.settles()

    assert town.rival is None
    said = [town.reads(one).split("\n\n")[0] for one in town.ours(pull)]
    assert said == ["**The policy file at `c1`.** `.github/signalbox.yml` would not be used. 1 error found."]
    assert "policy_report_lost" in [event for _, event, _ in town.log.lines]
    await town.closes()
