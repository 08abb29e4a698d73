"""Which pull request is an issue's: linked by itself, or told once how (LIFECYCLE.md 2.3); and what a merge left behind (2.2)."""

import pytest
from inline_snapshot import snapshot

from bot.simulator.verbs.merging import MergeCall
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_a_second_pull_request_is_told_once_how_it_would_replace_the_first(town: Town) -> None:
    change = await begun(town, "testing")
    branch = f"signalbox/{change.issue.number}-again"
    second = town.world.opens_pull("grace", town.repo, "Again", head=branch, body="")
    await town.settles()
    told = [town.reads(one) for one in town.unread(second)]
    assert told == snapshot(
        [
            """\
Not linked by itself: issue #1 has #2 already, and this one would replace it.
A builder comments `/link #1`.\
"""
        ]
    )

    town.world.pushes("grace", second)
    await town.settles()

    assert (town.unread(second), change.phase) == ([], "testing")


async def test_a_pull_request_for_a_withdrawn_issue_is_told_what_comes_first(town: Town) -> None:
    change = await begun(town, "building")
    town.world.closes("ada", change.issue)
    await town.settles()

    await change.opens_pull()

    assert change.notices() == snapshot(
        [
            """\
Not linked by itself: issue #1 is withdrawn.
A builder reopens it or adds the label `signalbox` again, then comments `/link #1`.\
"""
        ]
    )


async def test_a_pull_request_for_a_finished_issue_is_told_nothing(town: Town) -> None:
    change = await begun(town, "almost")
    await change.merges()
    later = town.world.opens_pull("ada", town.repo, "More", head=f"signalbox/{change.issue.number}-more")
    await town.settles()
    assert town.ours(later) == []


async def merged_unheard(town: Town, change: Change) -> None:
    """GitHub merged c1, and the answer is lost."""
    await change.unknown()
    town.world.merge(town.world.bot, change.pull, MergeCall(change.pull.head, "squash"))


@pytest.mark.parametrize("merge_api", ["sync"])
async def test_commits_pushed_after_github_merged_are_told_of_once(town: Town) -> None:
    """known-faults.md, row 34."""
    change = await begun(town, "almost")
    await merged_unheard(town, change)
    town.heads.append(town.world.pushes("ada", change.pull))

    await town.later(minutes=2, stride=10)
    assert (change.phase, change.notices()) == snapshot(
        (
            "done",
            [
                """\
**Commits were left behind: `ada` pushed `c2` while GitHub was merging `c1`.**
They are on `signalbox/1-retry` and not in `main` (what was left behind).
Nothing is lost, and nobody has judged them.
Who wants them opens a new issue, and a pull request from `signalbox/1-retry` for it.
This record is done.\
"""
            ],
        )
    )
    town.heads.append(town.world.pushes("ada", change.pull))
    await town.later(minutes=30, stride=60)

    assert (change.phase, change.notices()) == ("done", [])


@pytest.mark.parametrize("merge_api", ["sync"])
async def test_commits_pushed_before_a_merge_that_landed_all_the_same_are_told_of(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()
    head = change.pull.head
    await change.pushes("ada", green=False)
    assert await change.merge_state() == "ambiguous"
    town.world.force_pushes("ada", change.pull, sha=head)
    town.world.hooks.take()
    town.world.merge(town.world.bot, change.pull, MergeCall(head, "squash"))
    await town.later(minutes=2, stride=10)

    (told,) = change.notices()
    assert told.splitlines()[0] == snapshot(
        "**Commits were left behind: `ada` pushed `c2` while GitHub was merging `c1`.**"
    )


@pytest.mark.parametrize("merge_api", ["sync"])
async def test_a_branch_that_is_back_at_the_merged_head_has_left_nothing_behind(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()
    await change.pushes("ada", green=False)
    await change.pushes_back("ada", "c1")
    town.world.merge(town.world.bot, change.pull, MergeCall(change.pull.head, "squash"))

    await town.later(minutes=2, stride=10)

    assert (change.phase, change.notices()) == ("done", [])


async def taken_over(town: Town, change: Change, heard: bool = True) -> Change:
    """The issue is withdrawn, and ada wants its pull request for another one, whose plan is approved."""
    other = await begun(town, "building", "Retry all uploads")
    other.linked = change.linked
    town.world.clock.advance(3)
    await change.on_pull("ada", f"/link #{other.issue.number}", heard=heard)
    return other


async def test_the_pull_request_of_an_issue_that_was_withdrawn_and_deleted_is_merged_for_another_one(
    town: Town,
) -> None:
    change = await begun(town, "testing")
    town.world.sets_permission("sam", town.repo, "admin")
    await change.on_issue("ada", "/cancel It is part of another one.")
    town.world.deletes_issue("sam", change.issue)
    asked = await change.on_pull("ada", "/unlink")
    assert town.reads(town.unread(change.pull)[-1]) == snapshot(
        """\
Not counted: `/unlink`.
The record is withdrawn by `ada` since 30 Nov 2024, hh:mm UTC, so nothing is judged.
A builder starts it again by reopening the issue, or by adding the label again (taking it off first where it is still on).
To use this pull request for another issue, a builder comments `/link` and its number on it.\
"""
    )
    assert change.reaction(asked) == "confused"

    other = await taken_over(town, change)

    assert ((await change.record())["pull_request"], (await other.record())["phase"]) == (None, "testing")
    rows = (await town.api(f"{change.repo_path}/history"))["items"]
    assert (rows[-1]["signal"], rows[-1]["detail"]) == snapshot(
        ("pull_request_unlinked", "pull request #2 linked to issue #3")
    )
    await other.passes("testing")
    await other.approved_by("grace")
    await other.merges()
    assert (town.merges(), (await other.record())["phase"]) == (["c1 by signalbox[bot]"], "done")
    assert (await change.record())["phase"] != "done"
    other.notices()


async def test_an_issue_that_is_started_again_has_nothing_of_what_was_taken_over(town: Town) -> None:
    change = await begun(town, "building")
    await change.opens_pull()
    town.world.closes("ada", change.issue)
    await town.settles()
    other = await taken_over(town, change)
    town.world.reopens("ada", change.issue)
    await town.later(minutes=6, stride=60)

    record = await change.record()
    assert (record["withdrawn"], record["phase"], record["pull_request"]) == (False, "planning", None)
    assert (await other.record())["pull_request"] == change.pull.number
    change.notices()
    other.notices()


async def test_a_pull_request_that_names_two_governed_issues_is_linked_to_neither_and_told_how(town: Town) -> None:
    one, two = await begun(town, "building"), await begun(town, "building", "Faster parser")
    town.heads.append(town.world.pushes("ada", town.repo, "both"))
    body = f"Closes #{one.issue.number}, closes #{two.issue.number}"
    both = town.world.opens_pull("ada", town.repo, "Both", head="both", body=body)
    await town.settles()

    assert [(await change.record())["pull_request"] for change in (one, two)] == [None, None]
    assert [town.reads(comment) for comment in town.unread(both)] == snapshot(
        [
            """\
Not linked by itself: it names more than one governed issue.
A builder comments `/link #1` or `/link #2`.\
"""
        ]
    )
    town.world.pushes("ada", both)
    await town.settles()
    assert (town.unread(both), one.phase, two.phase) == ([], "building", "building")


@pytest.mark.parametrize("merge_api", ["sync"])
async def test_our_own_merge_that_lands_after_the_pull_request_was_wanted_elsewhere_is_ours(town: Town) -> None:
    """omar settles a request as unmerged that GitHub carries out an hour later, and withdraws the work meanwhile."""
    change = await begun(town, "almost")
    town.world.lands_late("merge", seconds=5400)
    await change.merges()
    assert await change.merge_state() == "ambiguous"
    await town.later(minutes=20, stride=60)
    await change.on_pull("omar", "/settle unmerged I looked.")
    await change.on_issue("omar", "/cancel not wanted")
    change.notices()
    other = await begun(town, "building", "Another")
    other.linked = change.pull
    said = await other.on_pull("ada", f"/link #{other.issue.number}")
    assert other.reply(said) == snapshot("""\
Not counted: `/link #3`.
Pull request #2 belongs to issue #1, which is withdrawn, and GitHub was asked to merge it there.
That it is not merged is a person's word so far, and it may still land.
Nothing changed.
Its author closes it, so that nothing can land, and opens another one with a new commit for this issue.\
""")
    await town.later(minutes=120, stride=120)
    other.notices()
    assert not (await other.record())["merge"]["external"], "our App merged it, by a request of ours for this head"


async def test_a_hold_on_a_pull_request_that_is_not_linked_yet_is_answered_with_where_it_counts(town: Town) -> None:
    """Its writer knows that nothing is stopped, before anything can merge. A bare word there may be another bot's, and nobody
    answers it."""
    change = await begun(town, "building")
    change.linked = town.world.opens_pull("ada", town.repo, "Retry uploads", head="somewhere", body="")
    await town.settles()
    bare = await change.on_pull("omar", "/hold it loses data")
    early = await change.on_pull("omar", "/signalbox hold it loses data")
    (told,) = [town.reads(one) for one in town.unread(change.pull)]
    assert (change.reaction(bare), change.reaction(early), told) == (
        "",
        "confused",
        snapshot("""\
Not counted: `/signalbox hold`.
This pull request is not linked to a record.
A builder links it with `/link` and the number of the issue.
Nothing changed, and this is not kept for later: repeat it here then, or say it now where the record is.\
"""),
    )

    await change.on_pull("ada", f"/link #{change.issue.number}")
    assert (await change.record())["held"] is None
    await change.on_pull("omar", "/hold it loses data")
    assert (await change.record())["held"]["why"] == "it loses data"
    change.notices()
