"""GitHub promises no order and no single delivery: whatever comes first, twice or under another number, the authority that
people gave is the same (LIFECYCLE.md 9, I14)."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

import pytest

from bot.domain.gates.gate import GATES, counting
from bot.github.inbound.routing import routing
from bot.simulator.hooks import HookDelivery
from tests.kit.stage import Stage, run
from tests.simulation.effort import PROOF
from tests.simulation.golden import Golden

#: The acts of the golden path after which the plan is on show, and after which testing is.
PLANNED, TESTED = 2, 5
Story = tuple[int, Callable[[Golden], object]]
Given = set[tuple[str, str, str]]


def on_pull(golden: Golden, *words: tuple[str, str]) -> None:
    for who, text in words:
        golden.says(who, golden.pull, text.replace("{head}", golden.pull.head[:12]))


def on_plan(golden: Golden, *words: tuple[str, str]) -> None:
    for who, text in words:
        golden.says(who, golden.issue, text)


def reviewed_and_dismissed(golden: Golden) -> None:
    golden.stage.world.clock.advance(3)
    review = golden.stage.world.reviews("grace", golden.pull, "APPROVED")
    golden.stage.world.clock.advance(3)
    golden.stage.world.dismisses_review("omar", review)


def judged_and_pushed(golden: Golden) -> None:
    on_pull(golden, ("grace", "/approve testing {head}"))
    golden.stage.world.pushes("ada", golden.pull)


APPROVE, GATE = ("grace", "/approve testing {head}"), ("omar", "/gate testing {head}")
STORIES: dict[str, Story] = {
    "approved and opened": (TESTED, lambda golden: on_pull(golden, APPROVE, GATE)),
    "approved and revoked": (TESTED, lambda golden: on_pull(golden, APPROVE, ("grace", "/revoke"))),
    "opened and revoked": (TESTED, lambda golden: on_pull(golden, GATE, ("omar", "/revoke"))),
    "approved and rejected": (TESTED, lambda golden: on_pull(golden, APPROVE, ("omar", "/reject It leaks."))),
    "a review, dismissed": (TESTED, reviewed_and_dismissed),
    "approved, then pushed": (TESTED, judged_and_pushed),
    "a plan approved and revoked": (PLANNED, lambda g: on_plan(g, ("grace", "/approve r1"), ("grace", "/revoke"))),
}


def told(story: Story) -> tuple[Golden, list[HookDelivery]]:
    """People have done all of it, and the bot has heard nothing yet."""
    golden = Golden(Stage())
    for act in golden.acts[: story[0]]:
        act()
        golden.rest()
    story[1](golden)
    return golden, golden.stage.world.hooks.take()


def hears(golden: Golden, deliveries: list[HookDelivery]) -> Given:
    for one in deliveries:
        run(golden.stage.intake.accept(one.guid, one.event, one.body, routing(one.body)))
        one.status_code = 202
        golden.stage.settles()
    golden.rest()
    record = golden.stage.record("octo/app", golden.issue.number)
    return {(gate, one.kind, one.by.login) for gate in GATES for one in counting(record, gate)}


def orders(count: int) -> list[tuple[int, ...]]:
    """All but the one in which it happened; of many, without PROOF, the one the other way round."""
    every = list(permutations(range(count)))[1:]
    return every if PROOF or count < 3 else every[-1:]


@pytest.mark.parametrize("name", STORIES)
def test_i14_in_whatever_order_and_however_often_it_is_delivered_the_authority_is_the_same(name: str) -> None:
    golden, deliveries = told(STORIES[name])
    expected = hears(golden, deliveries)
    for order in orders(len(deliveries)):
        golden, deliveries = told(STORIES[name])
        mixed = [deliveries[place] for place in order]
        again = [replace(one, guid=f"again-{one.guid}") for one in mixed]
        assert hears(golden, [*mixed, *mixed, *again]) == expected, f"{name}: delivered as {order}"
    assert golden.stage.world.landed == []
