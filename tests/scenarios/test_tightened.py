"""Rules that ask for more while a merge is about to be asked for: it is not asked for, and nobody else waits for it."""

import pytest

from bot.domain.model.policy import STRICT, GateRule, GateRules
from tests.kit.change import begun
from tests.kit.policy_files import TWO_REVIEWS as TWO_REVIEWS_FILE
from tests.kit.policy_files import lays_down
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

TWO_REVIEWS = STRICT.model_copy(update={"gates": GateRules(submit=GateRule(reviews=2, operators=1))})
TWO_IN_TESTING = STRICT.model_copy(update={"gates": GateRules(testing=GateRule(reviews=2, operators=1))})
TWO_FOR_THE_PLAN = STRICT.model_copy(update={"gates": GateRules(plan=GateRule(reviews=2))})


async def test_rules_that_ask_for_more_give_the_base_to_the_next_one_at_once(town: Town) -> None:
    lacking = await begun(town, "almost")
    complete = await begun(town, "almost", title="Another one")
    await complete.on_pull("lin", "/status")
    await complete.on_pull("sam", f"/approve submit {complete.head}")
    await lacking.reserved()
    await complete.on_pull("omar", f"/gate submit {complete.head}", heard=False)
    await town.hears()
    assert (await lacking.merge_state(), await complete.merge_state()) == ("reserved", "none")

    town.policy = TWO_REVIEWS
    await town.settles()
    assert await lacking.merge_state() == "none"
    await town.later(seconds=10)

    assert (lacking.phase, complete.phase) == ("submit", "done")
    assert lacking.row("Review").startswith("⏳ Review: 1 of 2")
    lacking.notices()


async def test_rules_that_ask_for_more_in_testing_open_testing_again_and_the_missing_review_can_be_given(
    town: Town,
) -> None:
    change = await begun(town, "almost")
    town.policy = TWO_IN_TESTING
    await change.on_pull("omar", f"/gate submit {change.head}")
    assert (change.phase, change.waits.startswith("Waiting for **a reviewer**")) == ("testing", True)

    await change.on_pull("sam", f"/approve testing {change.head}")
    await change.passes("testing")
    await town.later(minutes=3, stride=30)

    assert (change.phase, town.merges()) == ("submit", [])
    change.notices()


async def test_rules_that_ask_for_more_approvals_of_the_plan_open_its_gate_again(town: Town) -> None:
    change = await begun(town, "almost")
    town.policy = TWO_FOR_THE_PLAN
    await change.on_pull("omar", f"/gate submit {change.head}")
    await town.later(minutes=1)

    assert (change.phase, town.merges()) == ("plan_ready", [])
    change.notices()


async def test_rules_that_ask_for_no_more_change_nothing_about_what_is_reserved(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()

    town.policy = STRICT.model_copy(update={"sha": "f" * 40})
    await town.later(seconds=10)

    assert (town.merges(), change.phase, town.asked("merge_async")) == (["c1 by signalbox[bot]"], "done", 1)


@pytest.mark.parametrize("merge_api", ["async"])
async def test_what_github_was_asked_keeps_its_check_by_the_rules_of_the_request(town: Town) -> None:
    change = await begun(town, "almost")
    await change.asked(seconds=120)
    town.policy = TWO_REVIEWS
    await town.later(seconds=20)
    await change.on_pull("lin", "/status")
    await town.later(seconds=10)
    assert (await change.merge_state(), change.check) == ("requested", "success · submit: merging c1")

    await town.later(minutes=4, stride=15)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")
    assert change.check.startswith("success")
    change.notices()


@pytest.mark.parametrize("word", ["/reject no", "/approve", "requested changes"])
async def test_a_word_between_stricter_rules_and_their_news_is_answered(town: Town, word: str) -> None:
    """The rules were looked at, and no record is told of them yet: the first version that is closed lacks what they ask for."""
    change = await begun(town, "almost")
    await change.reserved()
    await lays_down(town, TWO_REVIEWS_FILE, heard=False)
    await town.hears()
    town.world.edits("ada", change.pull, title="Another title")
    town.world.clock.advance(3)
    if word == "requested changes":
        town.world.reviews("grace", change.pull, "CHANGES_REQUESTED", "no")
    else:
        await change.on_pull("grace", word, heard=False)

    await town.hears()

    failed = await town.store.read(lambda tx: tx.deliveries.list("failed", 100, None))
    assert ([row.detail for row in failed], await change.merge_state()) == ([], "none")
    assert (await change.record())["phase"] == ("submit" if word == "/approve" else "building")
    await town.later(minutes=1)
    assert town.merges() == []
