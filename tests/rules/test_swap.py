"""How planted defects get into functions that live: what is reached, and what is left to a process of its own."""

import sys
from types import ModuleType

import pytest

from tests.rules.mutants.swap import Living, pairs, swap

HONEST = """
from functools import cache

LIMIT = 3

def few(number):
    return number < LIMIT

class Gate:
    @property
    def opens(self):
        return all(few(one) for one in (1, 2))

@cache
def kept():
    return "honest"

def made():
    def inner():
        return "honest"
    return inner

inner = made()
"""


@pytest.fixture
def living(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = ModuleType("living")
    monkeypatch.setitem(sys.modules, "living", module)
    exec(compile(HONEST, "living.py", "exec"), module.__dict__)
    return module


@pytest.mark.parametrize(
    ("old", "new", "seen"),
    [
        ("number < LIMIT", "number > LIMIT", "few(1)"),
        ("all(few(one)", "all(not few(one)", "Gate().opens"),
        ('return "honest"\n\ndef', 'return ""\n\ndef', "kept()"),
        ('        return "honest"\n    return inner', '        return ""\n    return inner', "inner()"),
        ('        return "honest"\n    return inner', '        return ""\n    return inner', "made()()"),
        ("    return number < LIMIT", "    limit = 0\n    return number < limit", "few(1)"),
    ],
)
def test_whoever_holds_the_function_has_the_defect(living: ModuleType, old: str, new: str, seen: str) -> None:
    planted = HONEST.replace(old, new)
    assert planted != HONEST
    exchanged = pairs(HONEST, planted, "living.py")
    assert exchanged is not None

    holder = {**living.__dict__}
    swap(Living().of("living"), exchanged)

    assert not eval(seen, holder)


def test_without_a_defect_nothing_is_exchanged() -> None:
    assert pairs(HONEST, HONEST, "living.py") == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3", "LIMIT = 4"),
        ("@cache\n", ""),
        ("    @property\n", ""),
        ("def few(number):", "def few(number=0):"),
        ("inner = made()", "inner = None"),
        ("from functools import cache", "from functools import lru_cache as cache"),
    ],
)
def test_what_runs_at_the_import_is_left_to_a_process_of_its_own(old: str, new: str) -> None:
    assert HONEST.replace(old, new) != HONEST
    assert pairs(HONEST, HONEST.replace(old, new), "living.py") is None
