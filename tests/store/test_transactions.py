"""What a transaction promises, whatever runs it; and crashes around COMMIT."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.ports.rows import Slot
from bot.ports.store import StoreUnavailable, Tx
from bot.store.inline import InlineStore
from bot.store.verify import findings
from tests.store.kit import KEY, REPO, HandClock, Kept, delivery, received, row, saved


def test_what_a_closure_raises_undoes_all_of_it(kept: Kept) -> None:
    def work(tx: Tx) -> None:
        tx.records.replace(KEY, 0, [row(1)])
        tx.slots.put(KEY, Slot(name="label"))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        kept.loop.run(kept.store.run(work))

    assert kept.read(lambda tx: (tx.records.load(KEY), tx.slots.of(KEY))) == (None, {})


@pytest.mark.parametrize(
    "write",
    [
        received(delivery("a")),
        saved(),
        lambda tx: tx.leases.take("base", "w1", None),
        lambda tx: tx.repositories.seen(REPO),
    ],
)
def test_writing_in_a_read_is_an_error(kept: Kept, write: Callable[[Tx], object]) -> None:
    with pytest.raises(RuntimeError, match="tried to write"):
        kept.read(write)

    assert kept(received(delivery("b"))) == "accepted"
    assert kept.read(lambda tx: tx.deliveries.backlog()) == 1


def test_a_read_that_raises_leaves_the_store_usable(kept: Kept) -> None:
    def work(tx: Tx) -> None:
        raise ZeroDivisionError

    for _ in range(9):
        with pytest.raises(ZeroDivisionError):
            kept.read(work)

    assert kept.read(lambda tx: tx.deliveries.backlog()) == 0


class Crash(BaseException):
    pass


def crash() -> None:
    raise Crash


def test_a_crash_before_commit_leaves_nothing(tmp_path: Path, clock: HandClock) -> None:
    store = InlineStore(str(tmp_path / "a.db"), clock)
    kept = Kept(store, clock)
    kept(saved())
    store.before_commit = crash

    with pytest.raises(Crash):
        kept.loop.run(store.run(lambda tx: tx.records.replace(KEY, 1, [row(2)])))

    kept.close()
    assert versions(tmp_path, clock) == [1]


def test_a_crash_after_commit_leaves_everything(tmp_path: Path, clock: HandClock) -> None:
    store = InlineStore(str(tmp_path / "a.db"), clock)
    kept = Kept(store, clock)
    kept(saved())
    store.after_commit = crash

    with pytest.raises(Crash):
        kept.loop.run(store.run(lambda tx: tx.records.replace(KEY, 1, [row(2)])))

    kept.close()
    assert versions(tmp_path, clock) == [1, 2]


def versions(folder: Path, clock: HandClock) -> list[int]:
    """What is found after a restart; the chain must be sound."""
    kept = Kept(InlineStore(str(folder / "a.db"), clock), clock)
    assert kept.read(lambda tx: findings(tx, KEY)) == []
    found = [one.version for one in kept.read(lambda tx: tx.records.history(KEY))]
    kept.close()
    return found


def test_a_full_disk_is_an_outage_inline_too(clock: HandClock) -> None:
    store = InlineStore(":memory:", clock)
    kept = Kept(store, clock)
    store._connection.execute("PRAGMA max_page_count = 1")

    with pytest.raises(StoreUnavailable, match="full"):
        kept.loop.run(store.run(saved(feedback="x" * 10**6)))

    store._connection.execute("PRAGMA max_page_count = 100000")
    kept(saved())
    assert kept.read(lambda tx: tx.records.load(KEY)) is not None
    kept.close()
