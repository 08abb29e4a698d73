"""No merge request exists without a stored request for exactly the present head."""

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.merging.reservation import asks, ended, may_wait, order, pause, reserve
from bot.domain.model.merge import Remembered
from bot.domain.model.permit import MergeOrder, MergePermit
from bot.domain.model.policy import STRICT
from tests.kit.cases import NOW
from tests.kit.records import HEAD, NEW_HEAD, authorised, merging


def test_a_reservation_is_of_the_present_head_and_asks_nothing() -> None:
    merge = reserve(authorised(), STRICT, "r-1", NOW)
    assert (merge.state, merge.head, merge.base, merge.locked) == ("reserved", HEAD, "main", True)
    assert (merge.attempt, merge.requested_at, merge.live_attempts) == (None, None, ())


def test_the_order_is_exactly_what_was_stored() -> None:
    asked = order(merging("requested", api="async"), "Retry (#34)", "By ada")
    assert asked == MergeOrder("r-39", "a-1", 34, HEAD, "main", "squash", "Retry (#34)", "By ada", "async")


@pytest.mark.parametrize(
    "merge",
    [
        {"state": "reserved"},
        {"state": "ambiguous"},
        {"state": "confirming"},
        {"head": NEW_HEAD},
        {"head": None},
        {"attempt": None},
        {"id": None},
        {"base": None},
        {"method": None},
        {"api": None},
    ],
    ids=lambda change: "-".join(f"{k}={v}"[:20] for k, v in change.items()),
)
def test_nothing_else_is_an_order(merge: dict[str, Any]) -> None:
    fields = {"api": "sync", "state": "requested"} | merge
    record = merging(**fields)
    with pytest.raises(ValueError, match="stored request"):
        order(record, "t", "b")


def test_an_order_without_a_pull_request_does_not_exist() -> None:
    record = merging("requested", api="sync").model_copy(update={"pull_request": None})
    with pytest.raises(ValueError, match="stored request"):
        order(record, "t", "b")


def test_a_permit_is_spent_once() -> None:
    once = MergePermit(MergePermit._seal, order(merging("requested", api="sync"), "t", "b"))
    once.spend()
    with pytest.raises(RuntimeError, match="already spent"):
        once.spend()


def test_nobody_else_makes_a_permit() -> None:
    with pytest.raises(TypeError, match="only by the write"):
        MergePermit(object(), order(merging("requested", api="sync"), "t", "b"))


@pytest.mark.parametrize("state", ["reserved", "ambiguous", "confirming", "refused", "none"])
def test_only_a_request_asks(state: str) -> None:
    assert not asks(merging("reserved", attempt=None), merging(state))


def test_a_request_that_was_stored_before_asks_nothing_again() -> None:
    stored = merging("requested")
    assert asks(merging("reserved", attempt=None), stored)
    assert not asks(stored, stored.model_copy(update={"version": stored.version + 1}))


@pytest.mark.parametrize(
    ("waited", "pauses"), [(0, 1), (1, 1), (2, 2), (5, 5), (59, 59), (90, 60), (119, 60), (120, None), (4000, None)]
)
def test_a_base_is_kept_for_two_minutes_and_the_check_is_tried_less_and_less_often(
    waited: int, pauses: int | None
) -> None:
    merge = reserve(authorised(), STRICT, "r-1", NOW)
    now = NOW + timedelta(seconds=waited)
    assert (pause(merge, now).total_seconds() if may_wait(merge, now) else None) == pauses


@pytest.mark.parametrize(("refused", "state"), [(True, "refused"), (False, "none")])
def test_what_ended_asks_nothing_any_more_and_frees_the_base(refused: bool, state: str) -> None:
    asked = merging("requested", live_attempts=("a-1",), locked=True, remembered=(Remembered(signal={}, at=NOW),)).merge
    over = ended(asked, reason="no", refused=refused, now=NOW)
    assert (over.state, over.locked, over.live_attempts, over.attempt, over.remembered) == (state, False, (), None, ())
    assert over.refused_since == (NOW if refused else None)


def test_the_first_refusal_is_remembered() -> None:
    first = ended(merging("requested").merge, refused=True, now=NOW)
    again = ended(first, refused=True, now=NOW.replace(hour=20))
    assert again.refused_since == NOW
