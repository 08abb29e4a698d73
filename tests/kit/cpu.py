"""A pytest plugin, `-p tests.kit.cpu`: the processor's seconds of each test function, dearest first, with those of the
processes that it has waited for. What several tests share is counted where it is made, and a process where it ends."""

import resource
import time
from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

#: Lines at the end of a run.
MOST = 40
_begun: dict[str, float] = {}
_spent: Counter[str] = Counter()


def _now() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def pytest_runtest_logstart(nodeid: str) -> None:
    _begun[nodeid] = _now()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.when == "teardown":  # goes with the report, whichever process runs the test
        report.user_properties.append(("cpu", _now() - _begun.pop(item.nodeid)))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "teardown":
        seconds: Any = dict(report.user_properties)["cpu"]
        _spent[report.nodeid.partition("[")[0]] += seconds


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.section(f"{sum(_spent.values()):.1f} s of CPU in tests")
    for name, seconds in _spent.most_common(MOST):
        terminalreporter.write_line(f"{seconds:7.2f}  {name}")
