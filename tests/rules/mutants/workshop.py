"""Where defects are planted and tests are run: in a forked child of a process that has everything imported, or, where a
defect shows only at an import or in a process of its own, in a copy of the product.
"""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.rules.mutants.forking import Standing
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


class Bench:
    """Both; the copy is made when it is first needed."""

    def __init__(self, folder: Path, standing: Standing) -> None:
        self._folder = folder
        self._standing = standing
        self._copy: Copy | None = None

    def without(self, mutant: Mutant) -> list[Ended]:
        """How the killer ends where nothing is planted."""
        return self._runs(mutant.node, {})

    def with_(self, mutant: Mutant) -> list[Ended]:
        planted: dict[str, str] = {}
        for one in mutant.edits():  # two of them may be in one file
            planted[one.file] = one.planted(planted.get(one.file) or one.read(ROOT))
        return self._runs(mutant.node, planted)

    def _runs(self, node: str, planted: dict[str, str]) -> list[Ended]:
        ended = None if node.startswith(PROCESSES) else self._forked(node, planted)
        ended = self._copied(node, planted) if ended is None else ended
        return [one for one in ended if is_of(one.node, node)]

    def _forked(self, node: str, planted: dict[str, str]) -> list[Ended] | None:
        said = self._folder / "witness.jsonl"
        return _said(said) if self._standing.runs(node, planted.items(), said) else None

    def _copied(self, node: str, planted: dict[str, str]) -> list[Ended]:
        self._copy = self._copy or Copy(self._folder / "copy")
        return self._copy.runs(node, planted)


def _said(witness: Path) -> list[Ended]:
    """Without a line about a test, it was not even begun."""
    lines = witness.read_text(encoding="utf-8").splitlines() if witness.exists() else []
    witness.unlink(missing_ok=True)
    return [Ended(one["node"], one["how"]) for one in map(json.loads, lines)]


def _pytest() -> list[str]:
    command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=native", f"--timeout={PATIENCE}"]
    for plugin in PLUGINS:
        command += ["-p", plugin]
    return command


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
    return kept | {"PYTHONPATH": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
