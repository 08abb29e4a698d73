"""What happens while GitHub is asked is remembered, and applied in order when the merge did not happen (LIFECYCLE.md 2.2)."""

from collections.abc import Callable

import pytest
from inline_snapshot import snapshot

from bot.simulator.verbs.merging import MergeCall
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


def retargets(change: Change) -> None:
    change.town.world.branches("ada", change.town.repo, "stable")
    change.town.world.requires(change.town.repo, "lint", branch="stable")
    change.town.world.retargets("ada", change.pull, "stable")


def closes(change: Change) -> None:
    change.town.world.closes("ada", change.pull)


def turns_red(change: Change) -> None:
    change.check_run(conclusion="failure")


def revokes(change: Change) -> None:
    change.town.world.comments("grace", change.pull, "/revoke")


def pushes(change: Change) -> None:
    change.town.heads.append(change.town.world.pushes("ada", change.pull))


def unlabels(change: Change) -> None:
    change.town.world.unlabels("ada", change.issue, "signalbox")


def closes_the_issue(change: Change) -> None:
    change.town.world.closes("ada", change.issue)


def moves_the_issue(change: Change) -> None:
    change.town.world.repository("octo/lib", members={"ada": "write"})
    change.town.world.transfers_issue("ada", change.issue, "octo/lib")


FACTS: dict[str, tuple[Callable[[Change], None], str]] = {
    "a push": (pushes, "testing"),
    "a new base": (retargets, "testing"),
    "a closed pull request": (closes, "building"),
    "a red check": (turns_red, "building"),
    "a revoked approval": (revokes, "testing"),
    "a label taken away": (unlabels, "withdrawn"),
    "a closed issue": (closes_the_issue, "withdrawn"),
    "an issue that moved away": (moves_the_issue, "blocked"),
}


@pytest.mark.parametrize("fact", FACTS)
async def test_what_happens_meanwhile_is_applied_after_a_definitive_no(town: Town, fact: str) -> None:
    act, ends = FACTS[fact]
    change = await begun(town, "almost")
    await change.asked(seconds=60)
    town.world.requires(town.repo, "lint")
    act(change)
    await town.settles()
    assert await change.merge_state() == "requested"
    await town.later(minutes=2, stride=10)

    record = await change.record()
    assert ("withdrawn" if record["withdrawn"] else record["phase"], town.merges()) == (ends, [])
    change.notices()


@pytest.mark.parametrize("fact", ["a label taken away", "a revoked approval", "a closed issue"])
async def test_what_happens_meanwhile_changes_nothing_of_a_merge_that_landed(town: Town, fact: str) -> None:
    change = await begun(town, "almost")
    town.world.lands_late("merge", seconds=30)
    await change.on_pull("omar", "/gate submit c1")
    FACTS[fact][0](change)

    await town.later(minutes=2, stride=10)

    assert ((await change.record())["phase"], town.merges()) == ("done", ["c1 by signalbox[bot]"])
    rows = (await town.api(f"{change.repo_path}/history"))["items"]
    assert "remembered until the merge is settled" in [row["detail"] for row in rows]
    change.notices()


async def test_several_facts_are_applied_in_the_order_in_which_they_happened(town: Town) -> None:
    change = await begun(town, "almost")
    await change.asked(seconds=60)
    town.world.requires(town.repo, "lint")
    await change.pushes("ada")
    await change.pushes("ada")
    closes(change)
    await town.later(minutes=2, stride=10)
    assert change.phase == "building"
    change.notices()

    town.world.reopens("ada", change.pull)
    await town.settles()

    assert (change.phase, change.says, town.merges()) == snapshot(
        ("testing", "**testing** · head `c3` · plan r1 · round 4", [])
    )


COMMANDS = ["/hold", "/rework No.", "/replan No.", "/block Why?", "/cancel No.", "/unlink", "/gate submit c1", "/merge"]


@pytest.mark.parametrize("command", COMMANDS)
async def test_no_command_changes_what_github_was_asked(town: Town, command: str) -> None:
    change = await begun(town, "almost")
    await change.asked(seconds=120)

    said = await change.on_pull("omar", command)

    assert await change.merge_state() == "requested"
    assert "GitHub was asked at hh:mm UTC to merge `c1`" in (change.reply(said) or "")
    assert "Your command is not kept; repeat it if the merge did not happen." in (change.reply(said) or "")


async def test_a_revocation_is_kept_and_says_so(town: Town) -> None:
    change = await begun(town, "almost")
    await change.asked(seconds=60)
    town.world.requires(town.repo, "lint")

    said = await change.on_pull("grace", "/revoke")
    assert change.reply(said) == snapshot("""\
Not counted: `/revoke`.
GitHub was asked at hh:mm UTC to merge `c1`, and the outcome is not confirmed yet.
It is kept, and applied if the merge did not happen.
Nobody needs to do anything until then.\
""")
    await town.later(minutes=2, stride=10)

    assert (await change.merge_state(), change.row("Review"), town.merges()) == snapshot(
        ("none", "⏳ Review: 0 of 1 · a reviewer other than `ada`: comment `/approve testing c1`", [])
    )
    change.notices()


async def test_unknown_merge_push_b_push_a_hold_no_second_request_until_proof(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()
    await change.pushes("ada")
    await change.pushes_back("ada", "c1")
    said = await change.on_pull("grace", "/hold")
    assert (change.reply(said) or "").startswith("Not counted: `/hold`.\nGitHub was asked")

    await town.later(minutes=40, stride=300)

    assert (town.asked("merge", "merge_async"), await change.merge_state(), change.phase) == (1, "ambiguous", "submit")


@pytest.mark.parametrize("merge_api", ["sync"])
async def test_a_merge_that_lands_while_nobody_knows_is_ours_with_nothing_missing(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()
    town.world.merge(town.world.bot, change.pull, MergeCall(change.pull.head, "squash"))

    await town.later(minutes=2, stride=10)

    record = await change.record()
    assert (change.phase, record["merge"]["external"], record["merge"]["missing"]) == ("done", False, [])
