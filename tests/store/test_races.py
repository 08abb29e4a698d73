"""Several processes on one PostgreSQL database: each store here is one of them, with threads and connections of its own."""

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import count
from typing import Any, TypeVar

import pytest

from bot.domain.model.effects import Effect, React
from bot.ports.store import StoreUnavailable, Tx, VersionConflict
from bot.store.postgresql import connections
from bot.store.postgresql.store import PostgresqlStore
from bot.store.verify import findings
from tests.kit.postgresql import Server, opened
from tests.store.kit import KEY, REPO, HandClock, after, delivery, received, row, saved

T = TypeVar("T")
Run = Callable[[Callable[..., Coroutine[Any, Any, T]]], T]


def finished(guid: str) -> Callable[[Tx], None]:
    return lambda tx: tx.deliveries.finish(guid, "applied", None)


def replaced(version: int) -> Callable[[Tx], None]:
    return lambda tx: tx.records.replace(KEY, version, [row(version + 1)])


def taking(name: str, holder: str) -> Callable[[Tx], bool]:
    return lambda tx: tx.leases.take(name, holder, None)


def holding(name: str) -> Callable[[Tx], str | None]:
    return lambda tx: tx.leases.holder(name)


@pytest.fixture
def replicas(server: Server, database: str, clock: HandClock) -> Run[Any]:
    """Runs a story with three stores."""

    @asynccontextmanager
    async def three() -> AsyncIterator[list[PostgresqlStore]]:
        async with AsyncExitStack() as stack:
            stores = [opened(server, database, clock) for _ in range(3)]
            for store in stores:
                stack.push_async_callback(store.close)
            yield stores

    def run(story: Callable[..., Coroutine[Any, Any, Any]]) -> Any:
        async def whole() -> Any:
            async with three() as stores:
                return await story(*stores)

        return asyncio.run(whole())

    return run


def test_i19_a_delivery_that_comes_twenty_times_to_three_processes_is_stored_once(replicas: Run[Any]) -> None:
    async def story(*stores: PostgresqlStore) -> None:
        said = await asyncio.gather(*(stores[n % 3].run(received(delivery("g1")), first=True) for n in range(20)))

        assert Counter(said) == {"accepted": 1, "duplicate": 19}
        assert await stores[0].read(lambda tx: tx.deliveries.backlog()) == 1

    replicas(story)


def test_each_delivery_is_worked_on_by_one_process_and_those_of_a_lane_in_their_order(replicas: Run[Any]) -> None:
    async def story(*stores: PostgresqlStore) -> None:
        for number in range(24):
            await stores[0].run(received(delivery(f"g{number:02}", lane=number % 6)))
        worked: list[str] = []

        async def worker(store: PostgresqlStore, name: str) -> None:
            while (mine := await store.run(lambda tx: tx.deliveries.claim(name, after(60)))) or len(worked) < 24:
                if mine is not None:
                    worked.append(mine.guid)
                    await store.run(finished(mine.guid))

        await asyncio.gather(*(worker(store, f"w{n}") for n, store in enumerate((*stores, *stores))))

        assert sorted(worked) == [f"g{number:02}" for number in range(24)]
        for lane in range(6):
            mine = [guid for guid in worked if int(guid[1:]) % 6 == lane]
            assert mine == sorted(mine)

    replicas(story)


def test_i12_twelve_writers_of_three_processes_race_and_one_wins_each_version(replicas: Run[Any]) -> None:
    async def story(*stores: PostgresqlStore) -> None:
        await stores[0].run(saved())

        wins: list[int] = []

        async def writer(store: PostgresqlStore) -> None:
            while (version := len(await store.read(lambda tx: tx.records.history(KEY)))) < 13:
                with suppress(VersionConflict):
                    await store.run(replaced(version))
                    wins.append(version)

        await asyncio.gather(*(writer(store) for store in stores * 4))

        assert sorted(wins) == list(range(1, 13))
        assert await stores[2].read(lambda tx: findings(tx, KEY)) == []

    replicas(story)


def test_two_processes_want_one_base_and_one_gets_it(replicas: Run[Any]) -> None:
    async def story(*stores: PostgresqlStore) -> None:
        for name in (f"base:{number}" for number in range(10)):
            taken = await asyncio.gather(*(store.run(taking(name, f"r{n}")) for n, store in enumerate(stores)))

            assert sorted(taken) == [False, False, True]
            assert await stores[0].run(holding(name)) == f"r{taken.index(True)}"

    replicas(story)


def test_what_two_processes_decide_from_what_they_read_is_decided_by_one_of_them(replicas: Run[Any]) -> None:
    """Each reads both locks and takes another one: alone each would be right, and one of them saw what is no longer true."""

    def first_of_all(name: str, all_have_read: threading.Barrier) -> Callable[[Tx], bool]:
        runs = count(1)

        def work(tx: Tx) -> bool:
            free = all(tx.leases.holder(f"base:{other}") is None for other in ("a", "b", "c"))
            if next(runs) == 1:
                all_have_read.wait(30)
            return free and tx.leases.take(f"base:{name}", name, None)

        return work

    async def story(*stores: PostgresqlStore) -> None:
        barrier = threading.Barrier(3)
        runs = (store.run(first_of_all(name, barrier)) for store, name in zip(stores, "abc", strict=True))

        taken = await asyncio.gather(*runs)

        assert sorted(taken) == [False, False, True]

    replicas(story)


def test_a_process_that_stalled_past_its_lease_may_no_longer_send(replicas: Run[Any], clock: HandClock) -> None:
    def plan(tx: Tx) -> bool:
        effect = Effect(kind="reaction", target="12", once="eyes:1", write=React(comment_id=7, content="eyes"))
        return tx.effects.plan(KEY, REPO, effect)

    def claim(tx: Tx) -> int:
        found = tx.effects.next(tx.now())
        assert found is not None
        tx.effects.set(found.id, "sent", None, after(60 + (tx.now() - after(0)).total_seconds()))
        return found.id

    async def story(stalled: PostgresqlStore, other: PostgresqlStore, _: PostgresqlStore) -> None:
        await stalled.run(plan)
        mine = await stalled.run(claim)
        assert await other.run(lambda tx: tx.effects.next(tx.now())) is None

        clock.turn(60)

        assert await other.run(claim) == mine
        assert await stalled.run(lambda tx: tx.effects.extend(mine, 1, after(300))) is False
        assert await other.run(lambda tx: tx.effects.extend(mine, 2, after(300))) is True

    replicas(story)


def test_a_transaction_that_stands_still_in_one_process_holds_up_another_record_in_none(replicas: Run[Any]) -> None:
    async def story(stalled: PostgresqlStore, other: PostgresqlStore, _: PostgresqlStore) -> None:
        await other.run(saved())
        held, gate = threading.Event(), threading.Event()

        def slow(tx: Tx) -> None:
            tx.records.replace(KEY, 1, [row(2)])
            held.set()
            assert gate.wait(30)

        waits = asyncio.create_task(stalled.run(slow))
        await asyncio.get_running_loop().run_in_executor(None, held.wait, 30)
        await other.run(saved(KEY._replace(issue=13)))
        assert await other.run(received(delivery("g1"))) == "accepted"
        gate.set()
        await waits

        assert await other.read(lambda tx: [one.version for one in tx.records.history(KEY)]) == [1, 2]

    replicas(story)


def test_a_process_that_stalls_inside_a_transaction_loses_it_and_the_others_go_on(
    replicas: Run[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    soon = tuple(bound.replace("'5s'", "'200ms'") for bound in connections.BOUNDS)
    monkeypatch.setattr(connections, "BOUNDS", soon)

    async def story(stalled: PostgresqlStore, other: PostgresqlStore, _: PostgresqlStore) -> None:
        held, gate = threading.Event(), threading.Event()

        def stalls(tx: Tx) -> None:
            tx.records.replace(KEY, 0, [row(1)])
            held.set()
            assert gate.wait(30)
            tx.records.load(KEY)  # it goes on as if nothing had happened

        waits = asyncio.create_task(stalled.run(stalls))
        await asyncio.get_running_loop().run_in_executor(None, held.wait, 30)
        await other.run(saved(feedback="mine"))
        gate.set()

        with pytest.raises(StoreUnavailable):
            await waits
        loaded = await stalled.read(lambda tx: tx.records.load(KEY))
        assert loaded is not None
        assert loaded.record.feedback == "mine"

    replicas(story)


def test_one_process_hears_at_once_that_another_one_rang_and_never_itself(replicas: Run[Any]) -> None:
    async def story(rings: PostgresqlStore, hears: PostgresqlStore, _: PostgresqlStore) -> None:
        loop = asyncio.get_running_loop()
        told: asyncio.Queue[str] = asyncio.Queue()

        def telling(name: str) -> Callable[[], None]:
            def tell() -> None:
                loop.call_soon_threadsafe(told.put_nowait, name)

            return tell

        rings.listen(telling("rings"))
        hears.listen(telling("hears"))
        async with asyncio.timeout(10):
            assert {await told.get(), await told.get()} == {"rings", "hears"}  # both look once they listen
            rings.ring()

            assert await told.get() == "hears"

        await rings.run(lambda tx: tx.now())
        assert told.empty()

    replicas(story)


def test_a_store_that_is_closed_says_so(replicas: Run[Any]) -> None:
    async def story(one: PostgresqlStore, *_: PostgresqlStore) -> None:
        await one.close()
        with pytest.raises(StoreUnavailable, match="closed"):
            await one.run(lambda tx: tx.now())

    replicas(story)
