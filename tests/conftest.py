"""What holds for all tests: drawn examples are the same in every run; `make proof` draws new ones."""

from hypothesis import settings

from tests.simulation.effort import PROOF

settings.register_profile("suite", derandomize=True, database=None)
settings.register_profile("proof", max_examples=2_000)
settings.load_profile("proof" if PROOF else "suite")
