"""Over HTTP, with every webhook lost: the whole way from a label to a confirmed merge."""

from pathlib import Path

import pytest

from tests.kit.change import Change
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def swept(town: Town) -> None:
    await town.later(minutes=7, stride=60)


@pytest.mark.parametrize("logged", [False, True])
async def test_with_every_webhook_lost_a_change_is_merged_all_the_same(tmp_path: Path, logged: bool) -> None:
    """L1."""
    town = Town(tmp_path)
    town.world.drops_webhooks(logged=logged)
    change = Change(town, town.world.opens_issue("ada", town.repo, "Retry uploads"))
    town.world.labels("ada", change.issue, "signalbox")
    await swept(town)
    await swept(town)
    await change.on_issue("ada", "/plan\nRetry three times.", heard=False)
    await swept(town)
    await change.on_issue("grace", "/approve r1", heard=False)
    await swept(town)
    await change.opens_pull(heard=False)
    await swept(town)
    for who, text in (("grace", "/approve"), ("omar", "/gate"), ("grace", "/approve"), ("omar", "/gate")):
        await change.on_pull(who, text, heard=False)
        await swept(town)

    assert change.phase == "done"
    assert [landing.head for landing in town.world.landed] == [change.pull.head]
    people = [one for thread in (change.issue, change.pull) for one in thread.comments if one.app is None]
    assert [[one.content for one in comment.reactions] for comment in people] == [["+1"]] * 6
    for thread in (change.issue, change.pull):
        for comment in town.unread(thread):
            town.reads(comment)
    await town.closes()
