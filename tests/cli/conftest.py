from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.bootstrap.operations import LocalOperations
from bot.cli.main import app
from bot.settings import reference

Run = Callable[..., Result]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty DATA_DIR, and nothing else is set."""
    monkeypatch.chdir(tmp_path)
    for row in reference():
        monkeypatch.delenv(row.name, raising=False)
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def run(data: Path) -> Run:
    """Run one command line in this process."""
    return lambda *words: CliRunner().invoke(app, " ".join(words).split(), obj=LocalOperations())


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
