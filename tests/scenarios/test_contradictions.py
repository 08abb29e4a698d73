"""One text that stops the work and lets it go on: the stop counts, whatever GitHub does meanwhile (LIFECYCLE.md 2.5, I14)."""

import pytest
from inline_snapshot import snapshot

from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


def _fails_at_the_second_read(town: Town, login: str) -> None:
    """GitHub says once what somebody may do, and then three times not."""
    path = f"/collaborators/{login}/permission"
    town.road.before[path] = lambda: town.road.before.update(
        {path: lambda: town.world.fails("permission", 502, times=3)}
    )


async def test_requested_changes_beat_an_approve_in_the_same_review(town: Town) -> None:
    change = await begun(town, "submit")
    await change.on_pull("omar", f"/gate submit {change.head}")
    change.notices()
    _fails_at_the_second_read(town, "grace")
    await change.review("grace", "CHANGES_REQUESTED", "/approve\nno, wait: the retry never ends")
    await town.later(minutes=4)
    told = change.notices()

    assert (change.phase, town.merges()) == ("building", [])
    assert any("Not counted: `/approve`" in one for one in told)


async def test_a_hold_below_the_gate_in_one_comment_is_heard_first(town: Town) -> None:
    change = await begun(town, "almost")
    _fails_at_the_second_read(town, "omar")
    await change.on_pull("omar", f"/gate submit {change.head}\n/hold until the release is out")
    await town.later(minutes=4)
    change.notices()

    assert (bool((await change.record())["held"]), town.merges()) == (True, [])


async def test_a_gate_does_not_count_beside_a_hold_of_which_github_does_not_say_whether_it_counts(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.fails("permission", 502, times=3)
    said = await change.on_pull("omar", f"/gate submit {change.head}\n/hold until the release is out")
    await town.later(minutes=4)
    reply = change.reply(said) or ""

    assert (reply.count("Repeat it in a few minutes"), town.merges()) == (2, [])
    change.notices()


async def test_an_unhold_above_a_hold_lifts_nothing(town: Town) -> None:
    """Everything else is complete, so an unhold would be followed by the merge."""
    change = await begun(town, "almost")
    await change.on_pull("omar", "/hold the release is not out")
    await change.on_pull("omar", f"/gate submit {change.head}")
    change.notices()
    _fails_at_the_second_read(town, "omar")
    await change.on_pull("omar", "/unhold\n/hold not today either")
    await town.later(minutes=4)
    change.notices()

    assert (bool((await change.record())["held"]), town.merges()) == (True, [])


async def test_a_resume_above_a_block_resumes_nothing(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("omar", "/block may we?")
    await change.on_pull("omar", "/resume testing\n/block is it legal at all?")
    change.notices()

    assert change.phase == "blocked"


async def test_the_commands_of_one_comment_are_answered_in_the_order_of_the_text(town: Town) -> None:
    change = await begun(town, "testing")
    said = await change.on_pull("grace", f"/approve testing {change.head}\n/reject it loses data")

    assert change.phase == "building"
    assert "`/approve testing" in (change.reply(said) or "")
    change.notices()


async def test_requested_changes_that_are_also_said_in_the_body_are_one_no(town: Town) -> None:
    change = await begun(town, "testing")
    await change.review("grace", "CHANGES_REQUESTED", "/reject it loses data")

    assert (change.phase, change.notices()) == ("building", [])


async def test_a_gate_does_not_count_beside_a_reject_that_lacks_its_reason(town: Town) -> None:
    change = await begun(town, "almost")
    said = await change.on_pull("omar", f"/gate submit {change.head}\n/reject")
    await town.later(seconds=30)

    assert (change.phase, town.merges()) == ("submit", [])
    assert change.reply(said) == snapshot("""\
Of 2 commands, none was accepted.
- Not counted: `/gate submit c1`.
The same comment says `/reject`, which was not counted, so nothing in it lets the work go on.
Nothing changed.
Say which of the two you mean, in a new comment.
- Not counted: `/reject`.
A rejection needs its reason, so nothing was rejected.
A reviewer comments `/reject` and why.\
""")


async def test_an_approving_review_does_not_count_above_a_reject_that_lacks_its_reason(town: Town) -> None:
    change = await begun(town, "testing")
    await change.review("grace", "APPROVED", "/reject")

    assert change.row("Review").startswith("⏳ Review: 0 of 1")
    assert change.notices() == snapshot(
        [
            """\
Not counted: `/reject`.
A rejection needs its reason, so nothing was rejected.
A reviewer comments `/reject` and why.\
"""
        ]
    )


async def test_a_word_in_the_body_of_a_review_that_was_dismissed_before_it_was_heard_does_not_count(town: Town) -> None:
    """GitHub promises no order: the dismissal is heard first."""
    change = await begun(town, "testing")
    town.world.reorders_webhooks()
    town.world.reviews("grace", change.pull, "APPROVED", f"/approve testing {change.pull.head}")
    town.world.dismisses_review("omar", change.pull.reviews[0])
    await town.settles()

    assert change.row("Review").startswith("⏳ Review: 0 of 1")
    assert change.notices() == snapshot(
        [
            """\
Not counted: `/approve testing c1`.
The review in which it stands was dismissed before this was heard.
Nothing changed.\
"""
        ]
    )
