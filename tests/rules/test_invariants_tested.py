"""Each invariant of LIFECYCLE.md section 9 has a test that bears its id, and a planted defect that this test sees."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rules.mutants.catalogue import ALL
from tests.rules.mutants.workshop import ROOT

#: Of tasks and contracts, which do not exist yet.
LATER = frozenset({19, 20, 21, 22})
INVARIANTS = [number for number in range(1, 33) if number not in LATER]
SHARED = ROOT.parent / "shared" / "LIFECYCLE.md"
_NAME = re.compile(r"^test_i(\d+)_")


def numbered(path: Path) -> Iterator[tuple[int, str]]:
    """Tests of a file that bear an id, as (id, name)."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        found = _NAME.match(getattr(node, "name", ""))
        if found:
            yield int(found[1]), f"{path.relative_to(ROOT / 'tests')}::{node.name}"  # type: ignore[attr-defined]  # a function


NAMED = {entry for path in sorted((ROOT / "tests").rglob("test_*.py")) for entry in numbered(path)}
#: By whichever of its cases.
SEEN = {mutant.killer.partition("[")[0] for mutant in ALL}


@pytest.mark.parametrize("number", INVARIANTS)
def test_an_invariant_has_a_test_of_its_id(number: int) -> None:
    assert [name for found, name in NAMED if found == number], f"no test is called test_i{number}_…"


@pytest.mark.parametrize("number", INVARIANTS)
def test_an_invariant_has_a_planted_defect_that_its_test_sees(number: int) -> None:
    names = [name for found, name in NAMED if found == number]
    assert set(names) & SEEN, f"no planted defect names one of {names}"


def test_no_test_bears_an_id_that_does_not_exist() -> None:
    assert {number for number, _ in NAMED} <= {*INVARIANTS, *LATER}


@pytest.mark.skipif(not SHARED.exists(), reason="the specification is not beside this repository")
def test_the_ids_are_those_of_the_specification() -> None:
    section = SHARED.read_text(encoding="utf-8").partition("## 9. Invariants")[2]
    assert {int(number) for number in re.findall(r"\*\*I(\d+)\*\*", section)} == {*INVARIANTS, *LATER}
