"""Where defects are planted and tests are run: in a forked child of a process that has everything imported, or, where a
defect shows only at an import or in a process of its own, in a copy of the product.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.rules.mutants.forking import ANSWERS, ORDERS, orders
from tests.rules.mutants.mutant import Mutant, is_of
from tests.rules.mutants.witness import WHERE

ROOT = Path(__file__).resolve().parents[3]
COPIED = ("bot", "tests", "fixtures")
#: Seconds after which a test that hangs is stopped; a hanging test finds nothing.
PATIENCE = 60
PLUGINS = ("anyio.pytest_plugin", "pytest_timeout", "tests.rules.mutants.witness")
#: Tests that start the product as a process of its own, which imports it anew.
PROCESSES = (
    "tests/cli/test_orders.py",
    "tests/cli/test_policy_seats.py",
    "tests/cli/test_serve.py",
    "tests/cli/test_verifying.py",
    "tests/races/test_restart.py",
)


@dataclass(frozen=True, slots=True)
class Ended:
    """How one test ended; `how` is `passed`, `objected: …` or `broke: …`."""

    node: str
    how: str


class Copy:
    """A copy of the product. Byte code is copied with it and never written, so that a planted file is always read anew."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for name in COPIED:
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(".*"))
        shutil.copy2(ROOT / "pyproject.toml", folder)

    def runs(self, node: str, planted: dict[str, str]) -> list[Ended]:
        """Run the killer with these files in place, and take them out again."""
        honest = {name: (self._folder / name).read_text(encoding="utf-8") for name in planted}
        witness = self._folder / "witness.jsonl"
        try:
            for name, text in planted.items():
                self._writes(name, text)
            subprocess.run(  # noqa: PLW1510 - the witness says how it ended
                [sys.executable, "-B", *_pytest(), "-x", node],
                cwd=self._folder,
                env=_environment(self._folder) | {WHERE: str(witness)},
                capture_output=True,
                timeout=300,
            )
        finally:
            for name, text in honest.items():
                self._writes(name, text)
        return _said(witness)

    def _writes(self, name: str, text: str) -> None:
        file = self._folder / name
        file.write_text(text, encoding="utf-8")
        for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
            compiled.unlink()


class Standing:
    """A process that has collected these files of tests and waits for orders."""

    def __init__(self, folder: Path, files: Iterable[str]) -> None:
        theirs, self._to = os.pipe()
        self._from, answers = os.pipe()
        environment = _environment(ROOT) | {ORDERS: str(theirs), ANSWERS: str(answers), WHERE: os.devnull}
        self._witness = folder / "witness.jsonl"
        self._said = (folder / "said").open("w+", encoding="utf-8")
        self._process = subprocess.Popen(
            [
                sys.executable,
                *_pytest(),
                "-p",
                "tests.rules.mutants.forking",
                "-s",
                f"--basetemp={folder / 'tmp'}",
                *files,
            ],
            cwd=ROOT,
            env=environment,
            pass_fds=(theirs, answers),
            stdin=subprocess.DEVNULL,
            stdout=self._said,
            stderr=self._said,
        )
        os.close(theirs)
        os.close(answers)
        self._orders, self._answers = os.fdopen(self._to, "w"), os.fdopen(self._from)

    def runs(self, node: str, planted: dict[str, str]) -> list[Ended] | None:
        """None: this defect shows only where it is imported."""
        self._orders.write(f"{orders(node, planted.items(), self._witness)}\n")
        self._orders.flush()
        answer = self._answers.readline().strip()
        assert answer, f"the tests could not be collected: {Path(self._said.name).read_text(encoding='utf-8')[-2000:]}"
        return _said(self._witness) if answer == "done" else None

    def ends(self) -> None:
        self._orders.close()
        self._process.wait(timeout=60)
        self._answers.close()
        self._said.close()


class Bench:
    """Both, made when they are first needed. Two benches side by side (`pytest -n 2`) are two processes."""

    def __init__(self, folder: Path, mutants: Iterable[Mutant]) -> None:
        self._folder = folder
        self._files = tuple(dict.fromkeys(mutant.node.partition("::")[0] for mutant in mutants))
        self._standing: Standing | None = None
        self._copy: Copy | None = None

    def without(self, mutant: Mutant) -> list[Ended]:
        """How the killer ends where nothing is planted."""
        return self._runs(mutant.node, {})

    def with_(self, mutant: Mutant) -> list[Ended]:
        planted: dict[str, str] = {}
        for one in mutant.edits():  # two of them may be in one file
            planted[one.file] = one.planted(planted.get(one.file) or one.read(ROOT))
        return self._runs(mutant.node, planted)

    def ends(self) -> None:
        if self._standing is not None:
            self._standing.ends()

    def _runs(self, node: str, planted: dict[str, str]) -> list[Ended]:
        ended = None if node.startswith(PROCESSES) else self._forked(node, planted)
        ended = self._copied(node, planted) if ended is None else ended
        return [one for one in ended if is_of(one.node, node)]

    def _forked(self, node: str, planted: dict[str, str]) -> list[Ended] | None:
        self._standing = self._standing or Standing(self._folder, self._files)
        return self._standing.runs(node, planted)

    def _copied(self, node: str, planted: dict[str, str]) -> list[Ended]:
        self._copy = self._copy or Copy(self._folder / "copy")
        return self._copy.runs(node, planted)


def _said(witness: Path) -> list[Ended]:
    """Without a line about a test, it was not even begun."""
    lines = witness.read_text(encoding="utf-8").splitlines() if witness.exists() else []
    witness.unlink(missing_ok=True)
    return [Ended(one["node"], one["how"]) for one in map(json.loads, lines)]


def _pytest() -> list[str]:
    # Nobody reads how a test objected beyond its first line, which the witness has.
    command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=native", f"--timeout={PATIENCE}"]
    for plugin in PLUGINS:
        command += ["-p", plugin]
    return command


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
    return kept | {"PYTHONPATH": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
