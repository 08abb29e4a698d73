"""Killed in the merge section, at every point and at every pair of points: once anywhere after the last gate, and again
anywhere while it recovers, until the end is stored. `make proof` kills the second time after that as well."""

import pytest

from tests.simulation.crash_graph import QUIET, Graph, acting
from tests.simulation.effort import PROOF
from tests.simulation.golden import Golden
from tests.simulation.mortal import Crasher, WatchedStage
from tests.simulation.test_crash_points import expected


def before_the_last_gate() -> Golden:
    golden = Golden(WatchedStage(Crasher()))
    for act in golden.acts[:-1]:
        act()
        golden.rest()
    return golden


def may_die(golden: Golden, step: int, kills: int) -> bool:
    """Once anywhere, and again while the merge is not over."""
    if kills == 1 and not PROOF:
        return golden.stage.record("octo/app", golden.issue.number).phase != "done"
    return kills < 2


@pytest.mark.timeout(1800 if PROOF else 300)
def test_killed_twice_while_merging_nothing_is_asked_twice() -> None:
    graph = Graph([*acting(-1), *QUIET], may_die, ends_well=lambda end: end.ends_well(expected()))

    graph.explores(before_the_last_gate())

    assert graph.killed[1] > 80
    assert graph.killed[2] > 400
    assert graph.ends > 20
