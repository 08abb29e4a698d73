"""Each planted defect turns its test red, and without it the same test is green."""

from typing import Any

import pytest

from tests.rules.mutants.catalogue import ALL
from tests.rules.mutants.mutant import Mutant, Stale
from tests.rules.mutants.workshop import ROOT, Bench
from tests.simulation.effort import PROOF

NAME = "test_a_planted_defect_is_found"
#: Those that a test of the pure core sees, with every change; of those that need a whole bot every twentieth. PROOF=1 takes all.
PLANTED = [one for n, one in enumerate(ALL) if PROOF or one.node.startswith("tests/domain/") or n % 20 == 0]


@pytest.fixture(scope="module")
def bench(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """For what was selected only."""
    planting = [item for item in request.session.items if isinstance(item, pytest.Function)]
    chosen: list[Any] = [item.callspec.params["mutant"] for item in planting if item.originalname == NAME]
    return Bench(tmp_path_factory.mktemp("mutants") / "copy", chosen)


@pytest.mark.parametrize("mutant", PLANTED, ids=[mutant.name.replace(" ", "-") for mutant in PLANTED])
def test_a_planted_defect_is_found(mutant: Mutant, bench: Bench) -> None:
    honest = bench.without(mutant)
    assert honest, f"{mutant.node} does not exist"
    assert {one.how for one in honest} == {"passed"}, f"{mutant.node} is red without any defect: {honest}"
    found = [one.how for one in bench.with_(mutant)]
    assert found, f"{mutant.node} was not even begun with the defect: it cannot be imported"
    assert found[-1].startswith("objected"), f"{mutant.why}\nand {mutant.node} did not say so: {found[-3:]}"


def test_no_two_defects_are_the_same() -> None:
    assert len({mutant.name for mutant in ALL}) == len(ALL)
    assert len({(mutant.file, mutant.old, mutant.new) for mutant in ALL}) == len(ALL)


@pytest.mark.parametrize("mutant", ALL, ids=[mutant.name.replace(" ", "-") for mutant in ALL])
def test_the_text_to_spoil_stands_exactly_once_in_the_product(mutant: Mutant) -> None:
    for one in mutant.edits():
        assert one.planted(one.read(ROOT)) != one.read(ROOT)


def test_a_list_that_no_longer_fits_the_code_says_so() -> None:
    mutant = Mutant("x", "bot/__init__.py", "nowhere to be found", "", "x.py::test", "why")
    with pytest.raises(Stale, match="stands 0 times"):
        mutant.planted(mutant.read(ROOT))
