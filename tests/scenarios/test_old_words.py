"""Words found late act on nothing that their writer did not see (LIFECYCLE.md 2.6, I32; INTERFACE.md 4)."""

import pytest

from bot.domain.model.policy import STRICT, MergeRule
from bot.simulator.model.threads import Comment, Pull
from tests.kit.change import Change, begun
from tests.kit.late import arrive
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def _linked_after(town: Town, who: str, word: str) -> Change:
    """A pull request on which `word` was written before anybody linked it to the record."""
    change = await begun(town, "building")
    await town.later(minutes=6, stride=150)
    world = town.world
    world.branches("ada", town.repo, "other")
    town.heads.append(world.pushes("ada", town.repo, "other"))
    change.linked = world.opens_pull("ada", town.repo, "Nothing yet", head="other", body="nothing")
    change.check_run()
    await town.settles()
    await change.on_pull(who, word)
    await town.later(minutes=10, stride=150)
    await change.on_pull("ada", "/link #1")
    return change


async def _almost_merged(change: Change) -> None:
    await change.passes("testing")
    await change.on_pull("grace", "/approve submit c1")
    await change.on_pull("omar", "/gate submit c1")
    change.notices()


async def test_an_unhold_written_before_the_pull_request_was_linked_lifts_no_later_hold(town: Town) -> None:
    change = await _linked_after(town, "omar", "/unhold")
    await change.on_issue("sam", "/hold security looks at it")
    await _almost_merged(change)
    await town.later(minutes=12, stride=150)

    assert (change.phase, town.merges()) == ("submit", [])
    change.notices()


async def test_a_merge_asked_for_before_the_pull_request_was_linked_merges_nothing(town: Town) -> None:
    town.policy = STRICT.model_copy(update={"merge": MergeRule(trigger="command")})
    change = await _linked_after(town, "omar", "/merge")
    await _almost_merged(change)
    await town.later(minutes=12, stride=150)

    assert (change.phase, town.merges()) == ("submit", [])
    change.notices()


@pytest.mark.parametrize("word", ["/cancel changed my mind", "/replan no"])
async def test_a_word_that_nobody_heard_in_a_thread_without_a_record_is_not_heard_after_the_link(
    town: Town, word: str
) -> None:
    change = await _linked_after(town, "ada", word)
    await town.later(minutes=12, stride=150)
    await town.later(minutes=400, stride=3600)

    record = await change.record()
    assert (record["withdrawn"], record["plan"]["revision"], change.phase) == (False, 1, "testing")
    change.notices()


async def test_a_lost_unhold_of_the_first_hold_does_not_lift_the_second(town: Town) -> None:
    change = await begun(town, "almost")
    await town.later(minutes=6, stride=150)
    await change.on_issue("sam", "/hold wait")
    town.world.drops_webhooks(times=1, event="issue_comment", logged=False)
    await change.on_issue("omar", "/unhold")
    await change.on_issue("sam", "/unhold")
    await change.on_issue("sam", "/hold security found something")
    await change.on_pull("omar", "/gate submit c1")
    await town.later(minutes=12, stride=150)

    assert (change.phase, town.merges()) == ("submit", [])
    change.notices()


async def test_a_lost_resume_of_the_first_question_does_not_leave_the_second(town: Town) -> None:
    change = await begun(town, "building")
    await town.later(minutes=6, stride=150)
    await change.on_issue("grace", "/block Which parser?")
    town.world.drops_webhooks(times=1, event="issue_comment", logged=False)
    await change.on_issue("omar", "/resume building")
    await change.on_issue("sam", "/resume building")
    await change.on_issue("grace", "/block Is the licence allowed?")
    await town.later(minutes=12, stride=150)

    change.notices()
    assert change.phase == "blocked"


async def _link_unheard(town: Town, on: Pull) -> Comment:
    """ada writes `/link #1` here, and its webhook is lost: the sweep finds it later."""
    await town.later(minutes=6, stride=150)
    town.world.drops_webhooks(times=1, event="issue_comment", logged=False)
    return town.world.comments("ada", on, "/link #1")


async def test_an_older_link_that_is_heard_after_a_newer_unlink_does_not_link_again(town: Town) -> None:
    change = await begun(town, "testing")
    said = await _link_unheard(town, change.pull)
    await change.on_pull("ada", "/unlink")
    await town.later(minutes=12, stride=150)

    assert (await change.record())["pull_request"] is None
    assert (change.reply(said) or "").startswith("Not counted: `/link #1`.\nIt was written before")


async def test_an_older_link_that_is_heard_after_a_newer_one_does_not_replace_it(town: Town) -> None:
    change = await begun(town, "testing")
    town.world.pushes("ada", town.repo, "older")
    town.world.pushes("ada", town.repo, "newer")
    older = town.world.opens_pull("ada", town.repo, "Older", head="older")
    newer = town.world.opens_pull("ada", town.repo, "Newer", head="newer")
    first, change.linked = change.pull, newer
    said = await _link_unheard(town, older)
    await change.on_pull("ada", "/link #1")
    await town.later(minutes=12, stride=150)

    assert (await change.record())["pull_request"] == newer.number
    assert (change.reply(said) or "").startswith("Not counted: `/link #1`.\nIt was written before")
    assert [town.reads(one).splitlines()[-1] for one in town.unread(first)] == ["A builder comments `/link #1`."]


async def test_a_hold_from_before_the_pull_request_was_unlinked_and_linked_again_holds(town: Town) -> None:
    """The record had this pull request when it was written, and it has it again."""
    change = await begun(town, "testing")
    said = await change.on_pull("grace", "/hold not today", heard=False)
    late = town.world.hooks.take()
    await change.on_pull("ada", "/unlink")
    await change.on_pull("ada", "/link #1")

    await arrive(town, *late)

    assert (change.reaction(said), bool((await change.record())["held"])) == ("+1", True)
