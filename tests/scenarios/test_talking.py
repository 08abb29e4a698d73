"""Commands that are asked, misspelled or said in the wrong place; and linking a pull request."""

import pytest
from inline_snapshot import snapshot

from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_help_says_what_this_person_can_do_here_and_now(town: Town) -> None:
    change = await begun(town, "testing")

    asked = await change.on_pull("grace", "/help")

    assert (change.reaction(asked), change.reply(asked)) == snapshot(
        (
            "+1",
            """\
With `write` on this repository you can do here, now:
- Use `/approve testing c1`: approves the plan revision, or the head at the open gate.
- To stop it or send it back, use `/reject` and why, `/rework` and why, `/replan` and why, `/block` and a question, `/hold`, `/cancel` and why.
- There is also `/unlink`, `/status`, `/help`.\
""",
        )
    )


async def test_help_for_an_operator_offers_the_gate(town: Town) -> None:
    change = await begun(town, "testing")

    asked = await change.on_pull("omar", "/help")

    assert "Use `/gate testing c1`" in (change.reply(asked) or "")


async def test_status_refreshes_and_only_reacts(town: Town) -> None:
    change = await begun(town, "testing")

    asked = await change.on_pull("zoe", "/status")

    assert (change.reaction(asked), change.reply(asked)) == ("+1", None)


async def test_a_slip_of_the_finger_is_told_the_right_command(town: Town) -> None:
    change = await begun(town, "testing")

    said = await change.on_pull("grace", "/aprove testing c1")

    assert (change.reaction(said), change.reply(said)) == snapshot(
        (
            "confused",
            """\
Not a command: `/aprove`.
Did you mean `/approve`?
You can use here, now: `/approve testing c1`, `/reject` and why, `/hold`, `/status`, `/help`.\
""",
        )
    )


async def test_a_mistyped_stop_is_answered_though_github_did_not_say_at_first_what_its_writer_may(town: Town) -> None:
    """It was passed over for ever: what was heard is heard once."""
    change = await begun(town, "testing")
    town.world.fails("permission", 502, times=None)
    said = await change.on_pull("grace", "/hodl this loses data")
    town.world.heals()
    await town.later(minutes=2, stride=30)

    assert "`/hold`" in (change.reply(said) or "")


async def test_a_word_after_a_slash_that_is_no_command_is_left_alone(town: Town) -> None:
    change = await begun(town, "testing")

    said = await change.on_pull("grace", "/usr/bin/env is missing here\n/shrug")

    assert (change.reaction(said), change.reply(said)) == ("", None)


async def test_a_gate_in_the_issue_is_sent_to_the_pull_request(town: Town) -> None:
    """known-faults.md, row 16."""
    change = await begun(town, "testing")

    said = await change.on_issue("omar", "/gate testing c1")

    assert (change.reaction(said), change.reply(said)) == snapshot(
        (
            "confused",
            """\
Not here: `/gate testing c1` is bound to a commit, so it works on the pull request only.
Nothing changed.
The pull request of this issue is #2.\
""",
        )
    )


async def test_a_plan_on_the_pull_request_is_sent_to_the_issue(town: Town) -> None:
    """known-faults.md, row 16."""
    change = await begun(town, "testing")

    said = await change.on_pull("ada", "/plan\nSomething else.")

    assert change.reply(said) == snapshot("""\
Not here: `/plan` submits the plan of an issue, so it works on the issue only.
Nothing changed.
The issue of this pull request is #1.\
""")


async def test_approve_not_yet_approves_nothing(town: Town) -> None:
    """known-faults.md, row 4."""
    change = await begun(town, "testing")

    said = await change.on_pull("grace", "/approve not yet")

    assert change.reply(said) == snapshot("""\
Not counted: `/approve not yet`.
Only a gate and a commit may follow here, and `not yet` is not that, so nothing was approved.
A reviewer approves with `/approve testing c1`; remarks go on a line of their own.\
""")
    assert change.row("Review").startswith("⏳ Review: 0 of 1")


async def test_a_quoted_command_is_not_a_command(town: Town) -> None:
    """known-faults.md, row 2."""
    change = await begun(town, "testing")

    said = await change.on_pull("grace", "> /approve testing c1\n\nShould I?\n\n```\n/approve testing c1\n```")

    assert change.reaction(said) == ""
    assert change.row("Review").startswith("⏳ Review: 0 of 1")


async def test_several_commands_are_answered_together(town: Town) -> None:
    change = await begun(town, "testing")

    said = await change.on_pull("grace", "/approve testing c1\n/gate testing c1")

    assert (change.reaction(said), change.reply(said)) == snapshot(
        (
            "confused",
            """\
Of 2 commands, 1 was accepted.
- Accepted: `/approve testing c1`.
- Not counted: `/gate testing c1`.
It needs an operator (`maintain` on this repository), and `grace` has `write`.
Waiting for an operator other than `ada` and `grace`.
Nothing changed.\
""",
        )
    )
    change.notices()


async def test_a_stranger_s_pull_request_gets_one_hint_and_a_builder_links_it(town: Town) -> None:
    change = await begun(town, "building")
    town.world.forks("zoe", town.repo)
    head = town.world.pushes("zoe", "zoe/app", "fix")
    town.heads.append(head)
    change.linked = town.world.opens_pull(
        "zoe", town.repo, "A fix", head="zoe:fix", body=f"Fixes #{change.issue.number}"
    )
    change.check_run()

    await town.settles()
    assert (change.issue_says, change.notices()) == snapshot(
        (
            "**building** · plan r1",
            [
                """\
Not linked by itself: whether this pull request is for a governed issue is a builder's word.
A builder comments `/link #1`.\
"""
            ],
        )
    )
    await change.on_pull("ada", f"/link #{change.issue.number}")

    assert (change.phase, change.says) == snapshot(("testing", "**testing** · head `c1` · plan r1 · round 2"))


async def test_a_pull_request_without_a_record_hears_only_link(town: Town) -> None:
    change = await begun(town, "building")
    change.linked = town.world.opens_pull("ada", town.repo, "Unrelated", head="other")

    said = await change.on_pull("grace", "/approve")
    loud = await change.on_pull("grace", "/signalbox approve")

    assert (change.reaction(said), change.reply(said)) == ("", None)
    assert change.reply(loud) == snapshot("""\
Not counted: `/signalbox approve`.
This pull request is not linked to a record.
A builder links it with `/link` and the number of the issue.
Nothing changed, and this is not kept for later: repeat it here then, or say it now where the record is.\
""")


async def test_linking_to_an_issue_without_a_record_is_explained(town: Town) -> None:
    change = await begun(town, "building")
    other = town.world.opens_issue("ada", town.repo, "Ungoverned")
    change.linked = town.world.opens_pull("ada", town.repo, "Unrelated", head="other")

    said = await change.on_pull("ada", f"/link #{other.number}")

    assert change.reply(said) == snapshot("""\
Not counted: `/link #2`.
No record is kept for #2.
If that is an issue of this repository, a builder starts one by adding the label `signalbox` to it.
Nothing changed.\
""")


async def test_nobody_is_offered_the_judgement_of_their_own_work(town: Town) -> None:
    """/help offered ada, who wrote and pushed it, the approval that would be refused as her own."""
    change = await begun(town, "testing")

    own = change.reply(await change.on_pull("ada", "/help"))
    other = change.reply(await change.on_pull("grace", "/help"))
    assert own is not None
    assert other is not None

    assert "`/approve" not in own
    assert "`/hold`" in own
    assert f"`/approve testing {change.head}" in other


async def test_what_takes_longer_than_five_seconds_is_seen_to_be_heard(town: Town) -> None:
    change = await begun(town, "testing")
    for operation in ("pull", "together"):
        town.world.fails(operation, 502, times=None)

    said = await change.on_pull("grace", "/approve testing c1")
    ignored = await change.on_pull("grace", "/etc is full, by the way")
    await town.later(minutes=3)
    meanwhile = change.reaction(said), change.reaction(ignored)
    town.world.heals()
    await town.later(minutes=10)
    change.notices()

    assert (meanwhile, change.reaction(said)) == (("eyes", ""), "eyes, +1")
    assert change.row("Review") == snapshot("✅ Review: 1 of 1 · `grace`, hh:mm UTC")
