"""The judge of a soak sees what is wrong: each fault is made on a simulated GitHub, without any bot."""

from datetime import UTC, datetime

import pytest

from bot.simulator.edge import Request
from bot.simulator.model.threads import Pull
from bot.simulator.verbs.merging import MergeCall
from bot.simulator.world import World
from tests.soak.judge import DEMANDED, faults


@pytest.fixture
def world() -> World:
    return World(datetime(2026, 11, 30, 9, 0, tzinfo=UTC))


@pytest.fixture
def pull(world: World) -> Pull:
    repository = world.repository("octo/app", members={"ada": "write", "grace": "write", "omar": "maintain"})
    world.pushes("ada", repository, "change")
    return world.opens_pull("ada", repository, "A change", head="change")


def approve(world: World, pull: Pull, *, without: str = "") -> None:
    for who, words in DEMANDED:
        if words != without:
            world.comments(who, pull, f"{words} {pull.head[:12]}")


def found(world: World) -> list[str]:
    for delivery in world.hooks.take():
        delivery.status_code = 202
    return list(faults(world))


def merge(world: World, pull: Pull) -> None:
    world.merge(world.bot, pull, MergeCall(pull.head, "squash", "A change"))


def test_an_approved_merge_is_nothing_to_speak_of(world: World, pull: Pull) -> None:
    approve(world, pull)
    merge(world, pull)

    assert found(world) == []


@pytest.mark.parametrize("words", [words for _, words in DEMANDED])
def test_a_merge_without_one_of_its_words_is_found(world: World, pull: Pull, words: str) -> None:
    approve(world, pull, without=words)
    merge(world, pull)

    assert [f"never said {words}" in one for one in found(world)] == [True]


def test_words_about_another_head_do_not_count(world: World, pull: Pull) -> None:
    approve(world, pull)
    world.pushes("ada", pull)
    merge(world, pull)

    assert len(found(world)) == len(DEMANDED)


def test_a_comment_of_ours_that_stands_twice_is_found(world: World, pull: Pull) -> None:
    for _ in range(2):
        world.comments(world.bot, pull, "Waiting.\n<!-- signalbox:status:1 -->").app = world.app

    assert found(world) == [f"app#{pull.number} has 2 comments with ('<!-- signalbox:status:1',)"]


@pytest.mark.parametrize(("statuses", "is_told"), [((200, None), True), ((202, 202), True), ((405, 200), False)])
def test_a_second_request_is_found_unless_github_refused_the_first(
    world: World, pull: Pull, statuses: tuple[int | None, ...], is_told: bool
) -> None:
    path = f"/repos/octo/app/pulls/{pull.number}/merge-async"
    world.requests.extend(Request("merge_async", "PUT", path, world.clock.now(), status=one) for one in statuses)

    assert [f"{path} was asked for 2 times, settled as unmerged 0 times"] * is_told == found(world)


def test_a_second_request_after_a_person_settled_the_first_is_allowed(world: World, pull: Pull) -> None:
    path = f"/repos/octo/app/pulls/{pull.number}/merge"
    world.requests.extend(Request("merge", "PUT", path, world.clock.now()) for _ in range(2))
    world.comments("omar", pull, "/settle unmerged The request never arrived.")

    assert found(world) == []


def test_a_delivery_that_nobody_took_is_found(world: World, pull: Pull) -> None:
    for delivery in world.hooks.take():
        delivery.status_code = 502

    assert "never reached the bot" in next(iter(faults(world)))
