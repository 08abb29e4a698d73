"""Every file of `bot` keeps the rules of `tests.rules.sources`, and each rule finds what it is for."""

import pytest

from tests.rules.kit import text, tracked
from tests.rules.sources import findings

FILES = tracked("bot/*.py")
PLANTED = [
    ("bot/domain/a.py", "def f():\n    import time\n", "imports time"),
    ("bot/app/a.py", "from uuid import uuid4\n", "imports uuid"),
    ("bot/app/a.py", "from importlib import import_module\nimport_module('asyncio')\n", "imports asyncio"),
    ("bot/domain/a.py", "now = datetime.now(UTC)\n", "asks for the present"),
    ("bot/github/a.py", "clock = datetime.datetime.utcnow\n", "asks for the present"),
    ("bot/store/a.py", "day = date.today()\n", "asks for the present"),
    (
        "bot/app/a.py",
        "def f():\n    try:\n        g()\n    except Exception:\n        log()\n",
        "catches everything in f",
    ),
    (
        "bot/app/a.py",
        "def f():\n    try:\n        g()\n    except (OSError, BaseException):\n        h()\n",
        "everything in f",
    ),
    ("bot/app/inbox.py", "def f():\n    try:\n        g()\n    except:\n        pass\n", "catches everything in f"),
    ("bot/app/a.py", "with suppress(Exception):\n    g()\n", "suppresses everything"),
    ("bot/app/__init__.py", "", "does not say what lives here"),
    ("bot/app/__init__.py", '"""Doc."""\nfrom bot.app.a import b\n', "holds code"),
    ("bot/app/a.py", "x = 1\n" * 301, "301 lines"),
    ("bot/app/a.py", "def f(a, b, c, d, *, e, f, g): ...\n", "takes 7 parameters"),
    ("bot/app/a.py", "def f(a, b, c, d, *, e, f, g): ...  # noqa: PLR0913\n", "takes 7 parameters"),
    ("bot/app/helpers.py", "", "says nothing"),
    ("bot/common/a.py", "", "says nothing"),
]
FINE = [
    ("bot/store/a.py", "import time, uuid\n"),
    ("bot/bootstrap/runtime.py", "now = datetime.now(UTC)\n"),
    ("bot/app/inbox.py", "async def step():\n    try:\n        g()\n    except Exception:\n        h()\n"),
    ("bot/app/a.py", "def f():\n    try:\n        g()\n    except BaseException:\n        h()\n        raise\n"),
    ("bot/app/a.py", "class A:\n    def f(self, a, b, c, d, e, f): ...\n"),
    ("bot/cli/a.py", "def f(a, b, c, d, e, f, g): ...  # noqa: PLR0913 - typer reads them\n"),
]


@pytest.mark.parametrize("path", FILES)
def test_a_source_file_keeps_the_rules(path: str) -> None:
    assert list(findings(path, text(path))) == []


@pytest.mark.parametrize(("path", "planted", "found"), PLANTED)
def test_a_planted_offence_is_found(path: str, planted: str, found: str) -> None:
    assert [finding for finding in findings(path, planted) if found in finding]


@pytest.mark.parametrize(("path", "planted"), FINE)
def test_what_is_allowed_is_not_found(path: str, planted: str) -> None:
    assert list(findings(path, planted)) == []


def test_there_are_files_to_look_at() -> None:
    assert len(FILES) > 150
