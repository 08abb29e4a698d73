"""What holds for all tests: drawn examples are the same in every run; `make proof` draws new ones."""

import pytest
from hypothesis import settings

from tests.simulation.effort import PROOF

#: Before anybody imports them: what these assert is told with its parts.
pytest.register_assert_rewrite("tests.kit.town", "tests.kit.change")

settings.register_profile("suite", derandomize=True, database=None, deadline=None)
settings.register_profile("proof", max_examples=2_000, deadline=None)
settings.load_profile("proof" if PROOF else "suite")
