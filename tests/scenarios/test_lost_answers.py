"""The answer to the merge request is lost, late or senseless: nobody is asked twice, and nothing is assumed."""

import pytest
from inline_snapshot import snapshot

from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

BOTH = pytest.mark.parametrize("merge_api", ["async", "sync"])


@BOTH
async def test_a_merge_whose_answer_is_lost_happens_exactly_once(town: Town) -> None:
    """threats.md, T18."""
    change = await begun(town, "almost")
    town.world.loses_answer_to("merge")

    await change.on_pull("omar", "/gate submit c1")
    assert (change.waits, change.check) == snapshot(("Nothing is awaited.", "success · done: merged as m1"))
    await town.later(minutes=5)

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])
    assert town.asked("merge", "merge_async") == 1
    assert change.notices() == []


@pytest.mark.parametrize("merge_api", ["sync"])
async def test_the_history_says_what_each_look_showed(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.loses_answer_to("merge", landed=False)
    await change.merges()
    await town.later(minutes=2, stride=30)
    town.world.fails("pull", 503, times=3)
    await town.later(minutes=10, stride=30)

    rows = (await town.api(f"{change.repo_path}/history"))["items"]
    assert {row["detail"] for row in rows if row["signal"] == "merge_looked"} == {
        "the pull request is open, main does not contain it",
        "the pull request could not be read, main does not contain it",
    }
    assert len(change.notices()) == 1


@BOTH
async def test_a_merge_that_never_arrived_stays_unknown_and_is_asked_for_once(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.loses_answer_to("merge", landed=False)

    await change.merges()
    await town.later(minutes=60, stride=30)

    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 1)
    assert (change.phase, change.says, change.waits, change.check) == snapshot(
        (
            "submit",
            "**submit** · head `c1` · plan r1 · round 3",
            "Waiting for **an operator**: it is not known whether GitHub merged this (evidence).",
            "action_required · submit: it is not known whether GitHub merged c1",
        )
    )
    assert change.row("Merge") == snapshot(
        "⏳ Merge: asked hh:mm UTC, the outcome is not known · an operator: from 30 Nov 2024, hh:mm UTC on, comment `/settle merged` and the 40-digit merge commit, or `/settle unmerged` and why"
    )
    assert len(change.notices()) == 1


async def test_an_unknown_outcome_is_told_once_with_what_was_asked_and_read(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.loses_answer_to("merge", landed=False)

    await change.merges(seconds=120)

    assert change.notices() == snapshot(
        [
            """\
**An operator is needed: it is not known whether this pull request was merged.**
Signalbox asked GitHub once, at hh:mm UTC, to squash `c1` into `main`.
There was no answer.
It has not asked again and will not.

> [!WARNING]
> Until this is settled, do not merge, close or push here.

| Read at (UTC) | Pull request | `main` contains it |
|---|---|---|
| hh:mm | open | no |

If it was merged, an operator comments `/settle merged` and the 40-digit merge commit; if not, `/settle unmerged` and why.
The answer is checked against GitHub before it counts.
All evidence\
"""
        ]
    )


@BOTH
async def test_a_merge_that_lands_late_is_found_without_a_person(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.lands_late("merge", seconds=200)

    await change.merges()
    assert (change.phase, town.merges(), len(change.notices())) == ("submit", [], 1)
    await town.later(minutes=5)

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])
    assert town.asked("merge", "merge_async") == 1


@pytest.mark.parametrize(("merge_api", "status"), [("async", 502), ("sync", 500), ("sync", 502), ("sync", 504)])
async def test_a_server_error_after_the_merge_is_read_as_the_merge_it_was(town: Town, status: int) -> None:
    """known-faults.md, row 92."""
    change = await begun(town, "almost")
    town.world.answers("merge", status, before=False)

    await change.merges(seconds=30)
    change.notices()

    assert (change.phase, town.merges(), town.asked("merge", "merge_async")) == ("done", ["c1 by signalbox[bot]"], 1)


@BOTH
async def test_a_server_error_before_the_merge_proves_nothing(town: Town) -> None:
    """known-faults.md, row 92."""
    change = await begun(town, "almost")
    town.world.answers("merge", 502, before=True)

    await change.merges()
    await town.later(minutes=40, stride=30)

    assert (change.waits, town.merges(), town.asked("merge", "merge_async")) == snapshot(
        ("Waiting for **an operator**: it is not known whether GitHub merged this (evidence).", [], 1)
    )
    assert change.notices()[0].splitlines()[:4] == snapshot(
        [
            "**An operator is needed: it is not known whether this pull request was merged.**",
            "Signalbox asked GitHub once, at hh:mm UTC, to squash `c1` into `main`.",
            "The answer was a 502.",
            "It has not asked again and will not.",
        ]
    )


@pytest.mark.parametrize("merge_api", ["sync"])
async def test_a_merge_already_in_progress_may_be_our_own(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.fails("merge", 405, message="Merge already in progress")

    await change.merges()

    assert (change.waits, town.asked("merge")) == snapshot(
        ("Waiting for **an operator**: it is not known whether GitHub merged this (evidence).", 1)
    )
    assert len(change.notices()) == 1


async def test_a_merge_found_by_the_closing_of_the_issue_settles_the_unknown(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.loses_answer_to("merge")

    await change.on_pull("omar", "/gate submit c1")
    await town.later(seconds=3, stride=1)

    assert (change.phase, change.issue_says) == snapshot(
        ("done", "**done** · merged as `m1` into `main`, 30 Nov 2024, hh:mm UTC")
    )
    assert (change.issue.open, change.notices()) == (False, [])


async def test_commands_are_refused_while_nobody_knows(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.loses_answer_to("merge", landed=False)
    await change.merges()
    change.notices()

    said = await change.on_pull("grace", "/reject Stop.")

    assert change.reply(said) == snapshot("""\
Not counted: `/reject`.
GitHub was asked at hh:mm UTC to merge `c1`, and the outcome is not confirmed yet.
Until then nothing may change what was authorised.
Your command is not kept; repeat it if the merge did not happen.\
""")


async def test_a_push_while_nobody_knows_is_remembered_and_released_only_by_proof(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.loses_answer_to("merge", landed=False)
    await change.merges()
    change.notices()

    await change.pushes("ada")
    assert change.phase == "submit"
    await town.later(minutes=40, stride=20)

    assert (change.phase, change.says, change.check_on("c1"), town.merges()) == snapshot(
        ("testing", "**testing** · head `c2` · plan r1 · round 4", "cancelled · replaced by c2", [])
    )
