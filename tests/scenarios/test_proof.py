"""When an unknown merge is called unmerged: by proof, never by time alone (LIFECYCLE.md section 3.6)."""

import pytest
from inline_snapshot import snapshot

from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

SYNC = pytest.mark.parametrize("merge_api", ["sync"])


async def test_a_request_that_github_has_forgotten_is_unknown_and_settled_by_proof(town: Town) -> None:
    change = await begun(town, "almost")
    await change.asked(seconds=10 * 86_400)
    await town.later(minutes=2, stride=20)
    change.notices()
    await change.pushes("ada")
    await town.later(minutes=23 * 60, stride=14400)
    assert (await change.merge_state(), change.phase) == ("ambiguous", "submit")

    await town.later(minutes=180, stride=1200)

    assert (change.phase, change.says, town.asked("merge_async"), town.merges()) == snapshot(
        ("testing", "**testing** · head `c2` · plan r1 · round 4", 1, [])
    )


async def test_a_pending_request_that_github_does_not_show_is_not_proven_dead_within_the_day_it_is_kept(
    town: Town,
) -> None:
    """Somebody closes the pull request, and for some minutes GitHub answers 404 for the request."""
    change = await begun(town, "almost")
    await change.asked(seconds=7200)
    town.world.closes("ada", change.pull)
    await town.later(minutes=17, stride=60)
    town.world.fails("merge_status", 404, times=None)
    await town.later(minutes=4, stride=30)
    town.world.heals()
    town.world.reopens("ada", change.pull)
    await town.later(minutes=1, stride=20)

    change.notices()
    assert (await change.merge_state(), town.asked("merge_async")) == ("ambiguous", 1)


async def test_a_pending_request_is_never_dead(town: Town) -> None:
    change = await begun(town, "almost")
    await change.asked(seconds=2 * 3600)
    await town.later(minutes=2, stride=20)
    change.notices()
    town.world.closes("ada", change.pull)
    await town.settles()

    await town.later(minutes=60, stride=600)

    assert (await change.merge_state(), town.asked("merge_async"), change.phase) == ("ambiguous", 1, "submit")


async def test_an_asynchronous_request_that_reports_failed_is_proof_enough(town: Town) -> None:
    change = await begun(town, "almost")
    await change.asked(seconds=90)
    town.world.requires(town.repo, "lint")
    await town.later(minutes=3, stride=10)

    assert (await change.merge_state(), change.phase, change.waits) == snapshot(
        (
            "refused",
            "submit",
            'Waiting for **an operator**: GitHub refused: `Required status check "lint" is expected.`.',
        )
    )
    change.notices()


@SYNC
async def test_a_pull_request_closed_while_nobody_knows_is_proof_only_after_the_window(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()
    town.world.closes("ada", change.pull)
    await town.settles()
    await town.later(minutes=15, stride=300)
    assert (await change.merge_state(), change.phase) == ("ambiguous", "submit")

    await town.later(minutes=4, stride=20)

    assert (change.phase, change.waits, town.asked("merge")) == snapshot(
        ("building", "Waiting for **a builder** to reopen the pull request.", 1)
    )


@SYNC
async def test_a_read_that_shows_anything_else_starts_the_count_again(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()
    await change.pushes("ada")
    await town.later(minutes=16, stride=320)
    await change.pushes_back("ada", "c1")
    await town.later(minutes=30, stride=120)

    assert (await change.merge_state(), change.phase, town.asked("merge")) == ("ambiguous", "submit", 1)


@SYNC
async def test_time_alone_never_proves_anything(town: Town) -> None:
    """threats.md, T18."""
    change = await begun(town, "almost")
    await change.unknown()

    await town.later(minutes=24 * 60, stride=7200)

    assert (await change.merge_state(), change.phase, town.asked("merge"), change.notices()) == snapshot(
        ("ambiguous", "submit", 1, [])
    )
