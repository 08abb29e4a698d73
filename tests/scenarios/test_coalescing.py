"""Changes of a record within two seconds are shown together (LIFECYCLE.md 4.1), and nothing that matters waits for that."""

import pytest

from bot.domain.model.policy import STRICT, MergeRule
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

BY_COMMAND = STRICT.model_copy(update={"merge": MergeRule(trigger="command")})


async def says(change: Change, who: str, text: str) -> None:
    """It is decided, and whatever may be shown now is shown."""
    await change.on_issue(who, text, heard=False)
    await change.town.hears()
    await shows_what_is_due(change.town)


async def shows_what_is_due(town: Town) -> bool:
    """Whether there was anything, at this very moment."""
    anything = False
    while await town.steps_once("publisher"):
        anything = True
    return anything


async def test_three_quick_changes_are_one_edit_of_the_status_comment_two_seconds_after_the_first(town: Town) -> None:
    """People need a second for each, and go on."""
    change = await begun(town, "plan_ready")
    await town.later(seconds=10)
    before, edits = town.asked("update_comment"), []

    for text in ("/hold first", "/unhold", "/hold third"):
        await says(change, "omar", text)
        edits.append(town.asked("update_comment") - before)

    assert edits == [0, 0, 1]
    assert "Held by `omar` since hh:mm UTC: `third`" in change.status
    await town.settles()
    assert town.asked("update_comment") == before + 1


async def test_what_was_collected_when_the_process_died_is_shown_by_the_next(town: Town) -> None:
    change = await begun(town, "plan_ready")
    await town.later(seconds=10)

    await says(change, "omar", "/hold")
    assert "Held by" not in change.status
    await town.boots()

    assert "Held by `omar`" in change.status


async def test_success_is_taken_away_at_the_moment_of_the_loss_although_more_may_follow(town: Town) -> None:
    town.policy = BY_COMMAND
    change = await begun(town, "almost")
    await change.on_pull("omar", f"/gate submit {change.head}")
    assert change.check.startswith("success")

    await says(change, "omar", "/priority 7")
    await says(change, "omar", "/hold")

    assert change.check.startswith("action_required")


async def test_success_is_published_and_the_merge_asked_for_at_the_moment_of_the_last_word(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    assert not await shows_what_is_due(town)

    await town.steps_once("merger")

    assert (change.check, town.asked("merge_async")) == ("success · submit: all gates complete for c1", 1)


async def test_a_gate_that_is_not_shown_yet_is_not_taken_for_shown(town: Town) -> None:
    change = await begun(town)
    await says(change, "ada", "/plan\nRetry three times.")

    blind = await change.on_issue("grace", "/approve")
    assert "It was written for no gate, round 0; now plan, round 1 is open." in (change.reply(blind) or "")
    assert change.phase == "plan_ready"

    await change.on_issue("grace", "/approve")
    assert change.phase == "building"
