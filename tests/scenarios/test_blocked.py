"""Blocked, withdrawn, held, and sent back: only people lead on (LIFECYCLE.md 2.6)."""

import pytest
from inline_snapshot import snapshot

from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def blocked_in(town: Town, stage: str) -> Change:
    change = await begun(town, stage)
    await change.on_pull("grace", "/block Which key store holds the old key?")
    change.notices()
    assert change.phase == "blocked"
    return change


async def test_a_question_blocks_and_calls_an_operator_once(town: Town) -> None:
    change = await begun(town, "testing")

    await change.on_pull("grace", "/block Which key store holds the old key?")

    assert (change.phase, change.issue_says, change.check, change.notices()) == snapshot(
        (
            "blocked",
            "**blocked** in testing since 30 Nov 2024, hh:mm UTC · asked by `grace`",
            "action_required · blocked: an operator must answer one question",
            [
                """\
**An operator is needed: `grace` asks one question, and the work waits for the answer.**

> `Which key store holds the old key?`

It was testing `c1` (evidence: where it was asked).
An operator answers with `/answer` and the text, then lets it go on with `/resume testing` or an earlier phase.\
"""
            ],
        )
    )


async def test_an_answer_alone_leaves_nothing(town: Town) -> None:
    change = await blocked_in(town, "testing")

    said = await change.on_issue("omar", "/answer The new one.")

    record = await change.record()
    assert (change.reaction(said), change.phase, record["blocked"]["state"], record["questions"]) == snapshot(
        (
            "+1",
            "blocked",
            "answered",
            [
                {
                    "id": "q1",
                    "text": "Which key store holds the old key?",
                    "asked_by": {"id": 1006, "login": "grace"},
                    "answer": "The new one.",
                    "answered_by": {"id": 1007, "login": "omar"},
                }
            ],
        )
    )
    change.notices()


async def test_only_an_operator_answers_and_resumes(town: Town) -> None:
    change = await blocked_in(town, "testing")

    answered = await change.on_issue("grace", "/answer The new one.")
    resumed = await change.on_issue("ada", "/resume testing")

    assert [change.reply(one) for one in (answered, resumed)] == snapshot(
        [
            """\
Not counted: `/answer`.
It needs an operator (`maintain` on this repository), and `grace` has `write`.
Waiting for an operator.
Nothing changed.\
""",
            """\
Not counted: `/resume testing`.
It needs an operator (`maintain` on this repository), and `ada` has `write`.
Waiting for an operator.
Nothing changed.\
""",
        ]
    )
    assert change.phase == "blocked"


async def test_a_bare_resume_changes_nothing_and_lists_the_ways(town: Town) -> None:
    change = await blocked_in(town, "testing")

    said = await change.on_issue("omar", "/resume")
    far = await change.on_issue("omar", "/resume submit")

    assert [change.reply(one) for one in (said, far)] == snapshot(
        [
            """\
Not counted: `/resume`.
Name the phase to go on in.
Possible now: `/resume planning`, `/resume building`, `/resume testing`.
Nothing changed.\
""",
            """\
Not counted: `/resume submit`.
It was blocked in **testing**, so it can go on in testing at most.
Nothing changed.\
""",
        ]
    )
    assert change.phase == "blocked"


async def test_resumed_in_the_same_phase_with_equal_bindings_nothing_is_lost(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("grace", "/approve testing c1")
    await change.on_pull("grace", "/block Which key store?")
    change.notices()

    await change.on_issue("omar", "/resume testing")

    assert (change.phase, change.says, change.row("Review")) == snapshot(
        ("testing", "**testing** · head `c1` · plan r1 · round 2", "✅ Review: 1 of 1 · `grace`, hh:mm UTC")
    )
    change.notices()


async def test_resumed_earlier_people_s_decisions_do_not_stay(town: Town) -> None:
    change = await blocked_in(town, "almost")

    await change.on_issue("omar", "/resume testing")

    assert (change.phase, change.says, change.row("Review"), change.row("Checks")) == snapshot(
        (
            "testing",
            "**testing** · head `c1` · plan r1 · round 4",
            "⏳ Review: 0 of 1 · a reviewer other than `ada`: comment `/approve testing c1`",
            "✅ Checks: 1 of 1 green · app actions",
        )
    )


async def test_resumed_after_the_head_moved_it_goes_on_with_the_new_head(town: Town) -> None:
    change = await blocked_in(town, "almost")
    await change.pushes("ada")

    await change.on_issue("omar", "/resume submit")

    assert (change.phase, change.says, town.merges()) == snapshot(
        ("testing", "**testing** · head `c2` · plan r1 · round 4", [])
    )


async def test_resumed_in_planning_asks_for_a_new_plan(town: Town) -> None:
    change = await blocked_in(town, "testing")

    await change.on_issue("omar", "/resume planning")

    assert (change.phase, change.issue_says) == snapshot(("planning", "**planning** · plan r1 was given up"))


async def test_a_complete_submit_that_is_resumed_merges(town: Town) -> None:
    change = await begun(town, "almost")
    await change.on_pull("grace", "/hold")
    await change.on_pull("omar", "/gate submit c1")
    await change.on_pull("grace", "/block Sure?")
    await change.on_pull("grace", "/unhold")
    assert (change.phase, town.asked("merge_async")) == ("blocked", 0)

    await change.on_issue("omar", "/resume submit")
    await town.later(seconds=10)

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])
    change.notices()


@pytest.mark.parametrize("command", ["/replan No.", "/rework No.", "/approve testing c1", "/gate testing c1", "/merge"])
async def test_blocked_is_not_left_by_any_other_word(town: Town, command: str) -> None:
    change = await blocked_in(town, "testing")

    said = await change.on_pull("omar", command)

    assert change.phase == "blocked"
    assert "The record is **blocked** by `grace` since" in (change.reply(said) or "")


async def test_blocked_is_not_left_by_cancelling_and_starting_again(town: Town) -> None:
    change = await blocked_in(town, "testing")
    await change.on_issue("ada", "/cancel Not needed.")
    assert (await change.record())["withdrawn"]

    town.world.unlabels("ada", change.issue, "signalbox")
    town.world.labels("ada", change.issue, "signalbox")
    await town.settles()

    record = await change.record()
    assert (record["withdrawn"], record["phase"], change.phase) == (False, "blocked", "blocked")
    change.notices()


@pytest.mark.parametrize("stage", ["planning", "plan_ready", "building", "testing"])
async def test_a_hold_is_seen_with_its_reason_long_before_there_is_anything_to_merge(town: Town, stage: str) -> None:
    """Outside submit the status comment showed nothing of it, and its reason stood nowhere."""
    change = await begun(town, stage)

    await change.on_issue("grace", "/hold Release | week.")

    assert change.issue_says.startswith(f"**{stage}**")
    assert change.waits.endswith(
        "Held by `grace` since hh:mm UTC: `Release ¦ week.`, which stops the merge only; `grace` and operators can lift it with `/unhold`."
    )


async def test_a_second_hold_by_somebody_else_is_told_whose_hold_stands(town: Town) -> None:
    """It got a thumb up, and its writer believed that it was held for them."""
    change = await begun(town, "testing")
    await change.on_pull("grace", "/hold Release week.")

    again, other = await change.on_pull("grace", "/hold"), await change.on_pull("omar", "/hold Wait for lin.")

    assert (change.reaction(again), change.reaction(other)) == ("+1", "confused")
    assert change.reply(other) == snapshot("""\
Not counted: `/hold`.
It is held already, by `grace` since 30 Nov 2024, hh:mm UTC (`Release week.`), and there is one hold at a time.
`grace` or an operator lifts it.
Nothing changed.\
""")
    assert (await change.record())["held"]["by"]["login"] == "grace"


async def test_a_cancelled_record_says_that_its_label_is_still_on(town: Town) -> None:
    """/cancel leaves the issue open and labelled: a label that is there cannot be added."""
    change = await begun(town, "planning")
    await change.on_issue("ada", "/cancel Not needed.")

    assert "adds the label `signalbox` again (taking it off first where it is still on)" in change.waits
    town.world.unlabels("ada", change.issue, "signalbox")
    town.world.labels("ada", change.issue, "signalbox")
    await town.settles()

    assert change.phase == "planning"
    assert not (await change.record())["withdrawn"]


async def test_an_approval_of_a_plan_that_is_blocked_is_not_called_counted(town: Town) -> None:
    """It got a bare thumb up, and was void as soon as the work went on."""
    change = await begun(town, "plan_ready")
    await change.on_issue("ada", "/block Which key store?")

    said = await change.on_issue("grace", "/approve r1")

    assert change.reply(said) == snapshot("""\
Your approval of plan r1 is stored, but the record is blocked, so nothing goes on from it now.
When it is let go on, plan r1 and its approvals are given up.\
""")
    await change.on_issue("omar", "/resume planning")
    assert change.notices() == snapshot(
        [
            """\
**Settled**: `omar` resumed it in **planning**: plan r1 and its approvals are given up; q1 still open then.
Why and history\
"""
        ]
    )
