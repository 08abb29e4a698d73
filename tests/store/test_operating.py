"""Numbers over everything that is stored, and the end of what is old."""

from bot.domain.model.delivery import Delivery, DeliveryState
from bot.ports.store import Tx
from tests.store.kit import KEY, NOON, Kept, after, row
from tests.store.test_parts import ids, next_once, plan, reaction


def came(guid: str, seconds: float = 0) -> Delivery:
    return Delivery(guid=guid, event="issues", lane=1, body=b"{}", received_at=after(seconds))


def over(kept: Kept, guid: str, state: DeliveryState, seconds: float = 0) -> None:
    kept(lambda tx: tx.deliveries.add(came(guid, seconds)))
    kept(lambda tx: tx.deliveries.finish(guid, state, None))


def left(kept: Kept) -> list[str]:
    return sorted(found.guid for found in kept.read(lambda tx: tx.deliveries.list(None, 100, None)))


def test_an_empty_database_counts_nothing(kept: Kept) -> None:
    found = kept.read(lambda tx: tx.operating.tally())

    assert (found.deliveries, found.records, found.effects) == ({"received": 0, "working": 0}, {}, {})
    assert (found.waits_since, found.unshown, found.unshown_since) == (None, 0, None)


def test_deliveries_are_counted_by_what_became_of_them(kept: Kept) -> None:
    for guid, state in (("a", "applied"), ("b", "applied"), ("c", "failed"), ("d", "ignored"), ("e", "no_op")):
        over(kept, guid, state)  # type: ignore[arg-type]  # all are states
    kept(lambda tx: [tx.deliveries.add(came(guid, 5 + number)) for number, guid in enumerate(("f", "g"))])
    kept(lambda tx: tx.deliveries.claim("me", after(60)))

    found = kept.read(lambda tx: tx.operating.tally())

    assert found.deliveries == {"received": 1, "working": 1, "applied": 2, "failed": 1, "ignored": 1, "no_op": 1}
    assert found.waits_since == after(5)


def test_records_merges_and_effects_are_counted(kept: Kept) -> None:
    kept(lambda tx: tx.records.replace(KEY, 0, [row()]))
    plan(kept, reaction("e1"), reaction("e2", "13"), reaction("e3", "14"))
    first = ids(kept)["e1"]
    kept(lambda tx: tx.effects.set(first, "sent", None))
    kept(lambda tx: tx.effects.set(first, "unknown", "no answer"))
    kept(lambda tx: tx.effects.set(ids_of(tx)["e2"], "sent", None))

    found = kept.read(lambda tx: tx.operating.tally())

    assert (found.records, found.merges) == ({"building": 1}, {"none": 1})
    assert found.effects == {"unknown": 1, "sent": 1, "planned": 1}
    assert (found.unshown, found.unshown_since) == (1, NOON)
    assert next_once(kept) == "e2"


def ids_of(tx: Tx) -> dict[str, int]:
    return {found.effect.once: found.id for found in tx.effects.of(KEY)}


def test_only_old_deliveries_that_are_done_with_are_deleted(kept: Kept) -> None:
    for guid, state in (("applied", "applied"), ("ignored", "ignored"), ("no_op", "no_op"), ("failed", "failed")):
        over(kept, guid, state)  # type: ignore[arg-type]  # all are states
    over(kept, "young", "applied", 100)
    kept(lambda tx: tx.deliveries.add(came("waits")))

    assert kept(lambda tx: tx.operating.prune(after(100), 500)) == 3
    assert left(kept) == ["failed", "waits", "young"]
    assert kept(lambda tx: tx.operating.prune(after(100), 500)) == 0


def test_a_failed_delivery_that_was_replayed_is_old_like_any_other(kept: Kept) -> None:
    over(kept, "failed", "failed")
    kept(lambda tx: tx.deliveries.put_back("failed"))
    assert kept(lambda tx: tx.operating.prune(after(100), 500)) == 0

    kept(lambda tx: tx.deliveries.finish("failed", "applied", None))

    assert kept(lambda tx: tx.operating.prune(after(100), 500)) == 1


def test_deleting_takes_no_more_than_it_was_told(kept: Kept) -> None:
    for number in range(7):
        over(kept, f"d{number}", "applied" if number % 2 else "ignored")

    assert [kept(lambda tx: tx.operating.prune(after(100), 3)) for _ in range(4)] == [3, 3, 1, 0]


def test_what_was_asked_for_again_is_forgotten_in_the_end(kept: Kept) -> None:
    for guid in ("a", "b"):
        kept(lambda tx: tx.sweeps.ask_again(guid))  # noqa: B023 - run before the next turn

    assert kept(lambda tx: tx.operating.forget_redeliveries(NOON, 10)) == 0
    assert kept(lambda tx: tx.operating.forget_redeliveries(after(1), 10)) == 2
    assert kept.read(lambda tx: tx.sweeps.asked_again("a")) == 0


def test_holds_are_listed_by_how_their_names_begin(kept: Kept) -> None:
    def take(tx: Tx) -> None:
        tx.leases.take("aside:b", "bug", after(10))
        tx.leases.take("aside:a", "bug", None)
        tx.leases.take("aside:over", "bug", NOON)
        tx.leases.take("asidf", "other", None)

    kept(take)

    found = kept.read(lambda tx: tx.leases.held("aside:"))
    assert [(held.name, held.holder, held.until) for held in found] == [
        ("aside:a", "bug", None),
        ("aside:b", "bug", after(10)),
    ]
