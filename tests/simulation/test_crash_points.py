"""kill -9 at every commit and every request of the golden path: restarted, it ends in the same place."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from bot.simulator.world import World
from bot.store.chain import verify
from tests.kit.stage import Stage
from tests.simulation.effort import PROOF
from tests.simulation.golden import Golden

#: Every STRIDE-th point is crashed at in the suite; `make proof` crashes at every one.
STRIDE = 1 if PROOF else 41


class Killed(BaseException):
    """The process is gone at this point."""


@dataclass
class Crasher:
    """Counts the points a process can die at, and kills it at the chosen ones. Dead, it does nothing any more: whatever its
    clean-up still tries fails, as after kill -9."""

    at: frozenset[int] = frozenset()
    seen: int = 0
    dead: bool = False

    def point(self) -> None:
        if self.dead:
            raise Killed("dead")
        self.seen += 1
        if self.seen in self.at:
            self.dead = True
            raise Killed(self.seen)


class MortalStage(Stage):
    def __init__(self, crasher: Crasher, world: World | None = None) -> None:
        self.crasher = crasher
        super().__init__(world)
        self.store.before_commit = crasher.point
        self.store.after_commit = crasher.point

    async def pause(self, where: str) -> None:
        self.crasher.point()

    def settles(self) -> None:
        """As `settles`, but a killed bot is started again."""
        while True:
            try:
                super().settles()
            except Killed:
                self.survives()
            else:
                return

    def survives(self) -> None:
        while True:
            self.crasher.dead = False
            try:
                self.restarts()
            except Killed:
                continue
            else:
                return


def plays(crasher: Crasher) -> Golden:
    golden = Golden(MortalStage(crasher))
    for act in golden.acts:
        act()
        golden.rest()
    golden.rest(1200)
    return golden


def died_before_sending(golden: Golden) -> bool:
    """Between storing the request and sending it: nobody can know that it never left, so a person is asked."""
    asked = [request for request in golden.stage.world.requests if request.operation in {"merge", "merge_async"}]
    return not asked


def points() -> Iterator[int]:
    crasher = Crasher()
    plays(crasher)
    return iter(range(1, crasher.seen + 1))


@pytest.fixture(scope="module")
def expected() -> dict[str, object]:
    outcome = plays(Crasher()).outcome()
    assert outcome["phase"] == "done"
    assert len(outcome["landings"]) == 1  # type: ignore[arg-type]
    return outcome


ALL = list(points())


@pytest.mark.parametrize("point", ALL[::STRIDE])
def test_a_bot_killed_anywhere_ends_in_the_same_place(point: int, expected: dict[str, object]) -> None:
    golden = plays(Crasher(frozenset({point})))

    record = golden.stage.record("octo/app", golden.issue.number)
    if died_before_sending(golden):
        assert record.merge.state == "ambiguous"
        assert "it is not known whether" in golden.pull.comments[-1].body
    else:
        assert golden.outcome() == expected
    assert verify(golden.stage.history(record.key), record.model_dump(mode="json")) == []


def test_only_the_moment_between_storing_and_sending_needs_a_person() -> None:
    golden = plays(Crasher())
    requested = next(r for r in golden.stage.world.requests if r.operation == "merge_async")

    assert [r.operation for r in golden.stage.world.requests].count("merge_async") == 1
    assert requested.body["sha"] == golden.stage.world.landed[0].head


def test_the_golden_path_has_many_points_to_die_at() -> None:
    assert len(ALL) > 300
