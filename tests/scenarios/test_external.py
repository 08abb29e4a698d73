"""Somebody else merges, in every phase: recorded as what it was, no approval invented."""

import pytest
from inline_snapshot import snapshot

from bot.domain.model.policy import STRICT
from bot.simulator.edge import Fault
from bot.simulator.refusal import HttpError
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

BLOCKING = STRICT.model_copy(update={"external_merge": "block"})
PHASES = [
    "planning",
    "plan_ready",
    "plan_rejected",
    "building",
    "testing",
    "submit",
    "reserved",
    "requested",
    "ambiguous",
    "confirming",
    "blocked",
    "withdrawn",
]


async def brought_to(town: Town, phase: str) -> Change:
    if phase in {"planning", "plan_ready", "plan_rejected"}:
        change = await begun(town, "planning")
        await change.opens_pull()
        if phase != "planning":
            await change.on_issue("ada", "/plan\nRetry three times.")
        if phase == "plan_rejected":
            await change.on_issue("grace", "/reject r1 No.")
        return change
    under_way = dict.fromkeys(("reserved", "requested", "ambiguous", "confirming"), "almost")
    stops = {"building": "testing", "blocked": "testing", "withdrawn": "testing"}
    change = await begun(town, under_way.get(phase) or stops.get(phase, phase))
    match phase:
        case "building":
            await change.on_pull("grace", "/reject Not yet.")
        case "reserved":
            await change.reserved()
        case "requested":
            await change.asked(seconds=120)
        case "ambiguous":
            await change.unknown()
        case "confirming":
            await says_merged_and_does_not(town, change)
        case "blocked":
            await change.on_pull("ada", "/block Which store?")
        case "withdrawn":
            await change.on_pull("ada", "/cancel No.")
    return change


async def says_merged_and_does_not(town: Town, change: Change) -> None:
    """A success that neither the pull request nor the base shows."""
    body = {"status": "merged", "details": {"sha": "f" * 40}}
    town.world.edge.add(Fault("merge", 1, "never", error=HttpError(200, "", extra=body)))
    await change.merges(seconds=2)
    assert await change.merge_state() == "confirming"


@pytest.mark.parametrize("phase", PHASES)
async def test_a_merge_by_somebody_else_ends_every_phase(town: Town, phase: str) -> None:
    """known-faults.md, row 54."""
    change = await brought_to(town, phase)
    change.notices()

    town.world.merges_by_hand("sam", change.pull)
    await town.later(minutes=1)

    record = await change.record()
    assert (record["phase"], record["merge"]["external"], record["merge"]["merged_by"]["login"]) == (
        "done",
        True,
        "sam",
    )
    complete = phase in {"reserved", "requested", "ambiguous", "confirming"}
    assert ("human gate (submit)" in record["merge"]["missing"]) is not complete
    assert town.asked("merge", "merge_async") == (1 if phase in {"requested", "ambiguous", "confirming"} else 0)
    assert any("merged this pull request outside Signalbox" in told for told in change.notices())


async def test_where_the_policy_says_so_it_blocks_until_an_operator_settles_it(town: Town) -> None:
    town.policy = BLOCKING
    change = await begun(town, "testing")
    town.world.merges_by_hand("sam", change.pull)
    await town.later(minutes=1)
    assert (change.phase, change.says, change.notices()) == snapshot(
        (
            "blocked",
            "**blocked** in testing since 30 Nov 2024, hh:mm UTC",
            [
                """\
**An operator is needed: `sam` merged this outside Signalbox**, as `m1` at hh:mm UTC.
Missing at that moment: review (testing), human gate (testing), review (submit), human gate (submit).
No approval was recorded for them.
An operator settles it with `/settle merged` and the 40-digit merge commit; if it was a mistake, revert it on GitHub as well (evidence: the merge commit).\
"""
            ],
        )
    )

    resumed = await change.on_pull("omar", "/resume testing")
    unmerged = await change.on_pull("omar", "/settle unmerged It is not.")
    assert [change.reply(one) for one in (resumed, unmerged)] == snapshot(
        [
            """\
Not counted: `/resume testing`.
It was merged outside Signalbox.
An operator settles it with `/settle merged` and the merge commit.\
""",
            """\
Not counted: `/settle unmerged It is not.`.
A read shows it merged, so it cannot be settled as unmerged.
Nothing changed.
An operator settles it with `/settle merged` and the merge commit on `main`.\
""",
        ]
    )
    await change.on_pull("omar", f"/settle merged {town.world.landed[0].sha}")

    assert (change.phase, (await change.record())["merge"]["external"]) == ("done", True)
    change.notices()


async def test_a_merge_before_anything_was_linked_changes_no_record(town: Town) -> None:
    change = await begun(town, "building")
    town.world.pushes("ada", town.repo, "other")
    other = town.world.opens_pull("ada", town.repo, "Unrelated", head="other")

    town.world.merges_by_hand("sam", other)
    await town.later(minutes=1)

    assert change.phase == "building"


async def test_commits_pushed_straight_to_the_base_are_a_merge_by_whoever_pushed(town: Town) -> None:
    change = await begun(town, "testing")

    town.world.force_pushes("sam", town.repo, "main", sha=change.pull.head)
    await town.later(minutes=1)

    assert (change.phase, (await change.record())["merge"]["external"], change.notices()) == snapshot(
        (
            "done",
            True,
            [
                """\
**`sam` merged this pull request outside Signalbox**, as `c1` at hh:mm UTC.
Missing at that moment: review (testing), human gate (testing), review (submit), human gate (submit).
No approval was recorded for them.
The record is done and marked as merged outside.
Nothing has to be done here.
If it was a mistake, revert it on GitHub.\
"""
            ],
        )
    )


async def test_a_head_that_nobody_saw_before_it_was_merged_is_covered_by_no_approval_of_another(town: Town) -> None:
    change = await begun(town, "almost")
    await change.on_pull("grace", "/hold")
    await change.on_pull("omar", "/gate submit c1")

    await change.pushes("ada", heard=False)
    town.world.merges_by_hand("sam", change.pull)
    await town.later(minutes=1)
    change.notices()

    assert (change.phase, (await change.record())["merge"]["missing"]) == snapshot(
        ("done", ["review (testing)", "human gate (testing)", "review (submit)", "human gate (submit)", "checks"])
    )
