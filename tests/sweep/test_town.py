"""Over HTTP, with webhooks lost and GitHub in trouble: the whole way from a label to a confirmed merge, only later."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.simulator.model.threads import Thread
from tests.kit.change import Change
from tests.kit.town import PEOPLE, Town

pytestmark = pytest.mark.anyio
#: The last acts of the golden path, on the pull request.
JUDGEMENTS = (("grace", "/approve"), ("omar", "/gate"), ("grace", "/approve"), ("omar", "/gate"))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    made = Town(tmp_path)
    yield made
    for repo in made.world.repositories.values():
        for thread in repo.threads.values():
            for comment in made.unread(thread):
                made.reads(comment)
    await made.closes()


async def swept(town: Town, minutes: float = 7) -> None:
    await town.later(minutes=minutes, stride=60)


async def planned(town: Town) -> Change:
    """Up to an approved plan, each act found by a sweep."""
    change = Change(town, town.world.opens_issue("ada", town.repo, "Retry uploads"))
    town.world.labels("ada", change.issue, "signalbox")
    await swept(town)
    await swept(town)
    await change.on_issue("ada", "/plan\nRetry three times.", heard=False)
    await swept(town)
    await change.on_issue("grace", "/approve r1", heard=False)
    await swept(town)
    return change


def merged_once(change: Change) -> None:
    """And every command was answered by one reaction."""
    assert change.phase == "done"
    assert [landing.head for landing in change.town.world.landed] == [change.pull.head]
    assert change.town.asked("merge", "merge_async") == 1
    people = [one for thread in (change.issue, change.pull) for one in thread.comments if one.app is None]
    assert [[one.content for one in comment.reactions] for comment in people] == [["+1"]] * 6


@pytest.mark.parametrize("logged", [False, True])
async def test_with_every_webhook_lost_a_change_is_merged_all_the_same(town: Town, logged: bool) -> None:
    """L1."""
    town.world.drops_webhooks(logged=logged)
    change = await planned(town)
    await change.opens_pull(heard=False)
    await swept(town)
    for who, text in JUDGEMENTS:
        await change.on_pull(who, text, heard=False)
        await swept(town)
    merged_once(change)


@pytest.mark.parametrize("during", range(5), ids=["the pull request", "review", "gate", "review 2", "gate 2"])
async def test_thirty_minutes_of_503_only_delay_what_no_webhook_told(town: Town, during: int) -> None:
    """L1, L10; known-faults.md, row 116: whatever people do meanwhile is found afterwards, and nothing is done twice."""
    town.world.drops_webhooks(logged=False)
    change = await planned(town)

    async def in_trouble() -> None:
        town.world.fails("any", 503, times=None)
        merged = len(town.world.landed)
        await swept(town, 30)
        assert len(town.world.landed) == merged
        town.world.heals()
        town.world.drops_webhooks(logged=False)
        await swept(town, 40)

    await change.opens_pull(heard=False)
    await (in_trouble() if during == 0 else swept(town))
    for number, (who, text) in enumerate(JUDGEMENTS, 1):
        await change.on_pull(who, text, heard=False)
        await (in_trouble() if during == number else swept(town))
    merged_once(change)


async def test_an_installation_suspended_in_the_middle_of_a_sweep_over_three_repositories_loses_nothing(
    town: Town,
) -> None:
    """What the sweep had found in the first stands, the others were not read; given back, each goes on."""
    world = town.world
    world.drops_webhooks(logged=False)
    names = ("octo/app", "octo/engine", "octo/site")
    for name in names[1:]:
        world.repository(name, members=dict(PEOPLE))
    issues = [world.opens_issue("ada", name, "Retry uploads") for name in names]
    for issue in issues:
        world.labels("ada", issue, "signalbox")
    await swept(town)
    await swept(town)
    assert [phase(issue) for issue in issues] == ["planning"] * 3

    for issue in issues:
        world.comments("ada", issue, "/plan\nRetry three times.")
    asked = len(world.requests)
    town.just_before("/octo/engine/issues/comments", world.suspends)
    await swept(town, 30)

    assert world.installation.suspended_at is not None, "it happened in the middle"
    assert any(one.path.startswith("/repos/octo/app/issues/comments") for one in world.requests[asked:])
    assert "plan_ready" not in {phase(issue) for issue in issues[1:]}
    records = [await town.api(f"/lifecycles/{name}/{issue.number}") for name, issue in zip(names, issues, strict=True)]
    assert {record["frozen"] for record in records} == {"suspended"}

    world.unsuspends()
    await swept(town, 15)
    assert [phase(issue) for issue in issues] == ["plan_ready"] * 3
    plans = [[one.content for one in comment.reactions] for issue in issues for comment in issue.comments[1:2]]
    assert plans == [["+1"]] * 3


def phase(issue: Thread) -> str:
    (label,) = [one.name for one in issue.labels if one.name.startswith("signalbox/")]
    return label.removeprefix("signalbox/")
