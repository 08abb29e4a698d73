"""What came and could not be worked on yet, while everything else leads on to a merge (LIFECYCLE.md 5, I14)."""

from collections.abc import Callable

import pytest
from inline_snapshot import snapshot

from bot.app.restart import take_over
from bot.domain.model.policy import STRICT, MergeRule
from bot.simulator import webhooks
from tests.kit.change import Change, begun
from tests.kit.town import SECRET, Killed, Town

pytestmark = pytest.mark.anyio


def closes_the_issue(change: Change) -> None:
    change.town.world.closes("ada", change.issue)
    change.town.world.fails("pull", 502, times=None)


def takes_the_label(change: Change) -> None:
    change.town.world.unlabels("ada", change.issue, "signalbox")
    change.town.world.fails("permission", 502, times=None)


def closes_and_reopens(change: Change) -> None:
    change.town.world.closes("ada", change.pull)
    change.town.world.clock.advance(3)
    change.town.world.reopens("ada", change.pull)
    change.town.world.fails("pull", 502, times=None)


@pytest.mark.parametrize("stops", [closes_the_issue, takes_the_label, closes_and_reopens])
async def test_a_stop_that_github_hiccups_on_holds_the_merge_until_it_is_decided(
    town: Town, stops: Callable[[Change], None]
) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    town.world.clock.advance(3)
    stops(change)
    await town.hears()
    assert any(line[1] == "delivery_waits" for line in town.log.lines)
    town.world.heals()
    await town.later(minutes=3)
    assert town.merges() == [], "GitHub had told of the stop before it was asked to merge"
    change.notices()


async def test_a_revocation_during_a_pause_of_github_is_not_overtaken(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    town.world.clock.advance(3)
    await change.on_pull("omar", "/revoke", heard=False)
    town.world.fails("branch", 403, headers={"retry-after": "20"})
    await town.hears()
    await town.later(minutes=3, stride=2)
    assert town.merges() == [], "omar's /revoke was delivered while nothing had been asked of GitHub"


async def test_a_revocation_that_waits_for_its_turn_is_not_overtaken_after_a_kill(town: Town) -> None:
    """kill -9 while the revocation is decided; whatever the next process takes up first."""
    town.opens(str(town.data_dir / "s.db"))
    change = await begun(town, "almost")
    await change.reserved()
    town.world.clock.advance(3)
    await change.on_pull("omar", "/revoke", heard=False)
    town.kills_before("/check-runs")
    with pytest.raises(Killed):
        await town.hears()
    town.store.before_commit = None
    await town.store.run(take_over)
    town.steps = dict(reversed(town.steps.items()))
    await town.later(minutes=2)
    assert (town.merges(), change.phase) == ([], "testing")


async def test_a_stop_that_comes_while_the_request_is_decided_is_not_overtaken(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()

    async def told() -> None:
        town.world.comments("omar", change.pull, "/hold not today")
        await webhooks.deliver(town.world, SECRET, town.post)

    town.just_before("/statuses", told)
    while await town.steps_once("merger"):
        pass
    assert town.merges() == [], "the /hold was stored before GitHub was asked"
    await town.later(seconds=30)
    assert (town.merges(), change.waits[:14]) == ([], "Held by `omar`")


async def test_one_persons_words_that_cannot_be_verified_hold_nobody_elses_up(town: Town) -> None:
    """GitHub does not say what sam may. His approving review waits; omar's /hold of another change is heard meanwhile."""
    change = await begun(town, "submit")
    other = await begun(town, "plan_ready", "Another")
    town.road.down.add("/collaborators/sam/permission")
    town.world.reviews("sam", change.pull, "APPROVED")
    await town.settles()

    await other.on_issue("omar", "/hold not today")
    assert (await other.record())["held"] is not None
    waiting = await town.store.read(lambda tx: tx.deliveries.list("received", 10, None))
    assert [row.event for row in waiting] == ["pull_request_review"]


async def test_success_goes_while_github_does_not_show_why_it_must(town: Town) -> None:
    """The issue is closed, and whether our own merge did that cannot be read. Success stood and waited for an operator's word."""
    change = await begun(town, "almost")
    town.policy = STRICT.model_copy(update={"merge": MergeRule(trigger="command")})
    await change.merges()
    assert change.check.startswith("success")
    closes_the_issue(change)
    await town.settles()
    assert not change.check.startswith("success"), change.check


@pytest.mark.parametrize("told", [True, False], ids=["while reserved", "found before the merge"])
async def test_a_stop_that_could_not_be_verified_leaves_time_to_repeat_it(town: Town, told: bool) -> None:
    change = await begun(town, "almost")
    town.road.down.add("/collaborators/sam/permission")
    if told:
        await change.reserved()
    else:
        town.world.drops_webhooks(logged=False)
    said = await change.on_pull("sam", "/hold not today")
    town.world.heals()
    if not told:
        await change.merges(seconds=30)
    assert (town.merges(), change.reaction(said), change.reply(said), change.row("Merge"), change.check) == snapshot(
        (
            [],
            "confused",
            """\
Not counted: `/hold`.
GitHub did not say whether `sam` may do this, so it was not counted.
Repeat it in a few minutes.
Nothing merges before 30 Nov 2024, hh:mm UTC, so that there is time for it.\
""",
            "⏳ Merge: `sam` stopped it, and GitHub did not say whether they may; nothing merges before 30 Nov 2024, hh:mm UTC, so that they can repeat it · Signalbox",
            "in_progress · submit: waiting for GitHub",
        )
    )

    town.road.down.clear()
    if told:
        await change.on_pull("sam", "/hold not today")
    await town.later(minutes=11, stride=60)
    assert town.merges() == ([] if told else ["c1 by signalbox[bot]"])
