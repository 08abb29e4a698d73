from collections.abc import Callable
from typing import Any

import pytest

from bot.domain.model.ids import RecordKey
from bot.ports.rows import RecordFilter
from bot.ports.store import Tx, VersionConflict
from bot.store.verify import findings
from tests.store.kit import KEY, NOON, REPO, Kept, after, linked, merging, row, saved


def test_i11_a_record_and_its_history_come_back_exactly(kept: Kept) -> None:
    first, second = row(1), row(2, detail="line one\0\u2028 “ø” 🜁", title="NUL \0 and 🜁", pull=linked())

    kept(lambda tx: tx.records.replace(KEY, 0, [first, second]))

    loaded = kept.read(lambda tx: tx.records.load(KEY))
    assert loaded is not None
    assert (loaded.record, loaded.dirty, loaded.updated_at, loaded.last_refusal) == (second.record, True, NOON, None)
    history = kept.read(lambda tx: tx.records.history(KEY))
    assert [(found.version, found.at, found.detail) for found in history] == [
        (1, after(1), None),
        (2, after(2), "line one\0\u2028 “ø” 🜁"),
    ]
    assert (history[1].from_, history[1].to, history[1].machine_hash) == ("building", "building", "m1")
    assert kept.read(lambda tx: findings(tx, KEY)) == []


def test_a_lone_surrogate_is_refused_and_nothing_is_stored(kept: Kept) -> None:
    bad = row(1, work={"task": {"text": "\ud800"}})

    with pytest.raises(ValueError, match="surrogates not allowed"):
        kept(lambda tx: tx.records.replace(KEY, 0, [bad]))

    assert kept.read(lambda tx: tx.records.load(KEY)) is None


def test_floats_never_reach_the_history(kept: Kept) -> None:
    with pytest.raises(ValueError, match="no float"):
        kept(lambda tx: tx.records.replace(KEY, 0, [row(1, work={"task": {"n": 0.5}})]))


def test_a_large_record_with_large_numbers_comes_back(kept: Kept) -> None:
    key = RecordKey(2**63 - 1, 2**63 - 2)
    large = row(1, key, feedback="ø" * 1_000_000)

    kept(lambda tx: tx.records.replace(key, 0, [large]))

    loaded = kept.read(lambda tx: tx.records.load(key))
    assert loaded is not None
    assert loaded.record == large.record


@pytest.mark.parametrize("expected", [0, 1, 3])
def test_i12_only_the_stored_version_can_be_replaced(kept: Kept, expected: int) -> None:
    kept(lambda tx: tx.records.replace(KEY, 0, [row(1), row(2)]))

    with pytest.raises(VersionConflict):
        kept(lambda tx: tx.records.replace(KEY, expected, [row(expected + 1)]))

    assert [found.version for found in kept.read(lambda tx: tx.records.history(KEY))] == [1, 2]


@pytest.mark.parametrize("rows", [[], [row(3)], [row(2), row(4)], [row(2, RecordKey(1, 99))]])
def test_rows_must_be_the_next_versions_of_that_record(kept: Kept, rows: list[Any]) -> None:
    kept(saved())

    with pytest.raises(ValueError, match="must be the versions after 1"):
        kept(lambda tx: tx.records.replace(KEY, 1, rows))


def test_history_comes_in_pages(kept: Kept) -> None:
    kept(lambda tx: tx.records.replace(KEY, 0, [row(version) for version in range(1, 8)]))

    page = kept.read(lambda tx: tx.records.history(KEY, after=2, limit=3))

    assert [found.version for found in page] == [3, 4, 5]


def test_a_refusal_stands_beside_the_record_without_a_version(kept: Kept) -> None:
    kept(saved())
    kept(lambda tx: tx.records.published(KEY, 1))
    kept.clock.turn(5)

    kept(lambda tx: tx.records.refuse(KEY, {"code": "held", "message": "Ada holds it."}))

    loaded = kept.read(lambda tx: tx.records.load(KEY))
    assert loaded is not None
    assert loaded.last_refusal == {"code": "held", "message": "Ada holds it."}
    assert (loaded.record.version, loaded.dirty, loaded.updated_at) == (1, True, after(5))
    assert len(kept.read(lambda tx: tx.records.history(KEY))) == 1


def test_a_record_is_found_by_what_it_is_about(kept: Kept) -> None:
    kept(saved(KEY, pull_request=34, head="c1", pull=linked("parser")))
    other = RecordKey(2, 12)
    kept(saved(other, pull_request=34, head="c1", pull=linked("parser"), repository="Octo/Other"))

    assert kept.read(lambda tx: tx.records.by_pull(1, 34)) == KEY
    assert kept.read(lambda tx: tx.records.by_pull(1, 35)) is None
    assert kept.read(lambda tx: tx.records.by_head(1, "c1")) == [KEY]
    assert kept.read(lambda tx: tx.records.by_branch(2, "parser")) == [other]
    assert kept.read(lambda tx: tx.records.by_name("octo/APP", 12)) == KEY
    assert kept.read(lambda tx: tx.records.by_name("octo/app", 13)) is None


def test_what_a_record_is_about_follows_its_newest_version(kept: Kept) -> None:
    kept(saved(KEY, pull_request=34, head="c1", pull=linked("parser")))

    kept(lambda tx: tx.records.replace(KEY, 1, [row(2, head="c2", pull_request=35)]))

    assert kept.read(lambda tx: tx.records.by_head(1, "c1")) == []
    assert kept.read(lambda tx: tx.records.by_head(1, "c2")) == [KEY]
    assert kept.read(lambda tx: tx.records.by_pull(1, 34)) is None
    assert kept.read(lambda tx: tx.records.by_branch(1, "parser")) == []


def test_a_branch_of_a_fork_is_no_branch_of_ours(kept: Kept) -> None:
    kept(saved(KEY, pull_request=34, pull=linked("parser", same_repository=False)))

    assert kept.read(lambda tx: tx.records.by_branch(1, "parser")) == []


def test_an_open_record_comes_before_a_withdrawn_one(kept: Kept) -> None:
    kept(saved(KEY, pull_request=34))
    kept(saved(RecordKey(1, 13), pull_request=34, withdrawn=True))

    assert kept.read(lambda tx: tx.records.by_pull(1, 34)) == KEY
    assert kept.read(lambda tx: tx.records.of_repository(1, open_only=True)) == [KEY]
    assert kept.read(lambda tx: tx.records.of_repository(1, open_only=False)) == [KEY, RecordKey(1, 13)]


def test_after_a_rename_the_present_name_finds_the_record(kept: Kept) -> None:
    kept(saved())
    kept(lambda tx: tx.repositories.seen(REPO.model_copy(update={"name": "Engine"})))

    assert kept.read(lambda tx: tx.records.by_name("octo/engine", 12)) == KEY


def test_lists_are_narrowed_and_paged_by_key(kept: Kept) -> None:
    for issue in range(1, 6):
        kept(saved(RecordKey(1, issue), phase="done" if issue == 3 else "building"))
    kept(saved(RecordKey(2, 1), repository="octo/other"))

    def issues(**fields: Any) -> list[tuple[int, int]]:
        query = RecordFilter(**fields)
        return [found.record.key for found in kept.read(lambda tx: tx.records.find(query))]

    assert issues(limit=3) == [(2, 1), (1, 5), (1, 4)]
    assert issues(limit=3, cursor=(1, 4)) == [(1, 3), (1, 2), (1, 1)]
    assert issues(repository="OCTO/app", open_only=True) == [(1, 5), (1, 4), (1, 2), (1, 1)]
    assert issues(phase="done") == [(1, 3)]


def test_records_are_found_by_the_state_of_their_merge(kept: Kept) -> None:
    for issue, state in enumerate(["none", "ambiguous", "requested", "ambiguous"], start=1):
        kept(saved(RecordKey(1, issue), merge=merging(state)))

    found = kept.read(lambda tx: tx.records.merging(["requested", "ambiguous"]))

    assert found == [(1, 2), (1, 3), (1, 4)]


def test_records_under_way_are_listed_by_their_last_change(kept: Kept) -> None:
    for issue in range(1, 5):
        kept.clock.turn(1)
        kept(saved(RecordKey(1, issue), phase="done" if issue == 3 else "building"))
    kept.clock.turn(1)
    kept(lambda tx: tx.records.replace(RecordKey(1, 1), 1, [row(2, RecordKey(1, 1))]))

    assert kept.read(lambda tx: tx.records.newest(2)) == [(1, 1), (1, 4)]
    assert kept.read(lambda tx: tx.records.newest(9)) == [(1, 1), (1, 4), (1, 2)]


def wakes(key: RecordKey, seconds: float) -> Callable[[Tx], None]:
    return lambda tx: tx.records.wake_at(key, after(seconds))


def test_a_record_wakes_at_its_time_the_longest_due_first(kept: Kept) -> None:
    for issue, seconds in enumerate([30, 10, 20, 40], start=1):
        kept(saved(RecordKey(1, issue)))
        kept(wakes(RecordKey(1, issue), seconds))
    kept(lambda tx: tx.records.wake_at(RecordKey(1, 2), None))

    assert kept.read(lambda tx: tx.records.due(after(30), 9)) == [(1, 3), (1, 1)]
    assert kept.read(lambda tx: tx.records.due(after(99), 1)) == [(1, 3)]


def test_a_new_version_keeps_the_time_to_wake(kept: Kept) -> None:
    kept(saved())
    kept(lambda tx: tx.records.wake_at(KEY, after(5)))

    kept(lambda tx: tx.records.replace(KEY, 1, [row(2)]))

    assert kept.read(lambda tx: tx.records.due(after(5), 9)) == [KEY]


def test_the_base_is_handed_over_first_come_first(kept: Kept) -> None:
    for issue, seconds in enumerate([30, 10, 20], start=1):
        kept(saved(RecordKey(1, issue), phase="submit", base="main", phase_since=after(seconds)))
    kept(saved(RecordKey(1, 8), phase="submit", base="next"))
    kept(saved(RecordKey(1, 9), phase="testing", base="main"))

    assert kept.read(lambda tx: tx.records.waiting_for_base(1, "main")) == [(1, 2), (1, 3), (1, 1)]
