"""Plans: submitted, rejected, revised, replaced, approved. Everything here is said in the issue."""

import pytest
from inline_snapshot import snapshot

from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_a_label_starts_planning_and_says_how_to_go_on(town: Town) -> None:
    change = await begun(town)

    assert (change.phase, change.status) == snapshot(
        (
            "planning",
            """\
**planning** · no plan yet
Waiting for **a builder** to submit a plan.

| Needed for plan_ready | Who and how |
|---|---|
| ⬜ Plan: none | a builder: start a comment with `/plan` and write the plan below it |

Why and history · as of 30 Nov 2024, hh:mm UTC\
""",
        )
    )


async def test_a_plan_waits_for_somebody_else_to_judge_it(town: Town) -> None:
    change = await begun(town)

    said = await change.on_issue("ada", "/plan\nRetry three times.")

    assert (change.reaction(said), change.reply(said)) == ("+1", None)
    assert change.status == snapshot("""\
**plan_ready** · plan r1 by `ada`
Waiting for **a reviewer**.

| Needed for building | Who and how |
|---|---|
| ⏳ Plan r1: 0 of 1 approved | a reviewer other than `ada`: comment `/approve r1`, or `/reject r1` and why |

Why and history · as of 30 Nov 2024, hh:mm UTC\
""")


async def test_a_rejected_plan_is_revised_and_approved(town: Town) -> None:
    change = await begun(town, "plan_ready")

    await change.on_issue("grace", "/reject r1 Four times is too often.")
    assert (change.phase, change.says, change.waits) == snapshot(
        (
            "plan_rejected",
            "**plan_rejected** · plan r1 was rejected by `grace` (reason)",
            "Waiting for **a builder** to submit plan r2.",
        )
    )
    await change.on_issue("ada", "/plan\nRetry twice.")
    assert change.says == snapshot("**plan_ready** · plan r2 by `ada`, changed since r1")
    await change.on_issue("grace", "/approve r2")

    assert (change.phase, change.row("Plan")) == snapshot(("building", "✅ Plan r2: approved · `grace`"))


async def test_a_new_plan_replaces_the_one_that_waits_and_a_late_approval_of_the_old_one_is_refused(town: Town) -> None:
    change = await begun(town, "plan_ready")
    await change.on_issue("ada", "/plan\nRetry twice.")

    late = await change.on_issue("grace", "/approve r1")

    assert change.reply(late) == snapshot("""\
Not counted: `/approve r1`.
The plan moved before it arrived.
You named r1; the plan is now r2.
Nothing was stored.
Read it; if it is right, comment `/approve r2`.\
""")
    assert (change.reaction(late), change.says) == snapshot(
        ("confused", "**plan_ready** · plan r2 by `ada`, changed since r1")
    )


async def test_a_plan_replaced_while_the_approval_was_on_its_way_is_not_approved(town: Town) -> None:
    """threats.md, T8."""
    change = await begun(town, "plan_ready")
    await change.on_issue("ada", "/plan\nRetry twice.", heard=False)
    late = await change.on_issue("grace", "/approve")

    assert change.reply(late) == snapshot(
        """\
Not counted: `/approve`.
It was written for plan, round 1; now plan, round 2 is open.
Nothing was stored.
Repeat it if it still fits.\
"""
    )
    assert change.phase == "plan_ready"


async def test_the_author_of_a_plan_does_not_approve_it(town: Town) -> None:
    change = await begun(town, "plan_ready")

    said = await change.on_issue("ada", "/approve r1")

    assert change.reply(said) == snapshot(
        """\
Not counted: `/approve r1`.
The plan is by `ada`, and the policy asks for somebody else's judgement.
Nothing changed.\
"""
    )
    assert change.refused_last == snapshot(
        """\
Last refused: `/approve r1` by `ada`, hh:mm UTC.
The plan is by `ada`, and the policy asks for somebody else's judgement.
Nothing changed.\
"""
    )
    assert change.phase == "plan_ready"


async def test_an_empty_plan_is_no_plan(town: Town) -> None:
    change = await begun(town)

    said = await change.on_issue("ada", "/plan")

    assert change.reply(said) == snapshot(
        """\
Not counted: `/plan`.
No plan follows, so nothing was submitted.
A builder starts a comment with `/plan` and writes the whole plan below it.\
"""
    )
    assert change.phase == "planning"


@pytest.mark.parametrize("editor", ["grace", "ada", "omar"])
async def test_editing_a_comment_into_an_approval_approves_nothing(town: Town, editor: str) -> None:
    """known-faults.md, row 6; threats.md, T4: neither its writer's edit nor that of somebody else who may write here."""
    change = await begun(town, "plan_ready")
    said = await change.on_issue("grace", "Let me look.")

    town.world.edits_comment(editor, said, "/approve r1")
    await town.settles()

    assert (change.phase, change.reaction(said), change.reply(said)) == ("plan_ready", "", None)
    assert change.notices() == []


async def test_an_approval_that_is_edited_away_stands_and_says_so_once(town: Town) -> None:
    """threats.md, T4: neither an edit nor a deletion takes a decision back, whoever makes it."""
    change = await begun(town, "plan_ready")
    said = await change.on_issue("grace", "/approve r1")

    town.world.edits_comment("grace", said, "Never mind.")
    await town.settles()
    told = change.notices()
    town.world.edits_comment("omar", said, "/reject r1 no")
    town.world.deletes_comment("omar", said)
    await town.settles()

    assert (change.phase, told, change.notices()) == snapshot(
        (
            "building",
            [
                """\
**`grace` edited the comment in which they approved plan r1.**
The recorded decision stands as it was first written.
To withdraw it, `grace` comments `/revoke`.\
"""
            ],
            [],
        )
    )


async def test_deleting_an_approval_takes_nothing_back(town: Town) -> None:
    change = await begun(town, "testing")
    said = await change.on_pull("grace", "/approve testing c1")
    change.notices()

    town.world.deletes_comment("omar", said)
    await town.settles()

    assert (change.notices(), change.row("Review")) == snapshot(
        (
            [
                """\
**`omar` deleted the comment in which `grace` approved `c1`.**
The recorded decision stands as it was first written.
To withdraw it, `grace` comments `/revoke`.\
"""
            ],
            "✅ Review: 1 of 1 · `grace`, hh:mm UTC",
        )
    )


async def test_a_stop_below_a_plan_is_text_of_the_plan_and_its_writer_is_told(town: Town) -> None:
    """It was swallowed without a word, and its writer believed that it holds."""
    change = await begun(town)

    said = await change.on_issue(
        "ada", "/plan\nRetry three times.\n/hold until the release\n/block Which key?\n```\n/cancel\n```"
    )

    assert (change.phase, change.reaction(said), change.reply(said)) == snapshot(
        (
            "plan_ready",
            "+1",
            """\
Below `/plan` everything is the plan, so `/hold`, `/block` did nothing there.
To have them count, write them in another comment.\
""",
        )
    )
    early = await change.on_issue("ada", "/hold Wait.\n/plan\nRetry.\n/block Which key?")
    assert change.reply(early) == snapshot("""\
Of 2 commands, 1 was accepted.
- Accepted: `/hold`.
- Not counted: `/plan`.
Everything after it is the plan, so it must be the first command of its comment.
Nothing was submitted; a builder submits the plan in a comment of its own.
Below `/plan` everything is the plan, so `/block` did nothing there.
To have it count, write it in a comment of its own.\
""")
    change.notices()
