import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import jsonpatch
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ports.rows import HistoryRow
from bot.store import canonical, chain, history, patch
from bot.store.inline import InlineStore
from bot.store.verify import findings
from tests.store.kit import KEY, HandClock, Kept, row

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
KEYS = TEXT | st.sampled_from(["", "a", "a/b", "m~n", "~1", "~01", "0", "-", "ø"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)


def same(left: Any, right: Any) -> bool:
    """Equal as JSON: true is not 1."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


@given(JSON, JSON)
def test_a_patch_gives_the_new_document_for_us_and_for_the_oracle(old: Any, new: Any) -> None:
    before = deepcopy(old)

    found = patch.diff(old, new)

    assert same(patch.apply(old, found), new)
    assert same(jsonpatch.apply_patch(old, found), new)
    assert same(old, before)


@given(JSON, JSON)
def test_we_apply_the_oracles_adds_removes_and_replaces_alike(old: Any, new: Any) -> None:
    theirs = jsonpatch.make_patch(old, new).patch
    if {operation["op"] for operation in theirs} <= {"add", "remove", "replace"}:
        assert same(patch.apply(old, theirs), jsonpatch.apply_patch(old, theirs))


@given(JSON)
def test_equal_documents_need_no_patch(document: Any) -> None:
    assert patch.diff(document, deepcopy(document)) == []


def test_a_patch_touches_only_what_changed() -> None:
    old = {"a/b": [1, 2, 3], "m~n": {"x": True}, "gone": None}

    found = patch.diff(old, {"a/b": [1, 5], "m~n": {"x": 1}, "new": {}})

    assert found == [
        {"op": "replace", "path": "/a~1b/1", "value": 5},
        {"op": "remove", "path": "/a~1b/2"},
        {"op": "remove", "path": "/gone"},
        {"op": "replace", "path": "/m~0n/x", "value": 1},
        {"op": "add", "path": "/new", "value": {}},
    ]


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "remove", "path": "/b"},
        {"op": "replace", "path": "/b", "value": 1},
        {"op": "add", "path": "/b/c", "value": 1},
        {"op": "add", "path": "/a/3", "value": 1},
        {"op": "replace", "path": "/a/2", "value": 1},
        {"op": "remove", "path": "/a/-1"},
        {"op": "replace", "path": "/a/01", "value": 1},
        {"op": "add", "path": "/a/0/x", "value": 1},
        {"op": "add", "path": "/a/0"},
        {"op": "move", "path": "/a", "from": "/b"},
    ],
)
def test_a_patch_that_does_not_fit_is_refused(operation: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="patch"):
        patch.apply({"a": [1, 2]}, [operation])


@given(JSON)
def test_canonical_json_is_json_and_one_text_per_value(value: Any) -> None:
    text = canonical.dumps(value)

    assert same(json.loads(text), value)
    assert canonical.dumps(json.loads(text)) == text


def test_canonical_json_sorts_keys_and_spares_spaces() -> None:
    assert canonical.dumps({"ø": 1, "b": [True, None], "a": "\0"}) == '{"a":"\\u0000","b":[true,null],"ø":1}'


@pytest.mark.parametrize("value", [0.5, [float("nan")], {1: "x"}, {"a": {"b": object()}}, ["\udc00"], b"x"])
def test_canonical_json_refuses_what_has_no_single_text(value: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the sentences differ
        canonical.dumps(value)


@pytest.fixture
def inline() -> Iterator[Kept]:
    clock = HandClock()
    store = InlineStore(":memory:", clock)
    kept = Kept(store, clock)
    kept(lambda tx: tx.records.replace(KEY, 0, [row(1, detail="one"), row(2, title="two"), row(3, head="c3")]))
    yield kept
    kept.close()


def rows(kept: Kept) -> list[HistoryRow]:
    return list(kept.read(lambda tx: tx.records.history(KEY)))


DOCUMENT = history.document(row(3, head="c3").record)


def test_a_sound_chain_starts_at_zeros_and_has_no_findings(inline: Kept) -> None:
    found = rows(inline)

    assert found[0].previous_digest == "0" * 64
    assert [after.previous_digest for after in found[1:]] == [before.digest for before in found[:-1]]
    assert found[0].digest == canonical.digest(chain.covered(found[0]))
    assert chain.verify(found, DOCUMENT) == []


def test_the_digest_covers_the_row_as_the_api_shows_it(inline: Kept) -> None:
    shown = chain.shown(rows(inline)[1])

    assert list(shown) != []
    assert shown["from"] == "building"
    assert shown["at"] == "2026-11-30T12:00:02.123457Z"
    digest = shown.pop("digest")
    assert canonical.digest(shown) == digest


def test_a_missing_version_is_found(inline: Kept) -> None:
    first, _, third = rows(inline)

    assert chain.verify([first, third], DOCUMENT) == ["version 2 is missing: version 3 stands in its place"]


def test_a_missing_last_version_is_found(inline: Kept) -> None:
    assert chain.verify(rows(inline)[:2], DOCUMENT) == [
        "the record is not what replaying its 2 versions gives: /head, /title, /version differ"
    ]


def test_a_changed_record_is_found(inline: Kept) -> None:
    assert chain.verify(rows(inline), DOCUMENT | {"phase": "done"}) == [
        "the record is not what replaying its 3 versions gives: /phase differs"
    ]


def test_a_row_rewritten_with_a_fitting_digest_breaks_the_next_link(inline: Kept) -> None:
    first, second, third = rows(inline)
    forged = second.model_copy(update={"detail": "never happened"})
    forged = forged.model_copy(update={"digest": canonical.digest(chain.covered(forged))})

    assert chain.verify([first, forged, third], DOCUMENT) == ["version 3 does not continue the chain of version 2"]


def test_a_patch_that_cannot_be_replayed_is_found(inline: Kept) -> None:
    first, second, third = rows(inline)
    broken = second.model_copy(update={"patch": [{"op": "remove", "path": "/nowhere"}]})

    assert chain.verify([first, broken, third], DOCUMENT)[-1].startswith("version 2 cannot be replayed")


def test_i30_every_flipped_byte_in_a_stored_row_is_found(inline: Kept) -> None:
    """threats.md, T24."""
    assert isinstance(inline.store, InlineStore)
    connection = inline.store._connection
    (text,) = connection.execute("SELECT document FROM history WHERE version = 2").fetchone()
    assert inline.read(lambda tx: (findings(tx, KEY), tx.records.is_sound(KEY))) == ([], True)

    for place in range(len(text)):
        flipped = text[:place] + chr(ord(text[place]) ^ 1) + text[place + 1 :]
        connection.execute("UPDATE history SET document = ? WHERE version = 2", (flipped,))
        looked = inline.read(lambda tx: (findings(tx, KEY) == [], tx.records.is_sound(KEY)))
        assert looked == (False, False), f"{flipped[place : place + 20]!r} at {place}"


def test_a_row_that_is_no_text_any_more_is_found(inline: Kept) -> None:
    assert isinstance(inline.store, InlineStore)
    inline.store._connection.execute("UPDATE history SET document = CAST(x'ff' AS TEXT) WHERE version = 2")

    (finding,) = inline.read(lambda tx: findings(tx, KEY))

    assert "cannot be read" in finding
    assert not inline.read(lambda tx: tx.records.is_sound(KEY))


def test_history_without_its_record_is_found(inline: Kept) -> None:
    assert isinstance(inline.store, InlineStore)
    inline.store._connection.execute("DELETE FROM records")

    assert inline.read(lambda tx: findings(tx, KEY)) == ["there is no record 1#12, but it has history"]
