"""`retry-after` is honoured for whatever was told of it, and the work comes back after the pause."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio
PAUSE = 120


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    made = Town(tmp_path)
    yield made
    await made.closes()


def between(town: Town, began: float, end: float) -> list[str]:
    """What was asked of GitHub's repositories in this time, in seconds of the world."""
    clock = town.world.clock
    start = clock.now().timestamp() - clock.monotonic()
    times = [(one.at.timestamp() - start, one.operation, one.path) for one in town.world.requests]
    return [operation for at, operation, path in times if began < at < end and path.startswith("/repos/")]


@pytest.mark.parametrize("operation", ["create_comment", "update_comment", "update_check_run", "merge_async"])
async def test_i29_nothing_is_asked_before_retry_after_and_then_it_goes_on(town: Town, operation: str) -> None:
    change = await begun(town, "almost")
    town.world.fails(operation, 403, headers={"retry-after": str(PAUSE)})
    seen = len(town.world.requests)
    await change.on_pull("lin", "/help")  # which is answered with a comment
    await change.merges()
    (refused,) = [one for one in town.world.requests[seen:] if (one.operation, one.status) == (operation, 403)]
    told = refused.at.timestamp() - (town.world.clock.now().timestamp() - town.world.clock.monotonic())

    await town.later(seconds=PAUSE + 120)

    assert between(town, told, told + PAUSE) == []
    assert change.phase == "done"
    assert len([told for told in change.notices() if "`/help`" in told]) == 1
    assert len(town.world.landed) == 1


async def test_a_commit_whose_checks_github_refuses_keeps_no_other_record_from_being_compared(town: Town) -> None:
    """Somebody spoils the comments of both, and no webhook tells it."""
    spoilt = []
    for title in ("Retry uploads", "Faster parser"):
        change = await begun(town, "testing", title)
        spoilt += [one for one in change.issue.comments if "signalbox:status" in one.body]
    right = [one.body for one in spoilt]
    town.world.drops_webhooks(logged=False)
    town.world.fails("check_runs", 403, times=None)
    for comment in spoilt:
        town.world.edits_comment("grace", comment, "nothing to see here")
    await town.later(minutes=16, stride=120)

    assert [one.body for one in spoilt] == right
