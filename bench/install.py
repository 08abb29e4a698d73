"""What the bench runs beside Signalbox: wrk, and the peers in their own environments under `.cache/bench`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from bench.servers import CACHE

PEERS = Path(__file__).parent / "peers"
NODE, PYTHON = ("probot", "octokit"), ("gidgethub", "fastapi")


def install(names: tuple[str, ...] = NODE + PYTHON) -> None:
    """Raises CalledProcessError, or RuntimeError for what only a person can install."""
    if shutil.which("wrk") is None:
        if os.geteuid() != 0 or shutil.which("apt-get") is None:
            raise RuntimeError("wrk is needed, for the load")
        for command in (("apt-get", "update", "-qq"), ("apt-get", "install", "-y", "-qq", "wrk")):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    for name in names:
        target = CACHE / name
        if (target / ".done").exists():
            continue
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(PEERS / name, target)
        (_node if name in NODE else _python)(target)
        (target / ".done").touch()


def python_of(name: str) -> str:
    return str(CACHE / name / "venv" / "bin" / "python")


def _node(target: Path) -> None:
    command = ["npm", "install", "--no-audit", "--no-fund", "--silent", "--no-package-lock"]
    subprocess.run(command, cwd=target, check=True)


def _python(target: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", str(target / "venv")], check=True)
    pip = [str(target / "venv" / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "-r", str(target / "requirements.txt")], check=True)
