"""Copies of the product in which defects are planted and tests are run."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.rules.mutants.mutant import Mutant
from tests.rules.mutants.witness import WHERE

ROOT = Path(__file__).resolve().parents[3]
COPIED = ("bot", "tests", "fixtures")
#: Seconds after which a test that hangs is stopped; a hanging test finds nothing.
PATIENCE = 30
PLUGINS = ("anyio.pytest_plugin", "pytest_timeout", "tests.rules.mutants.witness")


@dataclass(frozen=True, slots=True)
class Ended:
    """How one test ended; `how` is `passed`, `objected: …` or `broke: …`."""

    node: str
    how: str


class Workshop:
    """One copy. Byte code is copied with it and never written, so that a planted file is always read anew."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in COPIED:
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(".*"))
        shutil.copy2(ROOT / "pyproject.toml", folder)

    def runs(self, *nodes: str, until_first: bool) -> list[Ended]:
        """Run these tests. Without a line about a test, it was not even begun."""
        witness = self.folder / "witness.jsonl"
        witness.unlink(missing_ok=True)
        command = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--timeout={PATIENCE}"]
        for plugin in PLUGINS:
            command += ["-p", plugin]
        command += ["-x"] if until_first else []
        subprocess.run(  # noqa: PLW1510 - the witness says how it ended
            [*command, *nodes],
            cwd=self.folder,
            env=_environment(self.folder, witness),
            capture_output=True,
            timeout=300,
        )
        lines = witness.read_text(encoding="utf-8").splitlines() if witness.exists() else []
        said = [json.loads(line) for line in lines]
        return [Ended(one["node"], one["how"]) for one in said]

    def plants(self, mutant: Mutant) -> list[Ended]:
        """Run the killer with the defect in place, and take the defect out again."""
        files = {one.file: (self.folder / one.file).read_text(encoding="utf-8") for one in mutant.edits()}
        try:
            for one in mutant.edits():
                self._writes(one.file, one.planted(one.read(self.folder)))
            return self.runs(mutant.node, until_first=True)
        finally:
            for name, honest in files.items():
                self._writes(name, honest)

    def _writes(self, name: str, text: str) -> None:
        file = self.folder / name
        file.write_text(text, encoding="utf-8")
        for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
            compiled.unlink()


class Bench:
    """One workshop and what is known from it. Two benches side by side (`pytest -n 2`) are two processes."""

    def __init__(self, folder: Path, mutants: Iterable[Mutant]) -> None:
        self._workshop = Workshop(folder)
        self._nodes = tuple(dict.fromkeys(mutant.node for mutant in mutants))
        self._unharmed: list[Ended] | None = None

    def without(self, mutant: Mutant) -> list[Ended]:
        """How the killer ends where nothing is planted. All of them are run together, once."""
        if self._unharmed is None:
            self._unharmed = self._workshop.runs(*self._nodes, until_first=False)
        return [one for one in self._unharmed if _is(one.node, mutant.node)]

    def with_(self, mutant: Mutant) -> list[Ended]:
        return [one for one in self._workshop.plants(mutant) if _is(one.node, mutant.node)]


def _is(node: str, wanted: str) -> bool:
    return node == wanted or node.startswith(f"{wanted}[")


def _environment(folder: Path, witness: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
    return kept | {"PYTHONPATH": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", WHERE: str(witness)}
