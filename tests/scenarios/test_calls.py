"""What one governed change costs at GitHub: every call, printed, counted, and never more than now."""

import pytest

from tests.kit.change import begun
from tests.kit.policy_files import LEAN, lays_down
from tests.kit.town import Made, Town

pytestmark = pytest.mark.anyio

#: A clean strict lifecycle: label, plan, approval, pull request, two gates of two seats, merge. Measured, not wished for:
#: whoever lowers a number lowers it here; nobody raises one without a reason in the changelog.
MOST_READS = 60
MOST_WRITES = 62
#: A clean lean one, with its own policy file.
MOST_LEAN_READS = 53
#: Signing in: one installation token serves a whole hour.
MOST_TOKENS = 1
#: What a finished change costs for the rest of its life.
MOST_AFTERWARDS = 0
#: What polling its repository costs in an hour in which nothing happens: each list once for each token, then 304.
MOST_POLLS = 5


def kind(made: Made) -> str:
    if made.request.operation == "token":
        return "token"
    return "read" if made.request.reads else "write"


async def test_a_clean_lifecycle_costs_no_more_calls_than_now(town: Town) -> None:
    """known-faults.md, row 120."""
    change = await begun(town, "almost")
    await change.merges()
    assert change.phase == "done"

    for number, made in enumerate(town.calls, 1):
        request = made.request
        print(f"{number:3} {kind(made):5} {made.by:9} {request.method:6} {request.path} ({request.operation})")
    kinds = [kind(made) for made in town.calls]
    costs = {one: kinds.count(one) for one in ("read", "write", "token")}
    print(costs)

    assert len(town.calls) == len(town.world.requests)
    assert costs["read"] <= MOST_READS
    assert costs["write"] <= MOST_WRITES
    assert costs["token"] <= MOST_TOKENS


async def test_only_one_call_asks_for_the_merge(town: Town) -> None:
    change = await begun(town, "almost")
    await change.merges()

    assert [made.by for made in town.calls if made.request.method == "PUT"] == ["merger"]


async def test_a_change_that_waits_for_people_costs_nothing_but_the_sweep(town: Town) -> None:
    await begun(town, "testing")
    before = len(town.calls)

    await town.later(minutes=4, stride=20)

    assert [made.request.path for made in town.calls[before:]] == []


async def test_a_finished_change_costs_nothing_for_ever(town: Town) -> None:
    change = await begun(town, "almost")
    await change.merges()
    before = len(town.calls)

    await town.later(minutes=60, stride=60)

    afterwards = town.calls[before:]
    assert len([one for one in afterwards if one.by != "sweep"]) <= MOST_AFTERWARDS
    polled = [one.request for one in afterwards if one.by == "sweep" and one.request.status != 304]
    of_the_app = {"installations", "installation_repositories", "hook_deliveries", "token"}
    assert len([one for one in polled if one.operation not in of_the_app]) <= MOST_POLLS


async def test_a_clean_lean_lifecycle_costs_no_more_calls_than_now(town: Town) -> None:
    """By rules that need a plan, one review and one operator."""
    await lays_down(town, LEAN)
    before = len(town.calls)
    change = await begun(town, "building")
    await change.opens_pull()
    await change.on_pull("grace", f"/approve submit {change.head}")
    change.notices()
    await change.merges()
    assert change.phase == "done"

    for number, made in enumerate(town.calls[before:], 1):
        request = made.request
        print(f"{number:3} {kind(made):5} {made.by:9} {request.method:6} {request.path} ({request.operation})")
    kinds = [kind(made) for made in town.calls[before:]]
    print({one: kinds.count(one) for one in ("read", "write", "token")})
    assert kinds.count("read") <= MOST_LEAN_READS
