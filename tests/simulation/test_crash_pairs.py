"""Killed twice in the merge section: once anywhere between the last gate and the stored end, and again anywhere while it
recovers. A sample with every change; `make proof` takes every pair."""

import random
from functools import cache

import pytest

from bot.store.chain import verify
from tests.simulation.effort import PROOF
from tests.simulation.golden import Golden
from tests.simulation.rewinding import Saved
from tests.simulation.test_crash_points import Crasher, MortalStage, died_before_sending

#: Pairs of a run without PROOF.
PAIRS = 24


@cache
def section() -> Saved:
    """Everything is there but the last gate."""
    golden = Golden(MortalStage(Crasher()))
    for act in golden.acts[:-1]:
        act()
        golden.rest()
    return Saved.of(golden)


class Measuring(Crasher):
    """Notes at which point the record was stored as done."""

    done_at = 0
    golden: Golden | None = None

    def committed(self) -> None:
        self.point()
        if self.golden is not None and not self.done_at:
            record = self.golden.stage.record("octo/app", self.golden.issue.number)
            self.done_at = self.seen if record.phase == "done" else 0


def merges(crasher: Crasher) -> Golden:
    golden = section().again(crasher)
    if isinstance(crasher, Measuring):
        crasher.golden, golden.stage.store.after_commit = golden, crasher.committed
    golden.acts[-1]()
    golden.rest()
    golden.stage.later(1200, stride=60)
    return golden


def points(*at: int) -> int:
    """How many points there are until done is stored, when it is killed at these. Never done: until all is quiet."""
    crasher = Measuring(frozenset(at))
    merges(crasher)
    return crasher.done_at or crasher.seen


@cache
def expected() -> dict[str, object]:
    outcome = merges(Crasher()).outcome()
    assert outcome["phase"] == "done"
    return outcome


def killed_at(first: int, second: int) -> None:
    golden = merges(Crasher(frozenset({first, second})))

    record = golden.stage.record("octo/app", golden.issue.number)
    asked = [request for request in golden.stage.world.requests if request.operation in {"merge", "merge_async"}]
    assert len(asked) <= 1
    if died_before_sending(golden):
        assert record.merge.state == "ambiguous"
    else:
        assert golden.outcome() == expected()
    assert verify(golden.stage.history(record.key), record.model_dump(mode="json")) == []


def sample() -> list[tuple[int, int]]:
    rng, last = random.Random(20261130), points()
    firsts = [rng.randint(1, last) for _ in range(PAIRS)]
    return [(first, first + rng.randint(1, max(60, last - first))) for first in firsts]


def whole() -> list[tuple[int, int]]:
    """The first of each, with 0 for whatever may follow it: what comes after the first is known only once it has happened."""
    return [(first, 0) for first in range(1, points() + 1)]


@pytest.mark.timeout(1200 if PROOF else 120)
@pytest.mark.parametrize("pair", whole() if PROOF else sample())
def test_killed_twice_while_merging_nothing_is_asked_twice(pair: tuple[int, int]) -> None:
    first, second = pair
    for then in (second,) if second else range(first + 1, points(first) + 1):
        try:
            killed_at(first, then)
        except AssertionError as broken:
            raise AssertionError(f"killed at {first} and {then}: {broken}") from broken


def test_the_merge_section_has_all_its_commits_and_requests() -> None:
    assert points() > 150
