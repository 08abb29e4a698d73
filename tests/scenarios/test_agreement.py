"""The golden path ends the same whether the bot speaks to the world over the Forge port or over HTTP."""

import json
import re
from collections.abc import Callable, Iterator

import pytest

from bot.domain.model.record import Record
from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Pull, Thread
from bot.simulator.world import World
from tests.kit.stage import Stage
from tests.kit.town import PEOPLE, START, Town

pytestmark = pytest.mark.anyio

BRANCH = "signalbox/1-retry"


def acts(world: World, repo: Repository) -> Iterator[Callable[[], object]]:
    """From a label to the last gate, as acts of people; between two of them the bot comes to rest."""
    issue = world.opens_issue("ada", repo, "Retry uploads")
    yield lambda: world.labels("ada", issue, "signalbox")
    yield lambda: world.comments("ada", issue, "/plan\nRetry three times.")
    yield lambda: world.comments("grace", issue, "/approve r1")
    yield lambda: opens(world, repo)
    pull = repo.threads[2]
    assert isinstance(pull, Pull)
    for gate in ("testing", "submit"):
        for who, verb in (("grace", "approve"), ("omar", "gate")):
            text = f"/{verb} {gate} {pull.head[:12]}"
            yield lambda who=who, text=text: world.comments(who, pull, text)  # type: ignore[misc]  # one per turn


def opens(world: World, repo: Repository) -> None:
    world.branches("ada", repo, BRANCH)
    world.pushes("ada", repo, BRANCH)
    pull = world.opens_pull("ada", repo, "Retry uploads", head=BRANCH, body="Closes #1")
    world.check_run("actions", pull, "build")


def seen(repo: Repository) -> dict[str, object]:
    """Everything people see, without the times: over HTTP writes are a second apart."""
    threads: list[Thread] = list(repo.threads.values())
    return {
        "comments": [[_timeless(one.body) for one in thread.comments] for thread in threads],
        "reactions": [[[r.content for r in one.reactions] for one in thread.comments] for thread in threads],
        "labels": [[label.name for label in thread.labels] for thread in threads],
        "checks": [(run.name, run.conclusion, run.title, _timeless(run.summary or "")) for run in repo.runs],
        "branches": dict(repo.branches),
        "open": [thread.open for thread in threads],
    }


def _timeless(text: str) -> str:
    timeless = re.sub(r"\d\d:\d\d(:\d\d)? UTC|\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)", "then", text)
    # The hidden line of a status comment names the version and its path, which are chance (see `_stored`), and seals them.
    versionless = re.sub(r"(<!-- signalbox:written:[^>]*):v\d+[:0-9a-z]* -->", r"\1 -->", timeless)
    return re.sub(r"issuecomment-\d+|comment:issue:\d+|(?<=actions/runs/)\d+", "somewhere", versionless)


def _stored(record: Record) -> object:
    """Without its version: whether the news of our own merge is heard before or after the look at it is chance."""
    return json.loads(_timeless(record.model_dump_json(exclude={"version"})))


async def test_over_the_port_and_over_http_the_golden_path_ends_the_same(town: Town) -> None:
    stage = Stage(World(START))
    repo = stage.world.repository("octo/app", members=dict(PEOPLE))
    stage.world.requires(repo, "build")
    for act in acts(stage.world, repo):
        act()
        stage.settles()
    stage.later(10)

    for act in acts(town.world, town.repo):
        act()
        await town.settles()
    await town.later(seconds=10)
    for thread in town.repo.threads.values():
        for comment in town.unread(thread):
            town.reads(comment)

    over_http = await town.store.read(lambda tx: tx.records.load(stage.record("octo/app", 1).key))
    assert over_http is not None
    assert seen(town.repo) == seen(repo)
    assert _stored(over_http.record) == _stored(stage.record("octo/app", 1))
