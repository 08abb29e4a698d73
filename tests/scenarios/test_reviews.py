"""GitHub's own reviews fill reviewer seats, and stop like `/reject` does."""

import json

import pytest
from inline_snapshot import snapshot

from bot.domain.model.policy import STRICT
from bot.simulator import webhooks
from bot.simulator.model.threads import Pull
from tests.kit.change import Change, begun
from tests.kit.town import SECRET, Town

pytestmark = pytest.mark.anyio


async def test_an_approving_review_fills_the_seat_and_is_not_answered(town: Town) -> None:
    change = await begun(town, "testing")

    await change.review("grace", "APPROVED", "Looks right.")

    assert change.row("Review") == "✅ Review: 1 of 1 · `grace`, hh:mm UTC"
    assert len(change.notices()) == 1


async def test_requested_changes_send_the_head_back(town: Town) -> None:
    change = await begun(town, "almost")

    await change.review("grace", "CHANGES_REQUESTED", "The retry never ends.")

    assert (change.phase, change.says, change.check) == snapshot(
        (
            "building",
            "**building** · plan r1 · last head `c1` was rejected by `grace` (reason)",
            "failure · building: rejected by grace",
        )
    )


async def test_a_dismissed_review_does_not_count(town: Town) -> None:
    """threats.md, T8."""
    change = await begun(town, "testing")
    await change.review("grace", "APPROVED")
    change.notices()

    town.world.dismisses_review("omar", change.pull.reviews[0])
    await town.settles()

    assert change.row("Review").startswith("⏳ Review: 0 of 1")


async def test_a_dismissed_testing_review_takes_submit_with_it(town: Town) -> None:
    change = await begun(town, "testing")
    await change.review("grace", "APPROVED")
    await change.on_pull("omar", "/gate testing c1")
    change.notices()
    assert change.phase == "submit"

    town.world.dismisses_review("omar", change.pull.reviews[0])
    await town.settles()

    assert (change.phase, change.says, change.row("Review")) == snapshot(
        (
            "testing",
            "**testing** · head `c1` · plan r1 · round 4",
            "⏳ Review: 0 of 1 · a reviewer other than `ada`: comment `/approve testing c1`",
        )
    )


async def test_a_later_comment_review_changes_no_verdict(town: Town) -> None:
    """known-faults.md, row 38."""
    change = await begun(town, "testing")
    await change.review("grace", "APPROVED")
    change.notices()

    await change.review("grace", "COMMENTED", "One more thought.")

    assert change.row("Review") == "✅ Review: 1 of 1 · `grace`, hh:mm UTC"


async def test_a_review_of_the_old_head_does_not_count_for_the_new_one(town: Town) -> None:
    change = await begun(town, "testing")
    old = change.pull.head
    await change.pushes("ada")

    town.world.reviews("grace", change.pull, "APPROVED", commit=old)
    await town.settles()

    assert change.row("Review").startswith("⏳ Review: 0 of 1")


async def test_a_reject_in_the_body_beats_the_approval_above_it(town: Town) -> None:
    change = await begun(town, "testing")

    await change.review("grace", "APPROVED", "/reject On second thought, no.")

    assert (change.phase, change.says) == snapshot(
        ("building", "**building** · plan r1 · last head `c1` was rejected by `grace` (reason)")
    )


async def test_a_plain_reviewer_of_the_public_fills_no_seat(town: Town) -> None:
    change = await begun(town, "testing")

    await change.review("zoe", "APPROVED")

    assert change.row("Review").startswith("⏳ Review: 0 of 1")


async def test_requested_changes_that_nobody_can_verify_for_an_hour_are_never_passed_over(town: Town) -> None:
    """GitHub does not say all that time what sam may; everybody else has long approved."""
    change = await begun(town, "almost")
    path = "/collaborators/sam/permission"

    def fails() -> None:
        town.world.fails("permission", 502)
        town.road.before[path] = fails

    fails()
    await change.review("sam", "CHANGES_REQUESTED", "/approve\nThe retry never ends.")
    await change.on_pull("omar", "/gate submit c1")
    await town.later(minutes=60, stride=1200)
    assert (change.waits, town.merges(), change.notices()) == snapshot(
        (
            "Nobody needs to do anything. Waiting for GitHub: `sam` requested changes, and GitHub does not say since hh:mm UTC whether they may; nothing merges until it does, or until somebody who may dismisses that review on GitHub.",
            [],
            [
                """\
Not counted: `/approve`.
The same comment stops the work, and GitHub did not say whether its writer may.
Nothing changed.
Repeat it in a few minutes if it still fits.\
"""
            ],
        )
    )

    del town.road.before[path]
    await town.later(minutes=10, stride=600)
    assert (change.phase, change.says, town.merges()) == snapshot(
        ("building", "**building** · plan r1 · last head `c1` was rejected by `sam` (reason)", [])
    )


async def said_no(town: Town) -> Change:
    """sam requests changes while GitHub does not say what sam may."""
    change = await begun(town, "testing")
    town.road.down.add("/collaborators/sam/permission")
    town.world.clock.advance(3)
    town.world.reviews("sam", change.pull, "CHANGES_REQUESTED", "no")
    await town.settles()
    return change


async def is_replaced(change: Change) -> Pull:
    """ada closes the pull request and links another one of the same head."""
    town, old = change.town, change.pull
    town.world.closes("ada", old)
    await town.settles()
    change.linked = town.world.opens_pull("ada", town.repo, "Retry uploads", head=old.head_ref, body="once more")
    await town.settles()
    await change.on_pull("ada", f"/link #{change.issue.number}")
    return old


async def goes_through(change: Change) -> None:
    for gate in ("testing", "submit"):
        if change.phase == gate:
            await change.passes(gate)
    await change.town.later(minutes=30, stride=60)
    change.notices()


async def test_a_no_on_a_pull_request_that_was_replaced_counts_on_its_head_when_its_writer_is_verified(
    town: Town,
) -> None:
    change = await said_no(town)
    await is_replaced(change)
    town.road.down.clear()
    await town.later(minutes=30, stride=60)
    record = await change.record()
    assert (change.phase, record["feedback_by"]["login"], record.get("unverified")) == ("building", "sam", [])

    await change.pushes()
    await goes_through(change)
    assert change.phase == "done", change.waits


async def test_a_no_on_a_pull_request_that_was_replaced_ends_when_it_is_dismissed(town: Town) -> None:
    change = await said_no(town)
    old = await is_replaced(change)
    town.world.dismisses_review("omar", old.reviews[0])
    await town.settles()
    await goes_through(change)
    assert change.phase == "done", change.waits


async def test_a_no_that_could_not_be_verified_ends_where_native_reviews_stop_to_count(town: Town) -> None:
    change = await said_no(town)
    town.policy = STRICT.model_copy(update={"reviews": STRICT.reviews.model_copy(update={"native": False})})
    town.road.down.clear()
    await town.later(minutes=30, stride=60)
    await goes_through(change)
    assert change.phase == "done", change.waits


async def test_requested_changes_that_name_no_commit_send_the_present_head_back(town: Town) -> None:
    """GitHub documents the commit of a review as nullable."""
    change = await begun(town, "almost")
    town.world.reviews("sam", change.pull, "CHANGES_REQUESTED", "this loses data")
    (told,) = town.world.hooks.take()
    body = json.loads(told.body)
    body["review"]["commit_id"] = None
    told.body = json.dumps(body).encode()
    await town.post(told.body, webhooks.headers(town.world, told, SECRET))
    await town.settles()
    assert change.says == "**building** · plan r1 · last head `c1` was rejected by `sam` (reason)"
    assert [row.event for row in await town.store.read(lambda tx: tx.deliveries.list("failed", 9, None))] == []
