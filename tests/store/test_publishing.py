from datetime import timedelta

from bot.domain.model.ids import RecordKey
from bot.ports.rows import Slot
from tests.store.kit import KEY, Kept, after, row, saved

OTHER = RecordKey(1, 13)


def next_dirty(kept: Kept, collecting: float = 0) -> RecordKey | None:
    return kept.read(lambda tx: tx.records.next_dirty(timedelta(seconds=collecting)))


def take(kept: Kept, key: RecordKey = KEY, holder: str = "p1", seconds: float = 60) -> bool:
    return kept(lambda tx: tx.leases.take(f"publish:{key}", holder, after(seconds)))


def test_the_longest_dirty_record_comes_first(kept: Kept) -> None:
    kept(saved(OTHER))
    kept.clock.turn(1)
    kept(saved(KEY))
    kept.clock.turn(1)
    kept(lambda tx: tx.records.replace(OTHER, 1, [row(2, OTHER)]))

    assert next_dirty(kept) == OTHER
    take(kept, OTHER)
    assert next_dirty(kept) == KEY


def test_a_published_record_is_clean_until_something_happens(kept: Kept) -> None:
    kept(saved())

    take(kept)
    kept(lambda tx: tx.records.published(KEY, 1))
    kept(lambda tx: tx.leases.drop(f"publish:{KEY}", "p1"))
    assert next_dirty(kept) is None

    kept(lambda tx: tx.records.mark_dirty(KEY))
    assert next_dirty(kept) == KEY


def test_a_record_that_moved_on_while_it_was_published_stays_dirty(kept: Kept) -> None:
    kept(saved())

    kept(lambda tx: tx.records.replace(KEY, 1, [row(2)]))
    kept(lambda tx: tx.records.published(KEY, 1))

    assert next_dirty(kept) == KEY


def test_a_refusal_while_it_was_published_is_not_lost(kept: Kept) -> None:
    kept(saved())

    take(kept)
    kept(lambda tx: tx.records.refuse(KEY, {"code": "held"}))
    kept(lambda tx: tx.records.published(KEY, 1))
    kept(lambda tx: tx.leases.drop(f"publish:{KEY}", "p1"))

    assert next_dirty(kept) == KEY


def test_extending_the_lease_forgets_no_refusal(kept: Kept) -> None:
    kept(saved())

    take(kept)
    kept(lambda tx: tx.records.refuse(KEY, {"code": "held"}))
    take(kept, seconds=90)
    kept(lambda tx: tx.records.published(KEY, 1))
    kept(lambda tx: tx.leases.drop(f"publish:{KEY}", "p1"))

    assert next_dirty(kept) == KEY


def test_a_refusal_before_it_was_published_is_published_with_it(kept: Kept) -> None:
    kept(saved())
    kept(lambda tx: tx.records.refuse(KEY, {"code": "held"}))

    take(kept)
    kept(lambda tx: tx.records.published(KEY, 1))
    kept(lambda tx: tx.leases.drop(f"publish:{KEY}", "p1"))

    assert next_dirty(kept) is None


def test_a_record_that_was_not_finished_queues_up_behind_the_others(kept: Kept) -> None:
    kept(saved(KEY))
    kept.clock.turn(1)
    kept(saved(OTHER))
    kept.clock.turn(1)

    kept(lambda tx: tx.records.replace(KEY, 1, [row(2)]))
    kept(lambda tx: tx.records.published(KEY, 1))

    assert next_dirty(kept) == OTHER


def test_a_record_under_a_publishers_lease_is_passed_over_until_it_ends(kept: Kept) -> None:
    kept(saved())
    assert take(kept, seconds=60)

    kept.clock.turn(59)
    assert next_dirty(kept) is None
    kept.clock.turn(1)
    assert next_dirty(kept) == KEY


def test_a_lease_without_end_holds_until_it_is_dropped(kept: Kept) -> None:
    kept(saved())
    kept(lambda tx: tx.leases.take(f"publish:{KEY}", "p1", None))

    kept.clock.turn(10**6)
    assert next_dirty(kept) is None
    kept(lambda tx: tx.leases.drop(f"publish:{KEY}", "p1"))
    assert next_dirty(kept) == KEY


def test_postponed_publishing_waits_for_its_time(kept: Kept) -> None:
    kept(saved())

    kept(lambda tx: tx.records.postpone_publishing(KEY, after(10)))
    assert next_dirty(kept) is None

    kept.clock.turn(10)
    assert next_dirty(kept) == KEY


def test_changes_are_collected_from_the_first_of_them_on(kept: Kept) -> None:
    kept(saved())

    kept.clock.turn(1)
    kept(lambda tx: tx.records.replace(KEY, 1, [row(2)]))
    kept(lambda tx: tx.records.mark_dirty(KEY))
    assert next_dirty(kept, collecting=2) is None
    kept.clock.turn(1)
    assert next_dirty(kept, collecting=2) == KEY


def test_nothing_is_collected_while_a_success_may_stand(kept: Kept) -> None:
    kept(lambda tx: tx.slots.put(KEY, Slot(name="check:c1", state="sending", extra="success")))
    kept(saved())
    kept(saved(OTHER))

    assert next_dirty(kept, collecting=2) == KEY
    take(kept)
    assert next_dirty(kept, collecting=2) is None


def test_a_clock_that_is_set_back_keeps_no_change_waiting(kept: Kept) -> None:
    kept(saved())
    kept.clock.turn(-3600)

    assert next_dirty(kept, collecting=2) == KEY


def test_distrusted_slots_are_unsure_and_the_record_dirty(kept: Kept) -> None:
    kept(saved())
    kept(lambda tx: tx.slots.put(KEY, Slot(name="comment:issue", remote_id=2**62, digest="d", extra="x")))
    kept(lambda tx: tx.records.published(KEY, 1))

    kept(lambda tx: tx.slots.distrust(KEY))

    slot = Slot(name="comment:issue", remote_id=2**62, digest="d", state="unsure", extra="x")
    assert kept.read(lambda tx: tx.slots.of(KEY)) == {"comment:issue": slot}
    assert next_dirty(kept) == KEY


def test_a_slot_is_replaced_by_name(kept: Kept) -> None:
    kept(lambda tx: tx.slots.put(KEY, Slot(name="label", state="sending")))
    kept(lambda tx: tx.slots.put(KEY, Slot(name="label", digest="d2")))

    assert kept.read(lambda tx: tx.slots.of(KEY)) == {"label": Slot(name="label", digest="d2")}


def test_every_head_that_may_carry_our_check_is_found(kept: Kept) -> None:
    kept(lambda tx: tx.slots.put(KEY, Slot(name="check:c1", remote_id=1, extra="success")))
    kept(lambda tx: tx.slots.put(OTHER, Slot(name="check:c1", state="sending")))
    kept(lambda tx: tx.slots.put(RecordKey(2, 12), Slot(name="check:c1", remote_id=3)))
    kept(lambda tx: tx.slots.put(KEY, Slot(name="check:c2", remote_id=2)))

    assert kept.read(lambda tx: tx.slots.published_checks(1, "c1")) == [KEY, OTHER]
