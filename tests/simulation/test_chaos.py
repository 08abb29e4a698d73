"""Hundreds of seeded histories: whatever fails, nothing unapproved merges, and what merged is known."""

import pytest

from tests.simulation.chaos import Chaos
from tests.simulation.effort import PROOF

SEEDS = 3_000 if PROOF else 16


@pytest.mark.parametrize("seed", range(SEEDS))
def test_nothing_unapproved_merges_whatever_fails(seed: int) -> None:
    chaos = Chaos(seed)
    try:
        chaos.plays()
    except AssertionError as broken:
        raise AssertionError(f"seed {seed}: {broken}\n" + "\n".join(chaos.story)) from broken
