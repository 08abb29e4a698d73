"""What a test needs and this machine has not: a failure where everything is checked (`CI=true`), else said at the end of the run,
in a line for each thing that is missing."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NoReturn

import pytest


def absent(what: str) -> NoReturn:
    """`what` says what is missing and how to get it."""
    if os.environ.get("CI"):
        pytest.fail(what, pytrace=False)
    pytest.skip(what)


def left_out(reasons: Iterable[str]) -> Iterator[str]:
    """A line for each of the reasons, however many tests it left out. `reasons` as pytest reports them."""
    for reason, number in sorted(Counter(reasons).items()):
        yield f"{number} {'test was' if number == 1 else 'tests were'} left out: {reason.removeprefix('Skipped: ')}"
