"""A pytest plugin that writes down how each test of a run ended, one JSON object a line.

A defect counts as found only when the test itself objects: an assertion, an expected exception that did not come, or
the safety kernel. A test that cannot be collected, breaks on a name or hangs has found nothing.
"""

import json
import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

#: The environment variable that names the file.
WHERE = "SIGNALBOX_WITNESS"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.when == "call" or report.failed:
        how = "passed" if report.passed else _objection(call)
        line = json.dumps({"node": item.nodeid, "when": call.when, "how": how})
        with Path(os.environ[WHERE]).open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
    return report


def _objection(call: pytest.CallInfo[Any]) -> str:
    if call.excinfo is None:
        return "skipped"
    error = call.excinfo.value
    text = f"{type(error).__name__}: {error}"
    hung = isinstance(error, pytest.fail.Exception) and str(error).startswith("Timeout")
    objects = isinstance(error, AssertionError | pytest.fail.Exception) or type(error).__name__ == "KernelRefused"
    return f"objected: {text}" if objects and call.when == "call" and not hung else f"broke: {text}"
