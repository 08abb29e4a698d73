"""Several processes on one PostgreSQL database: what people see is what one process would have done."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.simulator import webhooks
from bot.simulator.verbs.merging import MergeCall
from tests.kit import postgresql
from tests.kit.change import begun
from tests.kit.replicas import Replicas
from tests.kit.town import SECRET
from tests.simulation.effort import PROOF

pytestmark = pytest.mark.anyio

ROUNDS = 200 if PROOF else 3
ALONE, TWO = (pytest.mark.parametrize("number", [number]) for number in (1, 2))


@pytest.fixture
def number() -> int:
    """Of processes."""
    return 3


@pytest.fixture
async def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> AsyncIterator[Replicas]:
    monkeypatch.chdir(tmp_path)
    server = postgresql.server()
    here = Replicas(tmp_path, url=server.url(server.washed()), number=number)
    yield here
    await here.closes()


async def test_one_labelled_issue_goes_to_a_confirmed_merge(town: Replicas) -> None:
    change = await begun(town, "almost")

    await change.merges()

    assert town.merges() == ["c1 by signalbox[bot]"]
    assert (change.phase, change.check) == ("done", "success · done: merged as m1")
    assert town.asked("merge", "merge_async") == 1


@TWO
async def test_one_that_is_killed_before_its_request_leaves_is_never_repeated_by_the_others(town: Replicas) -> None:
    change = await begun(town, "almost")
    town.kills_before("/merge-async")

    await change.on_pull("omar", f"/gate submit {change.head}")
    assert await change.merge_state() == "requested"
    await town.later(minutes=30, stride=200)

    assert (await change.merge_state(), town.merges()) == ("ambiguous", [])
    assert (town.asked("merge", "merge_async"), len(change.notices())) == (0, 1)


@TWO
async def test_one_that_is_killed_after_its_merge_landed_leaves_it_to_be_found(town: Replicas) -> None:
    change = await begun(town, "almost")
    call = MergeCall(change.pull.head, "squash", "Retry uploads (#2)")
    town.kills_before("/merge-async", lambda: town.world.merge(town.world.bot, change.pull, call))

    await change.on_pull("omar", f"/gate submit {change.head}")
    await town.later(minutes=3, stride=30)

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])
    assert (town.asked("merge", "merge_async"), change.notices()) == (0, [])


@ALONE
async def test_a_stop_that_comes_while_the_request_is_decided_is_not_overtaken(town: Replicas) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    town.just_before("/check-runs", lambda: town.world.comments("omar", change.pull, "/hold"))

    await town.later(seconds=30)

    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 0)
    assert change.waits.startswith("Held by `omar`")


async def test_what_arrives_twenty_times_at_three_doors_is_decided_and_answered_once(town: Replicas) -> None:
    """threats.md, T2."""
    change = await begun(town, "testing")
    before = len((await town.api(f"{change.repo_path}/history"))["items"])
    said = await change.on_pull("grace", "/approve testing c1", heard=False)

    assert set(await town.delivers_each(20, fresh_guids=True)) == {202}
    await town.settles()

    assert len((await town.api(f"{change.repo_path}/history"))["items"]) == before + 1
    assert (change.reaction(said), len(change.notices())) == ("+1", 1)


APPROVED, OPENED = ("review", "grace", "testing"), ("operator", "omar", "testing")


@TWO
@pytest.mark.parametrize(
    ("words", "counts"),
    [
        ((("grace", "/approve testing"), ("grace", "/revoke testing")), set()),
        ((("grace", "/approve testing"), ("omar", "/gate testing")), {APPROVED, OPENED}),
    ],
    ids=["approved and revoked", "approved and opened"],
)
async def test_i14_whatever_order_two_doors_are_told_in_and_however_often_the_authority_is_the_same(
    town: Replicas, words: tuple[tuple[str, str], ...], counts: set[tuple[str, str, str]]
) -> None:
    """All of it comes twice and at once, so in any order. On SQLite: `simulation/test_any_order.py`."""
    change = await begun(town, "testing")
    for who, said in words:
        await change.on_pull(who, f"{said} {change.head}", heard=False)
    town.world.hooks.reversed = True

    assert set(await town.delivers_each(2, fresh_guids=True)) == {202}
    town.world.hooks.reversed = False
    await town.settles()

    given = [one for one in (await change.record())["decisions"] if one["counts"]]
    assert {(one["kind"], one["by"]["login"], one["gate"]) for one in given} == {("plan", "grace", "plan"), *counts}
    change.notices()


@TWO
async def test_an_approval_that_races_with_a_push_never_counts_for_what_was_pushed(town: Replicas) -> None:
    """The one or the other comes first, at this process or that one."""
    change = await begun(town, "testing")
    for _ in range(ROUNDS):
        await change.on_pull("grace", f"/approve testing {change.head}", heard=False)
        await change.pushes(heard=False)
        await town.delivers_each(1)
        await town.settles()

        assert (change.phase, change.row("Review").startswith("✅")) == ("testing", False)
        for comment in town.unread(change.pull):
            town.reads(comment)
    assert town.merges() == []


@TWO
async def test_two_changes_that_are_ready_at_once_merge_one_after_the_other(town: Replicas) -> None:
    one, other = await begun(town, "almost"), await begun(town, "almost", "Faster parser")
    for change in (one, other):
        await change.on_pull("omar", f"/gate submit {change.head}", heard=False)

    await town.later(minutes=2, stride=40)

    assert sorted(town.merges()) == ["c1 by signalbox[bot]", "c2 by signalbox[bot]"]
    assert town.asked("merge", "merge_async") == 2


@TWO
async def test_one_that_is_stopped_in_the_middle_gives_its_delivery_to_the_other(town: Replicas) -> None:
    stops, goes_on = town.members
    change = await begun(town, "planning")
    at_it = asyncio.Event()

    async def hangs() -> None:
        at_it.set()
        await asyncio.Event().wait()

    stops.road.before["/permission"] = hangs
    await change.on_issue("ada", "/plan\nRetry three times.", heard=False)
    await webhooks.deliver(town.world, SECRET, town.post)
    under_way = asyncio.ensure_future(stops.steps["inbox"]())
    await at_it.wait()
    assert not await goes_on.steps["inbox"]()
    under_way.cancel()
    await asyncio.gather(under_way, return_exceptions=True)

    await stops.inbox.ends()

    assert await goes_on.steps["inbox"]()
    stops.dead = True
    await town.settles()
    assert change.phase == "plan_ready"


@TWO
async def test_a_process_that_starts_takes_nothing_from_one_that_is_at_work(town: Replicas) -> None:
    at_work, starts = town.members
    until = town.host.now() + timedelta(minutes=1)
    await at_work.store.run(lambda tx: tx.leases.take("publish:1#1", "bot-0/1", until))

    await starts.bot.start()

    assert await starts.store.read(lambda tx: tx.leases.holder("publish:1#1")) == "bot-0/1"
    await starts.bot.admin.stop()


@TWO
@pytest.mark.parametrize("hours", [2, -2])
async def test_one_whose_clock_is_set_takes_nothing_from_the_other(town: Replicas, hours: int) -> None:
    """threats.md, T27. The clock of the database decides who holds what."""
    set_wrong, right = town.members
    change = await begun(town, "almost")
    set_wrong.host.off = timedelta(hours=hours)
    await change.on_pull("omar", f"/gate submit {change.head}", heard=False)
    await town.later(seconds=40, stride=20)

    assert (town.merges(), town.asked("merge", "merge_async")) == (["c1 by signalbox[bot]"], 1)
    assert (change.phase, right.dead) == ("done", False)
    # On a busy machine the sender's lease may end in the world's time: a person is told, and it settles by itself.
    change.notices()
