"""The contracts of the layers hold, and each of them breaks when somebody crosses it."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.rules.kit import ROOT, text

CONTRACTS = [c["name"] for c in tomllib.loads(text("pyproject.toml"))["tool"]["importlinter"]["contracts"]]
#: One crossing for every contract, in their order.
CROSSINGS = [
    ("bot/ports/forge.py", "import bot.app.merge"),
    ("bot/domain/model/record.py", "import bot.domain.lifecycle.decide"),
    ("bot/domain/merging/proof.py", "import httpx"),
    ("bot/app/merge.py", "def f():\n    import threading"),
    ("bot/ports/runtime.py", "import bot.domain.gates.gate"),
    ("bot/simulator/clock.py", "import bot.domain.lifecycle.kernel"),
    ("bot/web/health.py", "import githubkit"),
    ("bot/cli/screen.py", "import sqlalchemy"),
    ("bot/simulator/clock.py", "import yaml"),
    ("bot/app/effects.py", "from bot.ports.merging import MergeSender"),
    ("bot/app/publish.py", "from bot.domain.model.permit import MergePermit"),
    ("bot/cli/main.py", "import bot.store.engine"),
]


def lint(place: Path) -> "subprocess.CompletedProcess[str]":
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    env = {**os.environ, "PYTHONPATH": str(place), "COLUMNS": "400"}
    return subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, check=False)


def test_nothing_crosses_a_layer() -> None:
    found = lint(ROOT)
    assert found.returncode == 0, found.stdout
    assert f"{len(CONTRACTS)} kept, 0 broken" in found.stdout


def test_every_contract_breaks_when_it_is_crossed(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "bot", tmp_path / "bot", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for path, line in CROSSINGS:
        with (tmp_path / path).open("a", encoding="utf-8") as file:
            file.write(f"\n\n{line}\n")

    found = lint(tmp_path)

    assert [name for name in CONTRACTS if f"{name} BROKEN" not in found.stdout] == []
    assert found.returncode == 1


def test_a_new_part_of_the_program_must_be_given_its_layer(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "bot", tmp_path / "bot", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "bot" / "somewhere.py").write_text("import httpx\n")

    assert "Layers point downwards BROKEN" in lint(tmp_path).stdout
