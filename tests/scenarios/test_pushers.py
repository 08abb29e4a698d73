"""Nobody judges what they pushed; who pushed is read where no event said it, and never guessed (LIFECYCLE.md 2.5, T6)."""

import pytest
from inline_snapshot import snapshot

from bot.domain.model.policy import STRICT
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


def refusing(town: Town) -> None:
    separation = STRICT.separation.model_copy(update={"unknown_pusher": "refuse"})
    town.policy = STRICT.model_copy(update={"separation": separation})


async def opened_by(town: Town, opener: str, *pushers: str, committer: str = "") -> Change:
    """`opener` opens the pull request of a branch that others pushed to before."""
    change = await begun(town, "building")
    branch = f"signalbox/{change.issue.number}-retry"
    for pusher in pushers:
        town.heads.append(town.world.pushes(pusher, town.repo, branch))
    if committer:
        commit = town.world.commits[town.heads[-1]]
        object.__setattr__(commit, "author", town.world.user(committer))  # anybody may write any name into a commit
    change.linked = town.world.opens_pull(opener, town.repo, "Retry", head=branch)
    change.check_run()
    await town.settles()
    assert change.phase == "testing"
    return change


async def pushers(change: Change) -> tuple[list[str], bool]:
    key = change.town.store
    loaded = await key.read(
        lambda tx: tx.records.load(next(iter(tx.records.of_repository(change.town.repo.id, open_only=True))))
    )
    assert loaded is not None
    assert loaded.record.pull is not None
    return sorted(one.login for one in loaded.record.pull.pushers), loaded.record.pusher_is_unknown


async def test_where_the_policy_refuses_to_guess_a_linked_pull_request_is_judged_all_the_same(town: Town) -> None:
    refusing(town)
    change = await begun(town, "submit")
    assert await pushers(change) == (["ada"], False)
    await change.approved_by("grace")
    await change.merges()
    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])


async def test_who_pushed_before_the_pull_request_was_opened_fills_no_seat(town: Town) -> None:
    change = await opened_by(town, "ada", "grace", "ada")
    assert await pushers(change) == (["ada", "grace"], False)

    said = await change.on_pull("grace", "/approve testing c2")

    assert (change.reply(said) or "").startswith("Not counted: `/approve testing c2`.\n`grace` pushed commits")


async def test_whoever_is_only_named_in_a_commit_may_judge_it(town: Town) -> None:
    """threats.md, T6."""
    change = await opened_by(town, "ada", "ada", committer="grace")

    await change.on_pull("grace", "/approve testing c1")

    assert change.row("Review").startswith("✅ Review: 1 of 1 · `grace`")
    change.notices()


async def test_while_the_activity_cannot_be_read_whoever_is_named_in_a_commit_may_not(town: Town) -> None:
    town.world.fails("activity", 403, times=None)
    change = await opened_by(town, "ada", "ada", committer="grace")
    assert (await pushers(change))[1]

    said = await change.on_pull("grace", "/approve testing c1")
    assert "and the policy asks for somebody else's judgement" in (change.reply(said) or "")
    town.world.heals("activity")
    await change.on_pull("grace", "/approve testing c1")

    assert change.row("Review").startswith("✅ Review: 1 of 1 · `grace`")
    change.notices()


async def test_a_head_that_came_without_news_is_somebodys(town: Town) -> None:
    refusing(town)
    change = await begun(town, "testing")
    town.world.drops_webhooks(logged=False)
    town.heads.append(town.world.pushes("grace", change.pull))
    change.check_run()
    town.world.heals()
    said = await change.on_pull("lin", "/approve testing c2")
    change.reply(said)
    await town.later(minutes=20, stride=60)
    assert await pushers(change) == (["ada", "grace"], False)

    said = await change.on_pull("grace", "/approve testing c2")
    assert (change.reply(said) or "").startswith("Not counted: `/approve testing c2`.\n`grace` pushed commits")
    await change.on_pull("omar", "/approve testing c2")

    assert change.row("Review").startswith("✅ Review: 1 of 1 · `omar`")
    change.notices()


async def test_a_bot_that_pushed_is_a_pusher(town: Town) -> None:
    change = await begun(town, "building")
    branch = f"signalbox/{change.issue.number}-retry"
    town.heads.append(town.world.pushes("ada", town.repo, branch))
    bot = town.world.user(f"{town.world.app.slug}[bot]")
    town.heads.append(town.world.pushes(bot, town.repo, branch))
    change.linked = town.world.opens_pull("ada", town.repo, "Retry", head=branch)
    await town.settles()

    assert await pushers(change) == (["ada", "signalbox[bot]"], False)


async def test_a_fork_whose_pushes_cannot_be_read_is_refused_and_told_what_helps(town: Town) -> None:
    refusing(town)
    change = await begun(town, "building")
    town.world.forks("zoe", town.repo)
    town.heads.append(town.world.pushes("zoe", "zoe/app", "fix"))
    change.linked = town.world.opens_pull("zoe", town.repo, "A fix", head="zoe:fix", body="Fixes #1")
    change.check_run()
    await town.settles()
    change.notices()
    await change.on_pull("ada", "/link #1")

    said = await change.on_pull("grace", "/approve testing c1")

    assert change.reply(said) == snapshot("""\
Not counted: `/approve testing c1`.
It is not known who pushed `c1`, and the policy refuses to guess.
Nothing changed.
It comes from a fork, where pushes cannot be read.
A builder pushes it to a branch of this repository and comments `/link #1` on the pull request from there.\
""")
    assert town.asked("activity") == 0


async def test_a_builder_who_pushed_the_head_links_what_an_outsider_opened(town: Town) -> None:
    change = await begun(town, "building")
    branch = f"signalbox/{change.issue.number}-retry"
    town.heads.append(town.world.pushes("ada", town.repo, branch))
    change.linked = town.world.opens_pull("lin", town.repo, "Retry", head=branch)
    change.check_run()

    await town.settles()

    assert (change.phase, change.notices()) == ("testing", [])


async def test_who_pushed_is_not_forgotten_when_another_pull_request_of_the_same_commits_takes_its_place(
    town: Town,
) -> None:
    """ada makes a branch at the commit that omar pushed: the branch's activity names ada alone."""
    change = await begun(town, "testing")
    await change.pushes("omar")
    town.world.branches("ada", town.repo, "again", change.pull.head_ref)
    town.world.closes("ada", change.pull)
    await town.settles()
    change.linked = town.world.opens_pull("ada", town.repo, "Again", head="again")
    change.check_run()
    await town.settles()
    await change.on_pull("ada", "/link #1")

    said = await change.on_pull("omar", "/approve testing c2")

    assert (change.reply(said) or "").startswith("Not counted: `/approve testing c2`.\n`omar` pushed commits")
    change.notices()
