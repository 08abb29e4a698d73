import subprocess
from pathlib import Path

import pytest

from tests.kit.absent import absent
from tests.rules.kit import ROOT

#: What `make` looks at in a clone.
CLONE = ("Makefile", ".venv", "bot", "pyproject.toml", "requirements.txt", "requirements-build.txt")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone whose environment is made: that it can be made is shown by whoever runs these tests with `make`."""
    fresh = subprocess.run(["make", "-q", ".venv/.run"], cwd=ROOT, capture_output=True, check=False).returncode == 0
    if not fresh:
        absent("the environment of this clone is not what `make` would make of it now: make .venv/.run")
    for name in CLONE:
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path
