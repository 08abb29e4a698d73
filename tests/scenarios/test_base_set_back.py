"""The base is set back by a force push: what it had there is the pull request's own now, and whoever brought it does not
judge it (LIFECYCLE.md 2.5, I15). A base that only goes on costs nobody anything.
"""

import pytest
from inline_snapshot import snapshot

from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def made_on_top_of(town: Town, who: str) -> tuple[Change, str]:
    """`who` pushes straight to main, and ada's branch is made from there. Judged next; main before that push."""
    before = town.repo.branches["main"]
    town.world.pushes(who, town.repo, "main")
    return await begun(town, "testing"), before


async def answered(change: Change, who: str, words: str) -> str:
    said = await change.on_pull(who, words)
    change.notices()
    return change.reply(said) or ""


async def reserved_then_set_back(town: Town) -> Change:
    change, before = await made_on_top_of(town, "grace")
    await change.passes("testing")
    await change.approved_by("grace")
    await change.reserved()
    town.world.force_pushes("omar", town.repo, "main", sha=before)
    return change


async def test_who_pushed_to_the_base_does_not_approve_it_once_the_base_has_it_no_more(town: Town) -> None:
    change, before = await made_on_top_of(town, "grace")

    town.world.force_pushes("omar", town.repo, "main", sha=before)
    answer = await answered(change, "grace", "/approve testing c1")

    assert answer == snapshot("""\
Not counted: `/approve testing c1`.
`grace` pushed commits, and the policy asks for somebody else's judgement of `c1`.
Nothing changed.
Waiting for a reviewer other than `ada` and `grace`.\
""")
    await change.on_pull("omar", "/approve testing c1")
    await change.on_pull("sam", "/gate testing c1")
    assert change.phase == "submit"
    change.notices()


async def test_who_approved_before_the_base_was_set_back_has_not_approved_it(town: Town) -> None:
    """grace sat at both gates when the commit was the base's."""
    change, before = await made_on_top_of(town, "grace")
    await change.passes("testing")
    await change.approved_by("grace")

    town.world.force_pushes("omar", town.repo, "main", sha=before)
    answer = await answered(change, "omar", "/gate submit c1")

    assert answer == snapshot("""\
Not counted: `/gate submit c1`.
It was written for the gate *submit*; now *testing* of `c1`, round 4, is open.
Nothing was stored.
To judge what is open, comment `/gate testing c1`.\
""")
    assert (change.phase, change.row("Review"), town.merges()) == snapshot(
        ("testing", "⏳ Review: 0 of 1 · a reviewer other than `ada` and `grace`: comment `/approve testing c1`", [])
    )
    change.notices()


async def test_a_base_set_back_while_the_merge_is_reserved_is_read_before_github_is_asked(town: Town) -> None:
    change = await reserved_then_set_back(town)
    await town.later(minutes=2)

    assert (change.phase, change.row("Review"), town.merges()) == snapshot(
        ("testing", "⏳ Review: 0 of 1 · a reviewer other than `ada` and `grace`: comment `/approve testing c1`", [])
    )
    change.notices()


async def test_whoever_merges_into_a_base_that_goes_on_may_still_judge(town: Town) -> None:
    change, _ = await made_on_top_of(town, "grace")
    await change.passes("testing")
    await change.approved_by("grace")

    town.world.pushes("grace", town.repo, "main")
    await change.merges()

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])
    assert town.asked("activity") == 1


async def test_while_it_cannot_be_read_whether_the_base_has_it_still_nothing_merges(town: Town) -> None:
    change = await reserved_then_set_back(town)
    town.world.fails("compare", 502, times=None)
    await town.later(minutes=2)

    assert (town.merges(), change.waits) == snapshot(
        ([], "Nobody needs to do anything. Waiting for GitHub: GitHub did not show all that is needed.")
    )
    change.notices()


async def test_while_it_cannot_be_read_who_had_pushed_to_the_base_nobody_takes_a_seat(town: Town) -> None:
    change, before = await made_on_top_of(town, "grace")

    town.world.force_pushes("omar", town.repo, "main", sha=before)
    town.world.fails("activity", 403, times=None)
    answer = await answered(change, "grace", "/approve testing c1")

    assert answer == snapshot("""\
Not counted: `/approve testing c1`.
The base `main` was set back, so what it had there is part of `c1` now, and it is not known who had pushed it.
Nothing changed.
Repeat it in a few minutes; if that does not help, a builder brings the branch onto `main` as it is now and comments `/unlink` and then `/link #1` on its pull request.\
""")
    town.world.heals("activity")
    answer = await answered(change, "grace", "/approve testing c1")
    assert "`grace` pushed commits" in answer
    await change.on_pull("omar", "/approve testing c1")
    assert change.row("Review").startswith("✅ Review: 1 of 1 · `omar`")
    change.notices()


async def test_a_base_that_was_set_back_before_the_link_was_somebodys_too(town: Town) -> None:
    before = town.repo.branches["main"]
    change = await begun(town, "building")
    town.world.pushes("grace", town.repo, "main")
    town.world.drops_webhooks(logged=False)
    await change.opens_pull(heard=False)
    town.world.force_pushes("omar", town.repo, "main", sha=before)
    town.world.heals()
    await change.on_pull("ada", "/link #1")

    answer = await answered(change, "grace", "/approve testing c1")

    assert "`grace` pushed commits" in answer
