"""What brings a head back to testing, and what people are told would (LIFECYCLE.md 2.3, 2.4, 2.6)."""

import pytest
from inline_snapshot import snapshot

from bot.domain.model.policy import STRICT
from bot.simulator.webhooks import headers
from tests.kit.change import Change, begun
from tests.kit.places import out_of_tries
from tests.kit.town import SECRET, Town

pytestmark = pytest.mark.anyio


async def news_comes_later(change: Change) -> None:
    """ada pushes, and the news of it is an hour on its way."""
    hooks = change.town.world.hooks
    hooks.delay = 3600.0
    await change.pushes("ada")
    hooks.delay = 0.0


async def test_late_news_of_a_push_does_not_bring_a_rejected_head_back(town: Town) -> None:
    change = await begun(town, "testing")
    await news_comes_later(change)
    await change.on_pull("lin", "/status")
    said = await change.on_pull("grace", "/approve testing c1")
    assert change.says.startswith("**testing** · head `c2`")
    change.reply(said)
    await change.on_pull("grace", "/reject The retry never ends.")
    assert change.phase == "building"

    await town.later(minutes=70, stride=300)

    assert (change.phase, change.says) == snapshot(
        ("building", "**building** · plan r1 · last head `c2` was rejected by `grace` (reason)")
    )


async def test_a_rejected_head_that_is_pushed_again_is_judged_again(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("grace", "/reject The retry never ends.")
    await change.pushes("ada")

    await change.pushes_back("ada", "c1")

    assert (change.phase, change.says) == snapshot(("testing", "**testing** · head `c1` · plan r1 · round 4"))


async def test_a_rejected_head_that_was_pushed_again_unheard_is_judged_again(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("grace", "/reject The retry never ends.")
    await change.pushes("ada")
    town.world.hooks.drop(None, None, logged=False)
    await change.pushes_back("ada", "c1")
    town.world.hooks.stop_faults()

    await town.later(minutes=20, stride=60)

    assert (change.phase, change.says) == snapshot(("testing", "**testing** · head `c1` · plan r1 · round 4"))


async def test_linking_a_rejected_head_anew_does_not_bring_it_back(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("grace", "/reject The retry never ends.")
    await change.on_pull("ada", "/unlink")

    await change.on_pull("ada", f"/link #{change.issue.number}")

    record = await change.record()
    assert (record["phase"], record["pull_request"]) == ("building", change.pull.number)
    await change.on_pull("ada", "/candidate c1")
    assert change.phase == "testing"


async def refused_in_building(change: Change) -> str:
    said = await change.on_pull("grace", "/approve")
    return (change.reply(said) or "").partition("that changes when ")[2]


async def test_a_refusal_in_building_names_what_helps_a_rejected_head(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("grace", "/reject The retry never ends.")
    assert await refused_in_building(change) == snapshot(
        "a builder pushes a new head, or comments `/candidate c1` on #2."
    )


async def test_a_refusal_in_building_names_what_helps_a_draft(town: Town) -> None:
    change = await begun(town, "building")
    await change.opens_pull(draft=True)
    assert await refused_in_building(change) == snapshot(
        "a builder marks #2 as ready for review, or comments `/candidate c1` on #2."
    )
    await change.on_pull("ada", "/candidate c1")
    await change.on_pull("grace", "/reject No.")
    assert await refused_in_building(change) == snapshot(
        "a builder pushes a new head and marks #2 as ready for review, or comments `/candidate c1` on #2."
    )


async def test_a_refusal_in_building_names_what_helps_a_red_head(town: Town) -> None:
    change = await begun(town, "testing")
    await change.check_ends("failure")
    assert await refused_in_building(change) == snapshot(
        "a builder pushes a new head, or has the failed checks run again."
    )


async def test_a_refusal_in_building_names_what_helps_a_closed_pull_request(town: Town) -> None:
    change = await begun(town, "testing")
    town.world.closes("ada", change.pull)
    await town.settles()
    assert await refused_in_building(change) == snapshot(
        "a builder reopens #2, or comments `/link #1` on another pull request."
    )


async def test_a_retry_goes_on_with_a_green_head_by_itself(town: Town) -> None:
    change = await out_of_tries(town)
    assert change.phase == "blocked"
    change.notices()

    await change.on_issue("omar", "/retry")

    assert (change.phase, change.says, change.waits) == snapshot(
        (
            "testing",
            "**testing** · head `c1` · plan r1 · round 4",
            "Waiting for **a reviewer** and **an operator**. Checks are green.",
        )
    )
    change.notices()


async def test_a_retry_waits_for_a_head_that_is_red_and_goes_on_once_it_is_green(town: Town) -> None:
    change = await out_of_tries(town)
    await change.check_ends("failure")
    change.notices()

    await change.on_issue("omar", "/retry")
    assert (change.phase, change.says) == snapshot(
        ("building", "**building** · plan r1 · last head `c1` failed check `build`")
    )
    await change.check_ends("success")

    assert change.phase == "testing"
    change.notices()


async def test_a_head_that_turned_green_while_it_was_blocked_goes_on_when_it_is_resumed(town: Town) -> None:
    change = await begun(town, "testing")
    await change.check_ends("failure")
    await change.on_pull("grace", "/block Which key store?")
    await change.check_ends("success")
    change.notices()

    await change.on_issue("omar", "/resume building")

    assert change.phase == "testing"
    change.notices()


async def test_old_and_repeated_news_of_pushes_keeps_what_was_approved(town: Town) -> None:
    """known-faults.md, row 44."""
    change = await begun(town, "testing")
    await change.pushes("ada")
    await change.on_pull("grace", "/approve testing c2")
    change.notices()
    news = [hook for hook in town.world.hooks.log if hook.action == "synchronize" or hook.event == "push"]
    assert len(news) >= 2

    for number, hook in enumerate(news):
        hook.guid = f"again-{number}"
        assert await town.post(hook.body, headers(town.world, hook, SECRET)) == 202
    await town.settles()

    assert (change.phase, change.row("Review").startswith("✅ Review: 1 of 1 · `grace`")) == ("testing", True)


async def test_a_retry_repeats_work_and_never_grants_an_approval(town: Town) -> None:
    """known-faults.md, row 40."""
    budgets = STRICT.budgets.model_copy(update={"check_retries": 0})
    town.policy = STRICT.model_copy(update={"budgets": budgets})
    change = await begun(town, "almost")
    await change.check_ends("failure")
    await change.check_ends("success")
    change.notices()
    assert change.phase == "blocked"

    await change.on_issue("omar", "/retry")
    await town.later(minutes=2)

    counting = [d for d in (await change.record())["decisions"] if d["counts"] and d["gate"] != "plan"]
    assert (counting, town.merges()) == ([], [])
    change.notices()


async def test_a_retry_after_a_push_repeats_no_approval_of_the_head_before(town: Town) -> None:
    """known-faults.md, row 40."""
    budgets = STRICT.budgets.model_copy(update={"check_retries": 1})
    town.policy = STRICT.model_copy(update={"budgets": budgets})
    change = await begun(town, "testing")
    await change.on_pull("grace", "/approve testing c1")
    assert change.row("Review").startswith("✅ Review: 1 of 1 · `grace`")
    await change.pushes("ada")
    for result in ("failure", "success", "failure", "success"):
        await change.check_ends(result)
    assert change.phase == "blocked"

    said = await change.on_issue("omar", "/retry")
    await town.later(minutes=2)

    assert (change.reaction(said), change.phase) == ("+1", "testing")
    counting = [d for d in (await change.record())["decisions"] if d["counts"] and d["gate"] != "plan"]
    assert (counting, town.merges()) == ([], [])
    assert change.row("Review").startswith("⏳ Review: 0 of 1")
    change.notices()


async def test_a_command_that_had_nothing_to_do_is_not_just_called_done(town: Town) -> None:
    change = await begun(town, "planning")

    said = await change.on_issue("ada", "/replan Another way.")

    assert change.reply(said) == snapshot("""\
Nothing to do for `/replan`: it is in planning already.
Nothing changed.\
""")
    assert change.reaction(said) == "+1"
