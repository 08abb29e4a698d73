"""The write lane: one mutation a second for each installation, and none before GitHub's pause is over."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from bot.app.pacing import PacedForge
from bot.domain.model.effects import AddLabels, MergeReply, React
from bot.domain.model.facts import LabelsOn
from bot.domain.model.ids import Repo
from bot.ports.failures import RateLimited
from bot.simulator.clock import WorldClock
from bot.store.inline import InlineStore
from tests.kit.stage import START, run

WRITE = AddLabels(number=1, names=("x",))
HERE, THERE = (Repo(installation_id=number, id=number, owner="octo", name="app") for number in (1, 2))


@dataclass
class Recorder:
    """A Forge that notes when it was asked what; `limit` makes its next write hit a limit until then."""

    clock: WorldClock
    at: list[tuple[str, float]] = field(default_factory=list)
    limit: timedelta | None = None

    async def read(self, repo: Repo, question: Any) -> Any:  # noqa: ARG002 - it notes only when
        self.at.append(("read", self.clock.monotonic()))

    async def perform(self, repo: Repo, write: Any) -> Any:  # noqa: ARG002 - it notes only when
        self.at.append(("write", self.clock.monotonic()))
        if self.limit is not None:
            until, self.limit = self.clock.now() + self.limit, None
            raise RateLimited("PUT /labels: 403", until)

    async def merge(self, repo: Repo, permit: Any, may_send: Callable[[], bool]) -> MergeReply:  # noqa: ARG002 - it notes only when
        self.at.append(("merge", self.clock.monotonic()))
        return MergeReply(api="sync", sent=True, status=200)


@dataclass
class Lane:
    interval: float = 1.0
    clock: WorldClock = field(default_factory=lambda: WorldClock(START))

    def __post_init__(self) -> None:
        self.below = Recorder(self.clock)
        self.store = InlineStore(":memory:", self.clock)
        self.began = self.clock.monotonic()
        self.forge = self.starts()

    def starts(self) -> PacedForge:
        async def sleep(seconds: float) -> None:
            self.clock.advance(seconds)

        return PacedForge(self.below, self.store, self.clock, sleep, self.interval)

    def times(self) -> list[tuple[str, float]]:
        return [(what, round(at - self.began, 3)) for what, at in self.below.at]


def test_writes_of_one_installation_are_a_second_apart() -> None:
    lane = Lane()
    for _ in range(3):
        run(lane.forge.perform(HERE, WRITE))
    assert lane.times() == [("write", 0), ("write", 1), ("write", 2)]


def test_installations_do_not_wait_for_each_other() -> None:
    lane = Lane()
    run(lane.forge.perform(HERE, WRITE))
    run(lane.forge.perform(THERE, WRITE))
    assert lane.times() == [("write", 0), ("write", 0)]


def test_after_a_rest_nothing_waits_and_no_burst_is_saved_up() -> None:
    lane = Lane()
    run(lane.forge.perform(HERE, WRITE))
    lane.clock.advance(10)
    for _ in range(2):
        run(lane.forge.perform(HERE, WRITE))
    assert lane.times() == [("write", 0), ("write", 10), ("write", 11)]


def test_reads_and_the_merge_pass_at_once_and_the_merge_counts() -> None:
    lane = Lane()
    run(lane.forge.perform(HERE, WRITE))
    run(lane.forge.read(HERE, LabelsOn(1)))
    run(lane.forge.merge(HERE, None, lambda: True))  # type: ignore[arg-type]  # the recorder spends no permit
    run(lane.forge.perform(HERE, React(comment_id=1, content="+1")))
    assert lane.times() == [("write", 0), ("read", 0), ("merge", 0), ("write", 2)]


@pytest.mark.parametrize("what", ["write", "read"])
def test_nothing_is_asked_before_the_pause_is_over_also_after_a_restart(what: str) -> None:
    lane = Lane()
    lane.below.limit = timedelta(seconds=30)
    with pytest.raises(RateLimited):
        run(lane.forge.perform(HERE, WRITE))
    again = lane.starts()

    def asks() -> None:
        run(again.perform(HERE, WRITE) if what == "write" else again.read(HERE, LabelsOn(1)))

    lane.clock.advance(29)
    with pytest.raises(RateLimited):
        asks()
    assert len(lane.below.at) == 1
    lane.clock.advance(2)
    asks()
    assert len(lane.below.at) == 2


def test_a_pause_of_one_installation_stops_no_other() -> None:
    lane = Lane()
    lane.below.limit = timedelta(seconds=30)
    with pytest.raises(RateLimited):
        run(lane.forge.perform(HERE, WRITE))
    run(lane.forge.perform(THERE, WRITE))
    assert len(lane.below.at) == 2


def test_without_an_interval_nothing_waits() -> None:
    lane = Lane(interval=0)
    for _ in range(3):
        run(lane.forge.perform(HERE, WRITE))
    assert lane.times() == [("write", 0)] * 3
