"""Who may say what: a refusal names the role, why this person does not have it, and who is awaited."""

import pytest
from inline_snapshot import snapshot

from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_the_author_does_not_approve_their_own_change(town: Town) -> None:
    """known-faults.md, row 22."""
    change = await begun(town, "testing")

    said = await change.on_pull("ada", "/approve testing c1")

    assert (change.reaction(said), change.reply(said)) == snapshot(
        (
            "confused",
            """\
Not counted: `/approve testing c1`.
`ada` wrote the plan, opened the pull request and pushed commits, and the policy asks for somebody else's judgement of `c1`.
Nothing changed.
Waiting for a reviewer other than `ada`.\
""",
        )
    )
    assert change.refused_last == snapshot("""\
Last refused: `/approve testing c1` by `ada`, hh:mm UTC.
`ada` wrote the plan, opened the pull request and pushed commits, and the policy asks for somebody else's judgement of `c1`.
Nothing changed.\
""")
    assert change.row("Review").startswith("⏳ Review: 0 of 1")


async def test_whoever_pushed_does_not_open_the_gate(town: Town) -> None:
    """threats.md, T6."""
    change = await begun(town, "testing")
    await change.pushes("omar")

    said = await change.on_pull("omar", "/gate testing c2")

    assert change.reply(said) == snapshot("""\
Not counted: `/gate testing c2`.
`omar` pushed commits, and the policy asks for somebody else's judgement of `c2`.
Nothing changed.
Waiting for an operator other than `ada` and `omar`.\
""")
    assert change.row("Human gate") == snapshot(
        "⏳ Human gate: 0 of 1 · an operator other than `ada` and `omar`: comment `/gate testing c2`"
    )


async def test_a_reviewer_is_no_operator(town: Town) -> None:
    change = await begun(town, "testing")

    said = await change.on_pull("grace", "/gate testing c1")

    assert change.reply(said) == snapshot("""\
Not counted: `/gate testing c1`.
It needs an operator (`maintain` on this repository), and `grace` has `write`.
Waiting for an operator other than `ada`.
Nothing changed.\
""")
    assert change.row("Human gate").startswith("⏳ Human gate: 0 of 1")


async def test_nobody_fills_two_seats_of_one_gate(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("omar", "/approve testing c1")
    change.notices()

    said = await change.on_pull("omar", "/gate testing c1")

    assert change.reply(said) == snapshot("""\
Not counted: `/gate testing c1`.
`omar` already fills the seat of a reviewer at the gate *testing*, and nobody fills two seats of one gate.
Nothing changed.
Waiting for an operator other than `ada` and `omar`.
To fill this one instead, `omar` comments `/revoke`, and then `/gate testing c1`.\
""")
    assert change.phase == "testing"


async def test_an_outsider_is_told_once_an_hour_what_they_lack(town: Town) -> None:
    """known-faults.md, row 132."""
    change = await begun(town, "testing")

    said = await change.on_pull("zoe", "/approve testing c1")
    again = await change.on_pull("zoe", "/approve testing c1")

    assert change.reply(said) == snapshot("""\
Not counted: `/approve testing c1`.
It needs a reviewer (`write` on this repository), and `zoe` has `read`.
Waiting for a reviewer other than `ada`.
Nothing changed.\
""")
    assert (change.reply(again), change.reaction(again)) == (None, "confused")
    assert change.row("Review").startswith("⏳ Review: 0 of 1")


async def test_whoever_lacks_the_role_is_told_that_before_what_the_command_wants(town: Town) -> None:
    change = await begun(town, "testing")

    said = await change.on_pull("zoe", "/rework")
    mistaken = await change.on_pull("grace", "/rework")

    assert "It needs a reviewer (`write` on this repository), and `zoe` has `read`." in str(change.reply(said))
    assert "needs its reason" in str(change.reply(mistaken))


async def test_a_program_is_not_heard(town: Town) -> None:
    """known-faults.md, row 12."""
    change = await begun(town, "testing")
    robot = town.world.another_app("helper").bot

    said = town.world.comments(robot, change.pull, town.spelled("/approve testing c1"))
    await town.settles()

    assert (change.reply(said), change.reaction(said)) == (None, "")
    assert change.row("Review").startswith("⏳ Review: 0 of 1")


async def test_a_label_by_somebody_who_may_not_start_starts_nothing_and_says_so(town: Town) -> None:
    """known-faults.md, row 126; threats.md, T9."""
    issue = town.world.opens_issue("ada", town.repo, "Retry uploads")
    town.world.labels("lin", issue, "signalbox")

    await town.settles()

    assert [town.reads(one) for one in town.unread(issue)] == snapshot(
        [
            """\
Not started: the label needs a builder (`write` on this repository), and `lin` has `triage`.
Nothing changed.
A builder starts it by removing the label and adding it again.\
"""
        ]
    )
    assert [label.name for label in issue.labels] == ["signalbox"]


async def test_an_approver_who_lost_the_right_does_not_count_at_the_merge(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.sets_permission("grace", town.repo, "read")

    await change.merges()

    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 0)
    assert (change.phase, change.waits, change.row("Merge")) == snapshot(
        (
            "submit",
            "Waiting for **a reviewer**. Signalbox merges when every row is done.",
            "❌ Merge: 0 of 1 decisions by a reviewer count now; `grace` may no longer do this · a reviewer: approve it anew, as somebody who may",
        )
    )


async def test_a_permission_that_cannot_be_read_is_not_a_yes(town: Town) -> None:
    """threats.md, T26."""
    change = await begun(town, "testing")
    town.world.fails("permission", 500, times=None)
    said = await change.on_pull("grace", "/approve testing c1")
    assert (change.reaction(said), change.reply(said)) == snapshot(
        (
            "confused",
            """\
Not counted: `/approve testing c1`.
GitHub did not say whether `grace` may do this, so it was not counted.
Repeat it in a few minutes.\
""",
        )
    )

    town.world.heals()
    await change.on_pull("grace", "/approve testing c1")

    assert (change.row("Review"), len(change.notices())) == ("✅ Review: 1 of 1 · `grace`, hh:mm UTC", 1)


async def test_a_permission_that_cannot_be_read_at_the_merge_only_delays_it(town: Town) -> None:
    change = await begun(town, "almost")
    await change.on_pull("omar", "/gate submit c1", heard=False)
    await town.hears()
    town.world.fails("permission", 500, times=None)
    await town.later(minutes=1)
    assert (town.merges(), change.phase, change.waits) == snapshot(
        (
            [],
            "submit",
            "Nobody needs to do anything. Waiting for GitHub: GitHub did not show all that is needed.",
        )
    )

    town.world.heals()
    await town.later(minutes=2)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def test_a_renamed_approver_is_the_same_person_at_the_merge(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.renames_user("grace", "grace-2")
    town.world.person("grace")  # somebody takes the name over, and has nothing to do with it

    await change.merges()

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def test_a_renamed_approver_who_lost_the_right_does_not_count_whoever_has_the_old_name(town: Town) -> None:
    change = await begun(town, "almost")
    grace = town.world.user("grace")
    town.world.renames_user(grace, "grace-2")
    town.world.sets_permission(grace, town.repo, "read")
    town.world.sets_permission(town.world.person("grace"), town.repo, "admin")

    await change.merges()

    assert town.merges() == []
    assert change.row("Merge").startswith("❌ Merge: 0 of 1 decisions by a reviewer count now; `grace` may no longer")


async def test_a_renamed_author_does_not_approve_their_own_change(town: Town) -> None:
    """known-faults.md, row 22: the login is another one, the account is not."""
    change = await begun(town, "testing")
    town.world.renames_user("ada", "ada-2")

    said = await change.on_pull("ada-2", "/approve testing c1")

    assert "`ada-2` wrote the plan, opened the pull request and pushed commits" in (change.reply(said) or "")
    assert change.row("Review").startswith("⏳ Review: 0 of 1")


async def test_an_approver_whose_account_is_gone_does_not_count(town: Town) -> None:
    change = await begun(town, "almost")
    del town.world.users[town.world.user("grace").id]
    town.world.sets_permission(town.world.person("grace"), town.repo, "admin")

    await change.merges()

    assert town.merges() == []
    assert change.row("Merge").startswith("❌ Merge: 0 of 1 decisions by a reviewer count now; `grace` may no longer")


async def test_a_comment_that_is_heard_after_its_writer_was_renamed_counts(town: Town) -> None:
    change = await begun(town, "testing")
    said = await change.on_pull("grace", "/approve testing c1", heard=False)
    town.world.renames_user("grace", "grace-2")
    town.world.person("grace")
    await town.settles()

    assert (change.reaction(said), change.row("Review")[:8], len(change.notices())) == ("+1", "✅ Review", 1)


async def test_an_account_that_took_over_a_login_has_nothing_of_it(town: Town) -> None:
    """threats.md, T21."""
    change = await begun(town, "testing")
    town.world.renames_user("grace", "grace-2")
    town.world.person("grace")

    said = await change.on_pull("grace", "/approve testing c1")
    kept = await change.on_pull("grace-2", "/approve testing c1")

    assert (change.reply(said) or "").splitlines()[1] == snapshot(
        "It needs a reviewer (`write` on this repository), and `grace` has `read`."
    )
    assert (change.reaction(kept), change.row("Review")[:8], len(change.notices())) == ("+1", "✅ Review", 1)


async def test_somebody_whose_present_name_cannot_be_read_is_not_refused_for_ever(town: Town) -> None:
    """The login that a comment came with is somebody else's by now, and GitHub does not say what its writer is called."""
    change = await begun(town, "testing")
    await change.on_pull("grace", "/approve testing c1", heard=False)
    town.world.renames_user("grace", "grace-2")
    town.world.person("grace")
    town.world.fails("user_by_id", 500, times=None)
    await town.settles()

    refused = (await change.record())["last_refusal"]
    assert (refused["code"], change.row("Review")[:8]) == ("could_not_verify", "⏳ Review")
    change.notices()
