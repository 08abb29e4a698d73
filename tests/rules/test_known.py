"""Each known fault of bots of this kind, and each threat, has a test that names it, and no test names one it is not kept for."""

import re
from pathlib import Path

import pytest
import yaml

from tests.rules.shown import TESTS, docstring_of, said_in

TABLE = Path(__file__).with_name("known.yaml")
SHARED = TESTS.parents[1] / "shared" / "reference"
ROWS = re.compile(r"known-faults\.md, rows? (\d+(?:(?:, | and )\d+)*)")
THREATS = re.compile(r"\bT\d{1,2}\b")
STEP = re.compile(r"\(steps? \d+")

KNOWN = yaml.load(TABLE.read_text(encoding="utf-8"), yaml.CSafeLoader)
TESTS_OF: dict[str, list[str]] = {
    str(name): shown for part in ("known-faults", "threats") for name, shown in KNOWN[part].items()
}


def named(docstring: str) -> set[str]:
    """The rows and threats that a docstring names."""
    rows = {row for found in ROWS.findall(docstring) for row in re.findall(r"\d+", found)}
    return rows | set(THREATS.findall(docstring))


@pytest.mark.parametrize("name", TESTS_OF)
def test_each_fault_and_threat_has_tests_that_name_it(name: str) -> None:
    assert TESTS_OF[name]
    assert [test for test in TESTS_OF[name] if name not in named(docstring_of(test) or "")] == []


def test_no_test_names_what_it_is_not_kept_for() -> None:
    kept = {(name, test) for name, tests in TESTS_OF.items() for test in tests}
    found = {
        (name, _short(path, function))
        for path in sorted(TESTS.rglob("test_*.py"))
        for function, docstring in said_in(path).items()
        if function.startswith("test_")
        for name in named(docstring)
    }
    assert found - kept == set()


def _short(path: Path, function: str) -> str:
    place = path.parent.relative_to(TESTS).as_posix()
    stem = path.stem.removeprefix("test_")
    return f"{stem if place == 'scenarios' else f'{place}/{stem}'}::{function.removeprefix('test_')}"


def test_what_comes_later_says_with_which_step() -> None:
    assert [name for name, why in KNOWN["later"].items() if not STEP.search(why)] == []


@pytest.mark.skipif(not SHARED.exists(), reason="the specification is not beside this repository")
def test_nothing_of_the_specification_is_forgotten() -> None:
    faults = (SHARED / "known-faults.md").read_text(encoding="utf-8")
    threats = (SHARED / "threats.md").read_text(encoding="utf-8")
    said = [*re.findall(r"^\| (\d+)\b", faults, re.MULTILINE), *re.findall(r"^\*\*(T\d+) ", threats, re.MULTILINE)]
    assert set(said) == TESTS_OF.keys() | KNOWN["later"].keys()


def test_a_row_is_found_in_a_docstring() -> None:
    assert named("Known-faults.md, row 4; T8. See known-faults.md, rows 2, 16 and 52.") == {"2", "16", "52", "T8"}
