"""Words are about the head that their writer saw; a stop is passed over by no accident of ours (LIFECYCLE.md 2.2, 2.5, I14)."""

import pytest

from tests.kit.change import Change, begun
from tests.kit.late import arrive
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def _c2_is_shown(town: Town) -> Change:
    change = await begun(town, "testing")
    await change.pushes("ada")
    await town.later(seconds=30)
    return change


async def test_short_words_in_reviews_that_were_begun_on_c1_do_not_judge_c2(town: Town) -> None:
    """grace and omar begin their reviews on c1 (GitHub keeps that commit); ada pushes c2 before they submit them."""
    change = await _c2_is_shown(town)
    for word, who in (("/approve", "grace"), ("/gate", "omar")) * 2:
        town.world.clock.advance(3)
        town.world.reviews(who, change.pull, "COMMENTED", word, commit=town.heads[0])
        await town.settles()
        change.notices()
    await town.later(minutes=1)
    change.notices()

    assert (change.row("Review")[0], town.merges()) == ("⏳", [])


@pytest.mark.parametrize("word", ["/approve", "/approve testing"])
async def test_a_short_word_on_a_line_of_c1_does_not_judge_c2(town: Town, word: str) -> None:
    change = await _c2_is_shown(town)
    town.world.comments_on_line("grace", change.pull, word, commit=town.heads[0])
    await town.settles()

    (told,) = change.notices()
    assert "It stands in a review of `c1`; the head is now `c2`.\nNothing was stored." in told
    assert change.row("Review")[0] == "⏳"


async def test_a_short_word_on_a_line_of_c1_whose_delivery_was_lost_does_not_judge_c2(town: Town) -> None:
    """A sweep finds it, with the commit that it stands on."""
    change = await _c2_is_shown(town)
    await town.later(minutes=10, stride=150)
    town.world.drops_webhooks(logged=False)
    town.world.comments_on_line("grace", change.pull, "/approve", commit=town.heads[0])
    town.world.reviews("sam", change.pull, "COMMENTED", "/approve", commit=town.heads[0])
    await town.later(minutes=10, stride=150)
    town.world.heals()
    change.notices()

    assert change.row("Review")[0] == "⏳"


async def test_a_word_in_a_review_of_c1_that_names_c2_is_about_c2(town: Town) -> None:
    change = await _c2_is_shown(town)
    town.world.reviews("grace", change.pull, "COMMENTED", town.spelled("/approve testing c2"), commit=town.heads[0])
    await town.settles()
    change.notices()

    assert change.row("Review").startswith("✅")


async def test_a_candidate_declared_in_a_review_of_c1_does_not_offer_c2(town: Town) -> None:
    change = await _c2_is_shown(town)
    await change.on_pull("grace", "/reject c2 loses data")
    town.world.clock.advance(3)
    town.world.reviews("ada", change.pull, "COMMENTED", "/candidate", commit=town.heads[0])
    await town.settles()
    change.notices()

    assert change.phase == "building"


async def test_a_stop_in_a_review_of_c1_stops_what_is_there_now(town: Town) -> None:
    """It was sent while c1 was shown, and is heard when c2 is. See known-faults.md, row 14."""
    change = await begun(town, "testing")
    town.world.reviews("grace", change.pull, "COMMENTED", "/reject it loses data")
    late = town.world.hooks.take()
    await change.pushes("ada")
    await arrive(town, *late)

    assert (change.phase, change.notices()) == ("building", [])


@pytest.mark.parametrize("answer", [403, 502])
@pytest.mark.parametrize("stop", ["/hold", "/reject"])
async def test_a_stop_counts_though_our_status_comment_could_not_be_written(town: Town, answer: int, stop: str) -> None:
    """GitHub takes no edit of our comment for some minutes, so the newest row that was shown is of c1. grace approves c2 by
    its digits, thinks again, and says so. Then GitHub is well again."""
    change = await begun(town, "submit")
    town.world.fails("update_comment", answer, times=None)
    await change.pushes("ada")
    await change.passes("testing")
    await change.on_pull("grace", f"/approve submit {change.head}")
    await change.on_pull("grace", f"{stop} it loses data")
    town.world.heals()
    await town.later(minutes=2, stride=10)
    await change.on_pull("omar", f"/gate submit {change.head}")
    await town.later(minutes=2, stride=10)
    change.notices()

    assert town.merges() == [], f"grace said {stop} about c2 before the gate was opened"


@pytest.mark.parametrize("word", ["/hold", "/block"])
async def test_a_stop_of_the_work_that_is_heard_after_a_push_counts(town: Town, word: str) -> None:
    """It was written while c1 was shown, and is heard when c2 is."""
    change = await begun(town, "testing")
    stop = await change.on_pull("grace", f"{word} is it legal?", heard=False)
    late = town.world.hooks.take()
    await change.pushes("ada")
    await arrive(town, *late)
    change.notices()

    stopped = await change.record()
    assert (change.reply(stop), bool(stopped["held"]) or stopped["phase"] == "blocked") == (None, True)
