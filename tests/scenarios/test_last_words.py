"""Whatever order deliveries come in, the last word people wrote is the one that stands (LIFECYCLE.md 2.5, I14)."""

import pytest

from tests.kit.change import begun
from tests.kit.late import arrive
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_the_plan_that_was_written_last_is_the_plan(town: Town) -> None:
    """ada thinks better of it; her two comments arrive the other way round. grace approves what stands."""
    change = await begun(town)
    town.world.comments("ada", change.issue, "/plan\nDrop the table and write it anew.")
    older = town.world.hooks.take()
    town.world.clock.advance(2)
    await change.on_issue("ada", "/plan\nRetry three times.")
    await arrive(town, *older)
    await change.on_issue("grace", "/approve r1")
    change.notices()
    record = await change.record()

    assert (record["plan"]["text"], record["phase"]) == ("Retry three times.", "building")


async def test_a_candidate_from_before_a_rejection_does_not_undo_it(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("grace", "/reject c1 loses data")
    town.world.comments("ada", change.pull, "/candidate")
    older = town.world.hooks.take()
    town.world.clock.advance(5)
    await change.pushes("ada")
    await change.on_pull("grace", "/reject c2 loses data too")
    await arrive(town, *older)
    change.notices()

    assert change.phase == "building", change.says


async def test_an_approval_written_after_a_revocation_stands(town: Town) -> None:
    """approve, /revoke, approve again; the revocation is heard last. The second approval got a thumb up."""
    change = await begun(town, "testing")
    await change.on_pull("grace", f"/approve testing {change.head}")
    town.world.comments("grace", change.pull, "/revoke")
    older = town.world.hooks.take()
    town.world.clock.advance(5)
    await change.on_pull("grace", f"/approve testing {change.head}")
    await arrive(town, *older)
    change.notices()

    assert change.row("Review").startswith("✅"), change.row("Review")


async def test_a_plan_approved_again_after_a_revocation_that_is_heard_last_stays_approved(town: Town) -> None:
    change = await begun(town, "building")
    town.world.comments("grace", change.issue, "/revoke")
    older = town.world.hooks.take()
    town.world.clock.advance(5)
    await change.on_issue("grace", "/approve r1")
    await arrive(town, *older)
    change.notices()

    assert change.phase == "building"


async def test_a_revocation_that_is_heard_last_and_was_written_last_counts(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("grace", f"/approve testing {change.head}")
    await change.on_pull("grace", f"/approve testing {change.head}")
    await change.on_pull("grace", "/revoke")
    change.notices()

    assert change.row("Review").startswith("⏳")


async def test_a_candidate_that_was_declared_after_the_rejection_is_judged(town: Town) -> None:
    change = await begun(town, "testing")
    await change.review("grace", "CHANGES_REQUESTED", "c1 loses data")
    town.world.clock.advance(5)
    await change.on_pull("ada", "/candidate")
    change.notices()

    assert change.phase == "testing"
