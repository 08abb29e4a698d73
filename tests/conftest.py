"""What holds for all tests: drawn examples are the same in every run; `make proof` draws new ones."""

import gc
import os
import sys

import pytest
from hypothesis import Phase, settings

from tests.kit import quick_http
from tests.kit.absent import left_out
from tests.rules.mutants.witness import WHERE
from tests.simulation.effort import PROOF

# Nearly all that is imported and collected stays: looking through it for garbage again and again is an eighth of that time.
gc.set_threshold(50_000, 20, 20)
#: Before anybody imports them: what these assert is told with its parts.
pytest.register_assert_rewrite("tests.kit.town", "tests.kit.change")
# httpx asks for it with every request to an app in process. A module known to be absent is not looked for on disk each
# time: a twelfth of the scenarios' time.
sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type]  # None is how Python itself notes it
quick_http.install()

settings.register_profile("suite", derandomize=True, database=None, deadline=None)
settings.register_profile("proof", max_examples=2_000, deadline=None)
settings.load_profile("proof" if PROOF else "suite")
if WHERE in os.environ:  # a planted defect is found by the first example; nobody reads the smallest
    settings.register_profile("planted", settings(), phases=(Phase.explicit, Phase.generate))
    settings.load_profile("planted")


def pytest_collection_finish() -> None:
    """What was imported stays to the end: nobody has to look through it for garbage again and again."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", ())
    for line in left_out(report.longrepr[2] for report in skipped):
        terminalreporter.write_line(line)


@pytest.fixture
def anyio_backend() -> str:
    """The product runs on asyncio alone."""
    return "asyncio"
