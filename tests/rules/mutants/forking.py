"""A pytest plugin: tests are collected once and not run. Each order that comes is run in a forked child, with functions
exchanged in that child alone.
"""

import importlib
import json
import os
import select
import signal
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from types import FunctionType

import pytest

from tests.rules.mutants.swap import Living, Pair, pairs, swap
from tests.rules.mutants.witness import WHERE

#: Environment variables with the file descriptors of the two pipes.
ORDERS, ANSWERS = "SIGNALBOX_ORDERS", "SIGNALBOX_ANSWERS"
#: Seconds after which a child is ended, whatever it does. One test is ended earlier, by `--timeout`.
PATIENCE = 100
#: The functions to change in each of these ways.
Exchange = tuple[list[FunctionType], list[Pair]]


def orders(node: str, edits: Iterable[tuple[str, str]], witness: Path) -> str:
    """An order as a line: the tests to run, files with their planted text, and where to write how they ended."""
    return json.dumps({"node": node, "edits": list(edits), "witness": str(witness)})


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    living, tests = Living(), _cases(session.items)
    with os.fdopen(int(os.environ[ORDERS])) as coming, os.fdopen(int(os.environ[ANSWERS]), "w") as going:
        for line in coming:
            order = json.loads(line)
            exchanges = [_exchange(living, file, planted) for file, planted in order["edits"]]
            known = [one for one in exchanges if one is not None]
            if len(known) == len(exchanges):
                _in_a_child(session, tests.get(order["node"], []), order["witness"], known)
            going.write("done\n" if len(known) == len(exchanges) else "cannot\n")
            going.flush()
    return True


def _exchange(living: Living, file: str, planted: str) -> Exchange | None:
    """None: this defect is not inside functions alone."""
    found = pairs((Path(__file__).parents[3] / file).read_text(encoding="utf-8"), planted, file)
    if found is None:
        return None
    module = file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    importlib.import_module(module)
    return living.of(module), found


def _cases(items: Iterable[pytest.Item]) -> dict[str, list[pytest.Item]]:
    """Tests by their node, with and without a parameter. Made once: a child that looked through all of them would copy every
    page of memory that they lie in."""
    found = defaultdict(list)
    for item in items:
        for node in {item.nodeid, item.nodeid.partition("[")[0]}:
            found[node].append(item)
    return found


def _in_a_child(
    session: pytest.Session, chosen: Iterable[pytest.Item], witness: str, exchanges: list[Exchange]
) -> None:
    ending, held = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.environ[WHERE] = witness
            for alive, exchanged in exchanges:
                swap(alive, exchanged)
            _runs(session, chosen)
        finally:
            os._exit(0)  # nothing of the parent's end is ours to do
    os.close(held)
    if not select.select([ending], [], [], PATIENCE)[0]:
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(ending)


def _runs(session: pytest.Session, chosen: Iterable[pytest.Item]) -> None:
    """Until the first that does not pass."""
    for item in chosen:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        if session.testsfailed:
            return
