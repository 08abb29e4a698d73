"""A process that is forked from the one that runs the tests, when all is imported and collected and nothing has run yet. It
waits for orders: each is run in a forked child of its own, with functions exchanged in that child alone.
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
from typing import Any

import pytest
from hypothesis import Phase, settings

from tests.rules.mutants import witness
from tests.rules.mutants.swap import Living, Pair, pairs, swap

#: Seconds after which a child is ended, whatever it does. One test is ended earlier, by its time limit.
PATIENCE = 100
LIMIT = 60
#: The functions to change in each of these ways.
Exchange = tuple[list[FunctionType], list[Pair]]


class Standing:
    """The process that waits, as seen from the one that it comes from. What a test leaves behind there (a cache, a thread)
    is not in it, so it is made before the first."""

    def __init__(self, session: pytest.Session, nodes: Iterable[str]) -> None:
        # A child that made it would clear away what stands there.
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # of pytest's fixture
        theirs, to = os.pipe()
        come, answers = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                os.close(to)
                os.close(come)
                _serve(session, set(nodes), theirs, answers)
            finally:
                os._exit(0)  # nothing of the parent's end is ours to do
        os.close(theirs)
        os.close(answers)
        self._orders, self._answers = os.fdopen(to, "w"), os.fdopen(come)

    def runs(self, node: str, planted: Iterable[tuple[str, str]], said: Path) -> bool:
        """Run these tests with files of this text, and write down how they ended. False: this defect shows only where it is
        imported."""
        self._orders.write(f"{json.dumps({'node': node, 'edits': list(planted), 'said': str(said)})}\n")
        self._orders.flush()
        answer = self._answers.readline().strip()
        assert answer in {"done", "cannot"}, f"no tests stand ready for planted defects: {answer}"
        return answer == "done"

    def ends(self) -> None:
        self._orders.close()
        self._answers.close()
        os.waitpid(self._pid, 0)


def _serve(session: pytest.Session, nodes: set[str], coming: int, going: int) -> None:
    with os.fdopen(coming) as orders, os.fdopen(going, "w") as answers:
        try:
            _falls_silent(session)
            tests = _cases(session.items)
            missing = {node.partition("::")[0] for node in nodes - tests.keys()}
            if missing:  # not all tests were asked for
                session.config.option.keyword = session.config.option.markexpr = ""
                tests |= _cases(session.perform_collect(sorted(missing)))
        except BaseException as error:
            answers.write(f"{error!r}\n")
            raise
        living = Living()
        for line in orders:
            order = json.loads(line)
            exchanges = [_exchange(living, file, planted) for file, planted in order["edits"]]
            known = [one for one in exchanges if one is not None]
            if len(known) == len(exchanges):
                _in_a_child(session, tests.get(order["node"], []), order["said"], known)
            answers.write("done\n" if len(known) == len(exchanges) else "cannot\n")
            answers.flush()


def _falls_silent(session: pytest.Session) -> None:
    """Whoever tells how tests end tells of those of the suite alone. Nobody reads how a test objected beyond its first
    line, which the witness has, nor what it wrote."""
    plugins = session.config.pluginmanager
    for plugin in plugins.get_plugins():
        if hasattr(plugin, "pytest_runtest_logreport") and plugin is not session:
            plugins.unregister(plugin)
    plugins.register(witness)
    capturing: Any = plugins.getplugin("capturemanager")
    capturing.stop_global_capturing()
    capturing._method = "no"
    capturing.start_global_capturing()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    session.config.option.tbstyle = "native"


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
    return dict(found)


def _in_a_child(session: pytest.Session, chosen: Iterable[pytest.Item], said: str, exchanges: list[Exchange]) -> None:
    ending, held = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.environ[witness.WHERE] = said
            for alive, exchanged in exchanges:
                swap(alive, exchanged)
            _runs(session, chosen)
        finally:
            os._exit(0)
    os.close(held)
    if not select.select([ending], [], [], PATIENCE)[0]:
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(ending)


def _runs(session: pytest.Session, chosen: Iterable[pytest.Item]) -> None:
    """Until the first that does not pass."""
    for item in chosen:
        item.add_marker(pytest.mark.timeout(LIMIT))
        _takes_the_first_example(getattr(item, "obj", None))
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        if session.testsfailed:
            return


def _takes_the_first_example(test: Any) -> None:
    """Nobody reads the smallest."""
    drawn: settings | None = getattr(test, "_hypothesis_internal_use_settings", None)
    if drawn is not None:
        test._hypothesis_internal_use_settings = settings(drawn, phases=(Phase.explicit, Phase.generate))
