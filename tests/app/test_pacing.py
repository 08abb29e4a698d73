"""The write lane: one mutation a second for each installation, and none before GitHub's pause is over."""

from collections.abc import Callable, Coroutine, Generator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from bot.app.pacing import PacedForge, PacedMergeSender, Pacing
from bot.app.places import Places
from bot.domain.model.effects import (
    AddLabels,
    CreateCheckRun,
    CreateComment,
    MergeReply,
    React,
    Write,
)
from bot.domain.model.ids import Repo
from bot.domain.model.permit import MergeOrder, MergePermit
from bot.domain.model.questions import LabelsOn
from bot.ports.failures import RateLimited
from bot.simulator.clock import WorldClock
from bot.store.inline import InlineStore
from tests.kit.stage import START, run

WRITE = AddLabels(number=1, names=("x",))
HERE, THERE = (Repo(installation_id=number, id=number, owner="octo", name="app") for number in (1, 2))


@dataclass
class Recorder:
    """A Forge and a MergeSender that notes when it was asked what; `limit` makes its next write hit a limit until then."""

    clock: WorldClock
    at: list[tuple[str, float]] = field(default_factory=list)
    limit: timedelta | None = None
    named: bool = True
    kinds: list[str] = field(default_factory=list)

    async def read(self, repo: Repo, question: Any) -> Any:
        self.at.append(("read", self.clock.monotonic()))

    async def together(self, repo: Repo, questions: Any) -> Any:
        return {}

    async def perform(self, repo: Repo, write: Any, guard: Any = None) -> Any:
        self.at.append(("write", self.clock.monotonic()))
        self.kinds.append(getattr(write, "kind", ""))
        if self.limit is not None:
            until, self.limit = self.clock.now() + self.limit, None
            raise RateLimited("PUT /labels: 403", until, named=self.named)

    async def merge(self, repo: Repo, permit: Any, may_send: Callable[[], bool]) -> MergeReply:
        self.at.append(("merge", self.clock.monotonic()))
        if self.limit is not None:
            until, self.limit = self.clock.now() + self.limit, None
            return MergeReply(api="sync", sent=True, status=403, not_before=until)
        return MergeReply(api="sync", sent=True, status=200)


@dataclass
class Lane:
    interval: float = 1.0
    shared: bool = False
    processes: int = 0
    clock: WorldClock = field(default_factory=lambda: WorldClock(START))

    def __post_init__(self) -> None:
        self.below = Recorder(self.clock)
        self.store = InlineStore(":memory:", self.clock)
        self.began = self.clock.monotonic()
        self.forge = self.starts()

    def starts(self) -> PacedForge:
        """As a new process: what is remembered stands in the store."""

        async def sleep(seconds: float) -> None:
            self.clock.advance(seconds)

        self.processes += 1
        places = Places(self.store, sleep, self.interval, f"bot-{self.processes}") if self.shared else None
        self.pacing = Pacing(self.store, self.clock, sleep, self.interval, places=places)
        self.sender = PacedMergeSender(self.below, self.pacing)
        return PacedForge(self.below, self.pacing)

    def times(self) -> list[tuple[str, float]]:
        return [(what, round(at - self.began, 3)) for what, at in self.below.at]


def test_i29_writes_of_one_installation_are_a_second_apart() -> None:
    lane = Lane()
    for _ in range(3):
        run(lane.forge.perform(HERE, WRITE))
    assert lane.times() == [("write", 0), ("write", 1), ("write", 2)]


def test_i25_installations_do_not_wait_for_each_other() -> None:
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
    run(lane.sender.merge(HERE, None, lambda: True))  # type: ignore[arg-type]  # the recorder spends no permit
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


def test_i25_a_pause_of_one_installation_stops_no_other() -> None:
    lane = Lane()
    lane.below.limit = timedelta(seconds=30)
    with pytest.raises(RateLimited):
        run(lane.forge.perform(HERE, WRITE))
    run(lane.forge.perform(THERE, WRITE))
    assert len(lane.below.at) == 2


def test_i29_two_processes_on_one_database_have_one_lane_and_the_merge_of_one_counts_for_the_other() -> None:
    lane = Lane(shared=True)
    other, here = lane.starts(), lane.sender
    for forge in (lane.forge, other, lane.forge):
        run(forge.perform(HERE, WRITE))
    run(here.merge(HERE, None, lambda: True))  # type: ignore[arg-type]  # the recorder spends no permit
    run(lane.forge.perform(HERE, WRITE))
    run(other.perform(THERE, WRITE))
    assert lane.times() == [("write", 0), ("write", 1), ("write", 2), ("merge", 2), ("write", 4), ("write", 4)]


def test_without_an_interval_nothing_waits() -> None:
    lane = Lane(interval=0)
    for _ in range(3):
        run(lane.forge.perform(HERE, WRITE))
    assert lane.times() == [("write", 0)] * 3


class _Turn:
    """What a sleeping writer waits for: whoever drives it decides when it goes on."""

    def __await__(self) -> Generator[None, None, None]:
        yield


def test_waiting_writers_are_served_check_first_then_comment_label_and_reaction() -> None:
    lane = Lane()

    async def sleep(seconds: float) -> None:
        await _Turn()

    paced = PacedForge(lane.below, Pacing(lane.store, lane.clock, sleep, 1.0))
    run(paced.perform(HERE, WRITE))
    late: list[Write] = [
        React(comment_id=1, content="+1"),
        WRITE,
        CreateComment(number=1, body="hello", marker="m"),
        CreateCheckRun(head="a" * 40, status="completed", conclusion="success", title="", summary="", external_id="x"),
    ]
    writers = [paced.perform(HERE, write) for write in late]
    _turn(writers)
    while writers:
        lane.clock.advance(1)
        _turn(writers)

    assert lane.below.kinds[1:] == ["create_check_run", "create_comment", "add_labels", "react"]
    assert [at for _, at in lane.times()] == [0, 1, 2, 3, 4]


def _turn(writers: list[Coroutine[Any, Any, Any]]) -> None:
    for writer in list(writers):
        try:
            writer.send(None)
        except StopIteration:
            writers.remove(writer)


def test_i29_a_pause_that_the_merge_was_told_of_holds_for_everything() -> None:
    lane = Lane()
    lane.below.limit = timedelta(seconds=30)
    run(lane.sender.merge(HERE, None, lambda: True))  # type: ignore[arg-type]  # the recorder spends no permit

    for ask in (lane.starts().perform(HERE, WRITE), lane.starts().read(HERE, LabelsOn(1))):
        with pytest.raises(RateLimited):
            run(ask)
    assert lane.times() == [("merge", 0)]


def permit() -> MergePermit:
    order = MergeOrder("r1", "a1", 2, "a" * 40, "main", "squash", "title", "body", "sync")
    return MergePermit(MergePermit._seal, order)


def test_i29_a_merge_is_not_sent_during_a_pause() -> None:
    lane = Lane()
    lane.below.limit = timedelta(seconds=30)
    with pytest.raises(RateLimited):
        run(lane.forge.perform(HERE, WRITE))

    kept = permit()
    reply = run(lane.sender.merge(HERE, kept, lambda: True))

    assert kept.spend().attempt == "a1", "nothing was sent, so nothing is spent"
    assert (reply.sent, reply.not_before) == (False, lane.clock.now() + timedelta(seconds=30))
    assert lane.times() == [("write", 0)]


def refused(lane: Lane) -> float:
    """How long the lane is closed after one more refusal that names no time."""
    lane.below.limit, lane.below.named = timedelta(seconds=60), False
    with pytest.raises(RateLimited):
        run(lane.forge.perform(HERE, WRITE))
    until = run(lane.pacing.paused_until(HERE))
    assert until is not None
    return (until - lane.clock.now()).total_seconds()


def test_i29_a_limit_that_names_no_time_is_waited_for_twice_as_long_each_time_it_comes_again() -> None:
    lane = Lane()
    waits: list[float] = []
    for _ in range(9):
        waits.append(refused(lane))
        lane.clock.advance(waits[-1] + 1)
    assert waits == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]
    lane.clock.advance(3 * 3600)
    assert refused(lane) == 60


def test_a_limit_that_was_met_twice_at_once_is_waited_for_once() -> None:
    lane = Lane()
    assert refused(lane) == 60
    run(lane.pacing.refused(HERE, RateLimited("x", lane.clock.now() + timedelta(seconds=60), named=False)))
    until = run(lane.pacing.paused_until(HERE))
    assert until == lane.clock.now() + timedelta(seconds=60)
