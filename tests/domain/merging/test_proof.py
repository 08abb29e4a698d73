"""One "not merged" read is never proof, and neither is time."""

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.merging.proof import KEPT_READS, distance, next_look, proven_unmerged, with_read
from bot.domain.model.merge import Merge, MergeRead
from tests.kit.cases import NOW
from tests.kit.records import HEAD, NEW_HEAD

WINDOW = 900.0
ENDS = NOW


def read(seconds: float, **shown: Any) -> MergeRead:
    """So many seconds after the window: not merged, not on the base, and the head has moved on."""
    fields = {
        "at": ENDS + timedelta(seconds=seconds),
        "merged": False,
        "on_base": False,
        "head": NEW_HEAD,
        "open": True,
    }
    return MergeRead.model_validate(fields | shown)


def proven(*reads: MergeRead, **changes: Any) -> bool:
    merge = Merge.model_validate({"state": "ambiguous", "head": HEAD, "window_ends": ENDS, "reads": reads} | changes)
    return proven_unmerged(merge, WINDOW)


@pytest.mark.parametrize("gone", [{"head": NEW_HEAD}, {"head": HEAD, "open": False}])
def test_two_agreeing_reads_after_the_window_prove_that_it_can_not_land(gone: dict[str, Any]) -> None:
    assert proven(read(1, **gone), read(61, **gone))


@pytest.mark.parametrize(
    "reads",
    [
        (),
        (read(1),),
        (read(1000),),
        (read(1), read(60.9)),
        (read(0), read(100)),
        (read(-100), read(100)),
        (read(1), read(61, merged=True)),
        (read(1), read(61, on_base=True)),
        (read(1), read(61, merged=None)),
        (read(1), read(61, on_base=None)),
        (read(1), read(61, head=None)),
        (read(1, head=HEAD), read(61, head=HEAD)),
        (read(1, head=HEAD, open=None), read(61, head=HEAD, open=None)),
    ],
    ids=lambda reads: ",".join(f"{(r.at - ENDS).total_seconds():g}" for r in reads) or "none",
)
def test_less_than_that_proves_nothing(reads: tuple[MergeRead, ...]) -> None:
    assert not proven(*reads)


@pytest.mark.parametrize("other", [{"merged": True}, {"on_base": True}, {"merged": None}, {"head": HEAD}])
def test_a_read_that_shows_anything_else_starts_the_count_again(other: dict[str, Any]) -> None:
    assert not proven(read(1), read(70, **other), read(130))
    assert proven(read(1), read(70, **other), read(130), read(190))


def test_without_a_window_or_a_head_nothing_is_proven() -> None:
    assert not proven(read(1), read(61), window_ends=None)
    assert not proven(read(1), read(61), head=None)


@pytest.mark.parametrize(("window", "seconds"), [(900.0, 60.0), (300.0, 60.0), (100.0, 20.0), (10.0, 2.0)])
def test_the_reads_are_a_minute_apart_or_a_fifth_of_a_short_window(window: float, seconds: float) -> None:
    assert distance(window) == timedelta(seconds=seconds)


def test_looks_grow_apart_and_never_further_than_proof_needs() -> None:
    waits = []
    merge = Merge(state="ambiguous")
    for _ in range(8):
        waits.append((next_look(merge, NOW, WINDOW) - NOW).total_seconds())
        merge = merge.model_copy(update={"reads": with_read(merge, read(1))})
    assert waits == [2, 4, 8, 15, 30, 60, 60, 60]
    assert next_look(merge, NOW, 10.0) == NOW + timedelta(seconds=2)


def test_a_record_keeps_the_first_looks_and_the_newest() -> None:
    merge = Merge(state="ambiguous")
    for second in range(50):
        merge = merge.model_copy(update={"reads": with_read(merge, read(second))})
    kept = [(one.at - ENDS).total_seconds() for one in merge.reads]
    assert len(kept) == KEPT_READS
    assert kept[:3] == [0, 1, 2]
    assert kept[-1] == 49
