"""What one process leaves to the next: nothing when it stops in order, what it held when it was killed."""

import asyncio
from pathlib import Path

from bot.store import engine
from tests.store.kit import HandClock, Kept, after, delivery


def test_a_store_that_was_read_leaves_nothing_beside_the_database(tmp_path: Path, clock: HandClock) -> None:
    async def lives() -> None:
        store = engine.open(f"sqlite:///{tmp_path}/signalbox.db", clock)
        await store.run(lambda tx: tx.deliveries.add(delivery("guid-1")))
        await store.read(lambda tx: tx.deliveries.backlog())
        await store.close()

    asyncio.run(lives())

    assert not list(tmp_path.glob("*-wal"))


def test_holds_of_a_process_that_is_gone_end_at_the_next_start(kept: Kept) -> None:
    kept(lambda tx: tx.leases.take("publish:1#12", "dead", after(60)))
    kept(lambda tx: tx.leases.take("merge:1#12", "dead", after(60)))

    assert sorted(kept(lambda tx: tx.leases.end_abandoned())) == ["merge:1#12", "publish:1#12"]
    assert kept(lambda tx: tx.leases.take("publish:1#12", "alive", after(60)))


def test_holds_without_an_end_belong_to_a_record_and_outlive_every_process(kept: Kept) -> None:
    kept(lambda tx: tx.leases.take("base:1:main", "1#12", None))

    assert kept(lambda tx: tx.leases.end_abandoned()) == []
    assert kept(lambda tx: tx.leases.holder("base:1:main")) == "1#12"
