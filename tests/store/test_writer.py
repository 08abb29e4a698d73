"""What only the writer thread can get wrong."""

import asyncio
import random
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.ports.store import CommitUnknown, StoreUnavailable, Tx, VersionConflict
from bot.store import connections, schema
from bot.store.sqlite import SqliteStore
from bot.store.verify import findings
from tests.store.faulty import Faults
from tests.store.kit import KEY, HandClock, after, delivery, received, row, saved


class Scene:
    """A store with a connection that can be made to fail."""

    def __init__(self, path: Path, clock: HandClock) -> None:
        self.path = str(path / "signalbox.db")
        self.clock = clock
        self.faults = Faults()
        connection = connections.writing(self.path)
        schema.create(connection)
        connection.close()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[SqliteStore]:
        store = SqliteStore(self.path, self.clock, connect=self.faults.connect)
        try:
            yield store
        finally:
            await store.close()


@pytest.fixture
def scene(tmp_path: Path, clock: HandClock) -> Scene:
    return Scene(tmp_path, clock)


def holding(held: threading.Event, gate: threading.Event) -> Callable[[Tx], None]:
    """A closure that keeps the writer busy until the gate opens, so that what comes after waits together."""

    def work(tx: Tx) -> None:
        held.set()
        assert gate.wait(30)

    return work


async def together(store: SqliteStore, *runs: Coroutine[Any, Any, Any]) -> list[Any]:
    """Run them as one group: they queue up behind a closure that holds the writer."""
    held, gate = threading.Event(), threading.Event()
    first = asyncio.create_task(store.run(holding(held, gate)))
    await asyncio.get_running_loop().run_in_executor(None, held.wait, 30)
    tasks = [asyncio.create_task(run) for run in runs]
    await asyncio.sleep(0)
    gate.set()
    await first
    return await asyncio.gather(*tasks, return_exceptions=True)


def explode(tx: Tx) -> None:
    tx.deliveries.add(delivery("never"))
    raise RuntimeError("boom")


async def backlog(store: SqliteStore) -> int:
    return await store.read(lambda tx: tx.deliveries.backlog())


def test_a_failing_closure_does_not_hurt_its_neighbours(scene: Scene) -> None:
    async def story() -> None:
        async with scene.open() as store:
            found = await together(
                store,
                store.run(received(delivery("a"))),
                store.run(explode),
                store.run(received(delivery("b"))),
            )

            assert [found[0], repr(found[1]), found[2]] == ["accepted", "RuntimeError('boom')", "accepted"]
            assert await backlog(store) == 2
            assert store.healthy

    asyncio.run(story())


def test_waiting_closures_share_one_commit_and_intake_goes_first(scene: Scene) -> None:
    async def story() -> None:
        order: list[str] = []

        def noting(name: str) -> Callable[[Tx], None]:
            return lambda _: order.append(name)

        async with scene.open() as store:
            await store.run(lambda _: None)
            commits = scene.faults.commits
            await together(store, store.run(noting("work")), store.run(noting("intake"), first=True))

            assert order == ["intake", "work"]
            assert scene.faults.commits == commits + 2  # the one that held the writer, and the group

    asyncio.run(story())


def test_a_long_group_is_cut_and_nobody_is_forgotten(scene: Scene) -> None:
    async def story() -> None:
        order: list[int] = []

        def slow(number: int) -> Callable[[Tx], None]:
            def work(tx: Tx) -> None:
                scene.clock.turn(0.015)
                order.append(number)

            return work

        async with scene.open() as store:
            commits = scene.faults.commits
            await together(store, *(store.run(slow(number)) for number in range(6)))

            assert order == [0, 1, 2, 3, 4, 5]
            assert scene.faults.commits == commits + 1 + 3  # two closures of 15 ms fill 20 ms

    asyncio.run(story())


def test_i12_twenty_writers_race_and_one_wins_each_version(scene: Scene) -> None:

    async def story() -> None:
        async with scene.open() as store:
            await store.run(saved())

            async def writer(name: int) -> int:
                wins = 0
                while True:
                    loaded = await store.read(lambda tx: tx.records.load(KEY))
                    assert loaded is not None
                    version = loaded.record.version
                    if version >= 21:
                        return wins
                    wins += await attempt(store, name, version)

            wins = await asyncio.gather(*(writer(name) for name in range(20)))

            assert sum(wins) == 20
            assert await store.read(lambda tx: findings(tx, KEY)) == []
            history = await store.read(lambda tx: tx.records.history(KEY))
            assert [found.version for found in history] == list(range(1, 22))

    asyncio.run(story())


async def attempt(store: SqliteStore, name: int, version: int) -> int:
    try:
        await store.run(lambda tx: tx.records.replace(KEY, version, [row(version + 1, title=f"by {name}")]))
    except VersionConflict:
        return 0
    return 1


def test_a_result_is_handed_out_only_after_its_commit(scene: Scene) -> None:
    async def story() -> None:
        async with scene.open() as store:
            looking = sqlite3.connect(scene.path)

            async def add(number: int) -> int:
                await store.run(received(delivery(f"g{number}")))
                return int(
                    looking.execute("SELECT count(*) FROM deliveries WHERE guid = ?", (f"g{number}",)).fetchone()[0]
                )

            assert await asyncio.gather(*(add(number) for number in range(200))) == [1] * 200
            looking.close()

    asyncio.run(story())


def test_a_cancelled_callers_transaction_still_commits(scene: Scene) -> None:
    async def story() -> None:
        async with scene.open() as store:

            async def cancelled() -> None:
                task = asyncio.create_task(store.run(received(delivery("a"))))
                await asyncio.sleep(0)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task

            found = await together(store, cancelled(), store.run(received(delivery("b"))))

            assert found == [None, "accepted"]
            assert await backlog(store) == 2

    asyncio.run(story())


def test_closing_commits_what_waits_and_then_refuses(scene: Scene) -> None:
    async def story() -> None:
        async with scene.open() as store:
            tasks = [asyncio.create_task(store.run(received(delivery(f"g{number}")))) for number in range(300)]
            await asyncio.sleep(0)
            await store.close()

            assert [await task for task in tasks] == ["accepted"] * 300
            assert not store.healthy
            with pytest.raises(StoreUnavailable, match="closed"):
                await store.run(lambda _: None)

    asyncio.run(story())


def test_a_caller_whose_loop_is_gone_stops_nobody(scene: Scene) -> None:
    async def story() -> None:
        async with scene.open() as store:
            held, gate = threading.Event(), threading.Event()

            async def leave() -> None:
                task = asyncio.create_task(store.run(holding(held, gate)))
                await asyncio.sleep(0)
                task.cancel()

            await asyncio.get_running_loop().run_in_executor(None, asyncio.run, leave())
            gate.set()

            assert await store.run(received(delivery("a"))) == "accepted"

    asyncio.run(story())


@pytest.mark.parametrize("error", [StopIteration(), KeyboardInterrupt(), SystemExit(3)])
def test_whatever_a_closure_raises_reaches_its_caller_only(scene: Scene, error: BaseException) -> None:
    def raising(tx: Tx) -> None:
        raise error

    async def caller(store: SqliteStore) -> str:
        try:
            await store.run(raising)
        except BaseException as caught:  # noqa: BLE001 - it must not end the loop of the test
            return type(caught).__name__
        return "nothing"

    async def story() -> None:
        async with scene.open() as store:
            expected = "RuntimeError" if isinstance(error, StopIteration) else type(error).__name__
            assert await caller(store) == expected
            assert await store.run(received(delivery("a"))) == "accepted"

    asyncio.run(story())


def test_a_full_disk_acknowledges_nothing_and_heals(scene: Scene) -> None:
    async def story() -> None:
        async with scene.open() as store:
            await store.run(received(delivery("before")))
            scene.faults.limit(5)

            found = await together(
                store,
                store.run(received(delivery("huge", body=scramble(10**6)))),
                store.run(received(delivery("small"))),
            )

            assert isinstance(found[0], StoreUnavailable)
            assert found[1] == "accepted"
            assert await backlog(store) == 2
            assert store.trouble == "database or disk is full"

            scene.faults.limit(0)
            assert await store.run(received(delivery("huge", body=scramble(10**6)))) == "accepted"
            assert store.healthy
            assert await backlog(store) == 3

    asyncio.run(story())


def scramble(size: int) -> bytes:
    """Bytes that do not compress."""
    return random.Random(size).randbytes(size)


def test_a_full_disk_takes_each_row_or_refuses_it_to_the_last_page(scene: Scene) -> None:
    async def story() -> None:
        async with scene.open() as store:
            scene.faults.limit(40)

            async def add(number: int) -> bool:
                try:
                    await store.run(received(delivery(f"g{number}", body=scramble(9000 + number))))
                except StoreUnavailable:
                    return False
                return True

            kept = await asyncio.gather(*(add(number) for number in range(100)))

            assert 0 < sum(kept) < 100
            assert await backlog(store) == sum(kept)

    asyncio.run(story())


def throws_everything_away(tx: Tx) -> None:
    """Ends the whole transaction, as some input/output errors do, and then fails."""
    tx.deliveries.add(delivery("never"))
    raw: sqlite3.Connection = tx.deliveries._sql.connection  # type: ignore[attr-defined]  # a closure cannot do this
    raw.execute("ROLLBACK")
    raise sqlite3.OperationalError("disk I/O error")


def test_a_group_that_was_thrown_away_runs_again_one_by_one(scene: Scene) -> None:
    async def story() -> None:
        async with scene.open() as store:
            found = await together(
                store,
                store.run(received(delivery("a"))),
                store.run(throws_everything_away),
                store.run(received(delivery("b"))),
            )

            assert [found[0], found[2]] == ["accepted", "accepted"]
            assert isinstance(found[1], StoreUnavailable)
            assert await backlog(store) == 2

    asyncio.run(story())


def test_a_commit_that_failed_fails_its_whole_group(scene: Scene) -> None:
    async def story() -> None:
        async with scene.open() as store:
            scene.faults.fail("COMMIT", skip=1)

            found = await together(store, store.run(received(delivery("a"))), store.run(received(delivery("b"))))

            assert [type(one) for one in found] == [StoreUnavailable] * 2
            assert await backlog(store) == 0
            assert not store.healthy
            assert await store.run(received(delivery("a"))) == "accepted"
            assert store.healthy

    asyncio.run(story())


def test_a_commit_whose_answer_was_lost_is_found_again(scene: Scene) -> None:
    async def story() -> None:
        async with scene.open() as store:
            scene.faults.fail("COMMIT", skip=1, late=True)

            found = await together(store, store.run(received(delivery("a"))), store.run(explode))

            assert found[0] == "accepted"
            assert repr(found[1]) == "RuntimeError('boom')"
            assert await backlog(store) == 1
            assert store.healthy

    asyncio.run(story())


def test_a_commit_that_cannot_be_looked_up_is_unknown(scene: Scene) -> None:
    async def story() -> None:
        async with scene.open() as store:
            scene.faults.fail("COMMIT", late=True, then="connect")

            with pytest.raises(CommitUnknown):
                await store.run(received(delivery("a")))

            assert not store.healthy
            assert await store.run(received(delivery("a"))) == "duplicate"
            assert store.healthy

    asyncio.run(story())


@pytest.mark.parametrize(
    ("statement", "skip"), [("BEGIN", 1), ("SAVEPOINT", 1), ("RELEASE", 1), ("ROLLBACK TO", 0), ("INSERT INTO meta", 1)]
)
def test_trouble_at_any_statement_stores_nothing_and_passes(scene: Scene, statement: str, skip: int) -> None:
    async def story() -> None:
        async with scene.open() as store:
            scene.faults.fail(statement, skip=skip)

            found = await together(store, store.run(received(delivery("a"))), store.run(explode))

            assert [type(one) for one in found] == [StoreUnavailable] * 2
            assert await backlog(store) == 0
            assert await store.run(received(delivery("a"))) == "accepted"

    asyncio.run(story())


def test_a_checkpoint_that_fails_loses_nothing(scene: Scene) -> None:
    async def story() -> None:
        async with scene.open() as store:
            scene.faults.fail("PRAGMA wal_checkpoint", times=10)
            for number in range(40):
                await store.run(received(delivery(f"g{number}")))

            assert await backlog(store) == 40

    asyncio.run(story())


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_writer_that_dies_tells_everybody(scene: Scene) -> None:
    async def story() -> None:
        async with scene.open() as store:
            scene.faults.error = lambda: RuntimeError("a bug")
            scene.faults.fail("PRAGMA wal_checkpoint")
            while store.healthy:
                try:
                    await store.run(lambda _: None)
                except StoreUnavailable as error:
                    assert "a bug" in str(error) or "closed" in str(error)  # noqa: PT017 - which one is a race

            await asyncio.get_running_loop().run_in_executor(None, store._thread.join)
            assert store.trouble == "the writer stopped: RuntimeError('a bug')"
            with pytest.raises(StoreUnavailable):
                await store.run(lambda _: None)

    asyncio.run(story())


def test_reading_sees_one_snapshot_while_others_write(scene: Scene) -> None:
    async def story() -> None:
        async with scene.open() as store:
            reading, written = threading.Event(), threading.Event()

            def twice(tx: Tx) -> tuple[int, int]:
                before = tx.deliveries.backlog()
                reading.set()
                assert written.wait(30)
                return before, tx.deliveries.backlog()

            task = asyncio.create_task(store.read(twice))
            await asyncio.get_running_loop().run_in_executor(None, reading.wait, 30)
            await store.run(received(delivery("a")))
            written.set()

            assert await task == (0, 0)
            assert await backlog(store) == 1

    asyncio.run(story())


def test_a_database_keeps_its_name(scene: Scene) -> None:
    async def story() -> tuple[str, str]:
        async with scene.open() as store:
            first = store.instance_id
        async with scene.open() as store:
            return first, store.instance_id

    first, second = asyncio.run(story())
    assert first == second
    assert len(first) == 32


def test_the_time_is_the_clocks(scene: Scene) -> None:
    async def story() -> None:
        async with scene.open() as store:
            scene.clock.turn(7)
            assert await store.run(lambda tx: tx.now()) == after(7)

    asyncio.run(story())
