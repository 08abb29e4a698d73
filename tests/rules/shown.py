"""Tables of the specification name their tests as "a::b": test_b in tests/scenarios/test_a.py; other directories are named."""

import ast
from functools import cache
from pathlib import Path

from tests.rules.kit import ROOT

TESTS = ROOT / "tests"


def file_of(test: str) -> Path:
    place, _, stem = test.partition("::")[0].rpartition("/")
    return TESTS / (place or "scenarios") / f"test_{stem}.py"


@cache
def said_in(path: Path) -> dict[str, str]:
    """The functions of a file with their docstrings; none where there is no such file."""
    if not path.is_file():
        return {}
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {one.name: ast.get_docstring(one) or "" for one in tree.body if isinstance(one, functions)}


def docstring_of(test: str) -> str | None:
    """What a test says of itself; None when there is no such test."""
    return said_in(file_of(test)).get(f"test_{test.partition('::')[2]}")
