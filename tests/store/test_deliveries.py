from datetime import datetime

import pytest

from bot.domain.model.delivery import NO_THREAD, DeliveryState
from bot.ports.deliveries import About, Arrival
from tests.store.kit import NOON, Kept, after, delivery, received


def test_a_delivery_comes_back_byte_for_byte(kept: Kept) -> None:
    body = bytes(range(256)) * 4096
    sent = delivery("g1", lane=2**62, body=body)

    assert kept(lambda tx: tx.deliveries.add(sent)) == "accepted"

    found = kept.read(lambda tx: tx.deliveries.get("g1"))
    assert found is not None
    assert found[0] == sent
    assert (found[1].state, found[1].attempts, found[1].received_at) == ("received", 0, NOON)


def test_a_name_with_a_sign_that_no_name_has_is_kept_as_far_as_it_can_be(kept: Kept) -> None:
    odd = delivery("g1").model_copy(update={"action": "a\0b"})

    assert kept(lambda tx: tx.deliveries.add(odd)) == "accepted"
    assert kept.read(lambda tx: tx.records.by_name("octo/a\0pp", 12)) is None


def test_the_same_guid_is_a_duplicate_and_with_another_body_a_conflict(kept: Kept) -> None:
    kept(lambda tx: tx.deliveries.add(delivery("g1", body=b"one")))

    assert kept(lambda tx: tx.deliveries.add(delivery("g1", body=b"one"))) == "duplicate"
    assert kept(lambda tx: tx.deliveries.add(delivery("g1", body=b"two"))) == "conflict"

    found = kept.read(lambda tx: tx.deliveries.get("g1"))
    assert found is not None
    assert found[0].body == b"one"


def claim(kept: Kept, seconds: float = 60) -> str | None:
    until = kept.clock.now().timestamp() - NOON.timestamp() + seconds
    found = kept(lambda tx: tx.deliveries.claim("w1", after(until)))
    return found.guid if found else None


def add(kept: Kept, *lanes: tuple[str, int]) -> None:
    for guid, lane in lanes:
        kept(received(delivery(guid, lane)))


def test_lanes_run_beside_each_other_and_one_delivery_at_a_time(kept: Kept) -> None:
    add(kept, ("a1", 7), ("a2", 7), ("b1", 3), ("c1", 9), ("a3", 7))

    assert [claim(kept) for _ in range(4)] == ["a1", "b1", "c1", None]

    kept(lambda tx: tx.deliveries.finish("a1", "applied", None))
    assert [claim(kept), claim(kept)] == ["a2", None]


def test_what_a_worker_that_ends_gives_back_is_claimed_at_once_and_nothing_of_another_one(kept: Kept) -> None:
    add(kept, ("a1", 7), ("b1", 3))
    assert claim(kept) == "a1"
    kept(lambda tx: tx.deliveries.claim("w2", after(60)))

    assert kept(lambda tx: tx.deliveries.give_back("w1")) == 1

    assert [claim(kept), claim(kept)] == ["a1", None]


def test_deliveries_stand_in_the_order_in_which_they_came_in_every_lane(kept: Kept) -> None:
    assert kept.read(lambda tx: tx.deliveries.arrival("a1")) == Arrival(None, 0)
    add(kept, ("a1", 7), ("b1", 3), ("a2", 7))
    kept(lambda tx: tx.deliveries.finish("a1", "applied", None))

    first, newest = kept.read(lambda tx: tx.deliveries.arrival("a1"))
    none, _ = kept.read(lambda tx: tx.deliveries.arrival(None))
    last, _ = kept.read(lambda tx: tx.deliveries.arrival("a2"))

    assert none is None
    assert 0 < (first or 0) < newest == last


def test_a_delivery_whose_time_is_over_is_claimed_again_and_counted(kept: Kept) -> None:
    add(kept, ("a1", 7), ("a2", 7))
    assert claim(kept, 60) == "a1"

    kept.clock.turn(59)
    assert claim(kept) is None
    kept.clock.turn(1)
    assert claim(kept) == "a1"

    found = kept.read(lambda tx: tx.deliveries.get("a1"))
    assert found is not None
    assert (found[1].state, found[1].attempts) == ("working", 2)


def test_a_finished_delivery_can_be_put_back(kept: Kept) -> None:
    add(kept, ("a1", 7))
    assert claim(kept) == "a1"
    kept(lambda tx: tx.deliveries.finish("a1", "failed", "broken\0here"))

    failed = kept.read(lambda tx: tx.deliveries.list("failed", 10, None))
    assert [(found.guid, found.detail, found.finished_at) for found in failed] == [("a1", "broken\ufffdhere", NOON)]
    assert kept(lambda tx: tx.deliveries.put_back("a1"))
    assert not kept(lambda tx: tx.deliveries.put_back("never seen"))
    assert claim(kept) == "a1"


def test_a_repeat_keeps_that_a_delivery_was_applied(kept: Kept) -> None:
    add(kept, ("a1", 7))
    endings: list[tuple[DeliveryState, str | None]] = [
        ("applied", "1 command"),
        ("no_op", "heard already"),
        ("failed", "KeyError"),
        ("applied", "advanced"),
    ]
    shown: list[tuple[str, str | None]] = []
    for state, detail in endings:
        assert claim(kept) == "a1"
        kept(lambda tx: tx.deliveries.finish("a1", state, detail))  # noqa: B023 - run before the next turn
        row = kept.read(lambda tx: tx.deliveries.list(None, 1, None))[0]
        shown.append((row.state, row.detail))
        kept(lambda tx: tx.deliveries.put_back("a1"))

    again = "1 command; replayed 30 Nov 2026, 12:00 UTC after 1 try: "
    assert shown == [
        ("applied", "1 command"),
        ("applied", f"{again}nothing new"),
        ("failed", f"applied before: {again}failed, KeyError"),
        ("applied", f"{again}advanced"),
    ]


def test_at_a_start_what_was_being_worked_on_is_received_again(kept: Kept) -> None:
    add(kept, ("a1", 7), ("b1", 8), ("c1", 9))
    claim(kept, 3600)
    claim(kept, 3600)

    assert kept(lambda tx: tx.deliveries.reopen_abandoned()) == 2
    assert kept.read(lambda tx: tx.deliveries.backlog()) == 3
    assert [claim(kept) for _ in range(3)] == ["a1", "b1", "c1"]


def test_the_backlog_counts_what_is_not_finished(kept: Kept) -> None:
    add(kept, ("a1", 7), ("b1", 8), ("c1", 9))
    claim(kept)
    kept(lambda tx: tx.deliveries.finish("b1", "ignored", "not for us"))

    assert kept.read(lambda tx: tx.deliveries.backlog()) == 2


def test_lists_are_newest_first_and_go_on_before_a_time(kept: Kept) -> None:
    for second in range(5):
        kept(received(delivery(f"g{second}", at=after(second))))

    page = kept.read(lambda tx: tx.deliveries.list(None, 2, None))
    rest = kept.read(lambda tx: tx.deliveries.list("received", 9, page[-1].received_at))

    assert [found.guid for found in page] == ["g4", "g3"]
    assert [found.guid for found in rest] == ["g2", "g1", "g0"]


def test_an_unknown_delivery_is_nothing(kept: Kept) -> None:
    assert kept.read(lambda tx: tx.deliveries.get("never seen")) is None
    assert claim(kept) is None


def test_a_naive_time_is_refused(kept: Kept) -> None:
    naive = delivery("g1", at=NOON.replace(tzinfo=None))

    with pytest.raises(ValueError, match="without a zone"):
        kept(lambda tx: tx.deliveries.add(naive))


def unheard(kept: Kept, but: str | None = None) -> datetime | None:
    about = About(lane=7, installation_id=5, issue=12, pull=34, head="c" * 40)
    return kept.read(lambda tx: tx.deliveries.unheard(about, but)).since


def test_what_may_tell_of_a_stop_is_unheard_from_its_first_try_until_it_is_over(kept: Kept) -> None:
    add(kept, ("a1", 7), ("a2", 7))
    assert unheard(kept) is None
    claim(kept)
    kept(lambda tx: tx.deliveries.puts_off("a1", "502"))
    assert (unheard(kept), unheard(kept, but="a1")) == (NOON, None)

    kept(lambda tx: tx.deliveries.finish("a1", "failed", "502"))
    assert (unheard(kept), unheard(kept, but="a1")) == (NOON, None)
    kept(lambda tx: tx.deliveries.finish("a1", "applied", None))
    assert unheard(kept) is None


def test_what_failed_elsewhere_or_tells_of_no_stop_is_not_unheard(kept: Kept) -> None:
    add(kept, ("b1", 8))
    kept(received(delivery("c1", 7).model_copy(update={"event": "check_run"})))
    for guid in ("b1", "c1"):
        kept(lambda tx: tx.deliveries.finish(guid, "failed", "502"))  # noqa: B023 - run before the next turn
    assert unheard(kept) is None


@pytest.mark.parametrize(
    ("changes", "holds"),
    [
        ({}, True),
        ({"thread": 34}, True),
        ({"installation_id": None}, True),
        ({"installation_id": 6}, False),
        ({"thread": 35}, False),
        ({"event": "check_run"}, False),
    ],
    ids=str,
)
def test_a_stop_of_no_repository_that_could_be_read_is_unheard_until_each_was_swept(
    kept: Kept, changes: dict[str, object], holds: bool
) -> None:
    kept(received(delivery("a1", 0).model_copy(update=changes)))
    kept(lambda tx: tx.deliveries.finish("a1", "failed", "unreadable"))

    assert (unheard(kept) == NOON) is holds
    swept = RECORD._replace(found_until=NOON)
    assert kept.read(lambda tx: tx.deliveries.unheard(swept, None)).since is None


def test_a_whole_sweep_settles_what_had_failed_before_it(kept: Kept) -> None:
    add(kept, ("a1", 7), ("b1", 8))
    kept(received(delivery("c1", 7).model_copy(update={"event": "installation"})))
    kept(received(delivery("d1", 7).model_copy(update={"event": "check_run"})))
    for guid in ("a1", "b1", "c1", "d1"):
        kept(lambda tx: tx.deliveries.finish(guid, "failed", "502"))  # noqa: B023 - run before the next turn

    assert kept.read(lambda tx: tx.deliveries.swept(7, after(-1))) == []
    swept = [one.guid for one in kept.read(lambda tx: tx.deliveries.swept(7, NOON))]
    kept(lambda tx: tx.deliveries.settle(swept, "swept"))

    found = kept.read(lambda tx: [tx.deliveries.get(guid) for guid in ("a1", "b1", "c1", "d1")])
    assert [(one[1].state, one[1].detail) for one in found if one is not None] == [
        ("no_op", "swept; it had failed: 502"),
        ("failed", "502"),
        ("failed", "502"),
        ("no_op", "swept; it had failed: 502"),
    ]


RECORD = About(lane=7, installation_id=5, issue=12, pull=34, head="c" * 40)


@pytest.mark.parametrize(
    ("changes", "waits"),
    [
        ({"thread": 12}, True),
        ({"thread": 34}, True),
        ({"thread": 35, "head": "c" * 40}, True),
        ({}, True),
        ({"lane": 0}, True),
        ({"lane": 0, "installation_id": 6}, False),
        ({"lane": 8}, False),
        ({"thread": 35, "head": "d" * 40}, False),
        ({"thread": NO_THREAD}, False),
    ],
    ids=str,
)
def test_a_delivery_waits_for_the_records_that_it_may_be_about(
    kept: Kept, changes: dict[str, object], waits: bool
) -> None:
    kept(received(delivery("a1", 7).model_copy(update=changes)))

    assert kept.read(lambda tx: tx.deliveries.unheard(RECORD, None)).waits is waits
    assert not kept.read(lambda tx: tx.deliveries.unheard(RECORD, "a1")).waits
    kept(lambda tx: tx.deliveries.finish("a1", "applied", None))
    assert not kept.read(lambda tx: tx.deliveries.unheard(RECORD, None)).waits


def test_what_is_about_something_else_goes_by_what_was_put_off(kept: Kept) -> None:
    for guid, about in (("a1", 12), ("a2", 12), ("a3", 13), ("a4", 13)):
        kept(received(delivery(guid, 7).model_copy(update={"thread": about})))
    assert claim(kept, 60) == "a1"
    assert claim(kept, 60) is None
    kept(lambda tx: tx.deliveries.puts_off("a1", "502"))

    assert claim(kept, 60) == "a3"
    assert claim(kept, 60) is None
    kept(lambda tx: tx.deliveries.finish("a3", "applied", None))
    assert claim(kept, 60) == "a4"
    kept(lambda tx: tx.deliveries.finish("a4", "applied", None))
    assert claim(kept, 60) is None
    kept.clock.turn(60)
    assert claim(kept, 60) == "a1"


def test_nothing_goes_by_what_was_put_off_and_may_be_about_everything(kept: Kept) -> None:
    add(kept, ("a1", 7))
    kept(received(delivery("a2", 7).model_copy(update={"thread": 13})))
    claim(kept, 60)
    kept(lambda tx: tx.deliveries.puts_off("a1", "502"))
    assert claim(kept, 60) is None
