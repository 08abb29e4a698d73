"""Each planted defect turns its test red, and without it the same test is green."""

import pytest

from tests.rules.conftest import STANDING
from tests.rules.mutants.catalogue import ALL
from tests.rules.mutants.mutant import Mutant, Stale
from tests.rules.mutants.workshop import ROOT, Bench
from tests.simulation.effort import PROOF


@pytest.fixture(scope="module")
def bench(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("mutants"), request.config.stash[STANDING])


@pytest.mark.parametrize("mutant", ALL, ids=[mutant.name.replace(" ", "-") for mutant in ALL])
def test_a_planted_defect_is_found(mutant: Mutant, bench: Bench) -> None:
    if PROOF:  # else the killer runs beside this, in the same suite, where it must be green as well
        honest = bench.without(mutant)
        assert {one.how for one in honest} == {"passed"}, f"{mutant.node} is not green without any defect: {honest}"
    found = [one.how for one in bench.with_(mutant)]
    assert found, f"{mutant.node} was not even begun with the defect: it does not exist, or cannot be imported"
    objected = any(how.startswith("objected") for how in found)
    assert objected, f"{mutant.why}\nand {mutant.node} did not say so: {found[-3:]}"


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
