"""kill -9 at every commit and every request of the golden path: restarted, it ends in the same place."""

from functools import cache

import pytest

from bot.store.chain import verify
from tests.simulation.crash_graph import QUIET, Graph, acting
from tests.simulation.effort import PROOF
from tests.simulation.golden import Golden
from tests.simulation.mortal import Crasher, MortalStage, WatchedStage

#: Every STRIDE-th point is crashed at for real, one after the other, and played to the end.
STRIDE = 11 if PROOF else 211


def plays(crasher: Crasher) -> Golden:
    golden = Golden(MortalStage(crasher))
    for act in golden.acts:
        act()
        golden.rest()
    golden.rest(1200)
    return golden


def points() -> int:
    crasher = Crasher()
    plays(crasher)
    return crasher.seen


@cache
def expected() -> dict[str, object]:
    outcome = plays(Crasher()).outcome()
    assert outcome["phase"] == "done"
    assert len(outcome["landings"]) == 1  # type: ignore[arg-type]
    return outcome


@pytest.mark.timeout(900)
def test_a_bot_killed_anywhere_ends_in_the_same_place() -> None:
    """What follows the last gate is in `test_crash_pairs`; `make proof` kills there once more."""
    golden = Golden(WatchedStage(Crasher()))
    before = [step for act in range(len(golden.acts) - 1) for step in acting(act)]
    graph = Graph(
        [*before, *acting(-1), *QUIET],
        may_die=lambda _, step, kills: not kills and (PROOF or step <= len(before)),
        ends_well=lambda end: end.ends_well(expected()),
    )

    graph.explores(golden)

    assert graph.killed[1] > 250
    assert graph.ends > 5


@pytest.mark.parametrize("point", range(1, points() + 1, STRIDE))
def test_killed_for_real_it_ends_as_the_graph_says(point: int) -> None:
    golden = plays(Crasher(point))

    golden.ends_well(expected())
    record = golden.stage.record("octo/app", golden.issue.number)
    assert verify(golden.stage.history(record.key), record.model_dump(mode="json")) == []


def test_only_the_moment_between_storing_and_sending_needs_a_person() -> None:
    golden = plays(Crasher())
    requested = next(r for r in golden.stage.world.requests if r.operation == "merge_async")

    assert golden.asked == 1
    assert requested.body["sha"] == golden.stage.world.landed[0].head
