"""Killed twice in the merge section: once anywhere, and again anywhere while it recovers."""

import random

import pytest

from bot.store.chain import verify
from tests.simulation.effort import PROOF
from tests.simulation.golden import Golden
from tests.simulation.test_crash_points import Crasher, MortalStage, died_before_sending, plays

#: Pairs in the suite; `make proof` takes many more.
PAIRS = 1_500 if PROOF else 24


def merge_section() -> tuple[int, int]:
    """The points from the moment the last gate is opened to the end."""
    crasher = Crasher()
    golden = Golden(MortalStage(crasher))
    for act in golden.acts[:-1]:
        act()
        golden.rest()
    first = crasher.seen + 1
    golden.acts[-1]()
    golden.rest()
    return first, crasher.seen


FIRST, LAST = merge_section()


def pairs() -> list[tuple[int, int]]:
    rng = random.Random(20261130)
    return [(first, first + rng.randint(1, 60)) for first in (rng.randint(FIRST, LAST) for _ in range(PAIRS))]


@pytest.fixture(scope="module")
def expected() -> dict[str, object]:
    return plays(Crasher()).outcome()


@pytest.mark.parametrize("pair", pairs())
def test_killed_twice_while_merging_nothing_is_asked_twice(pair: tuple[int, int], expected: dict[str, object]) -> None:
    golden = plays(Crasher(frozenset(pair)))

    record = golden.stage.record("octo/app", golden.issue.number)
    asked = [request for request in golden.stage.world.requests if request.operation in {"merge", "merge_async"}]
    assert len(asked) <= 1
    if died_before_sending(golden):
        assert record.merge.state == "ambiguous"
    else:
        assert golden.outcome() == expected
    assert verify(golden.stage.history(record.key), record.model_dump(mode="json")) == []
