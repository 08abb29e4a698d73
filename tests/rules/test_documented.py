"""Whatever people can type, set, call or be told is in the documentation, and what is made from code is fresh."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
import typer

from bot.app.browse import Browser
from bot.cli.main import app
from bot.documents.yaml_text import read
from bot.domain.commands.catalogue import COMMANDS
from bot.domain.lifecycle.builtin import DELIVERY
from bot.domain.model.policy import STRICT
from bot.domain.model.refusals import MEANINGS, REFUSAL_CODES
from bot.domain.policy.keys import keys
from bot.domain.policy.reading import read_policy
from bot.settings import reference
from bot.store.inline import InlineStore
from bot.web.api import Api
from bot.web.codes import CODES
from bot.web.health import Health
from bot.web.pages.routes import Pages
from tests.rules.kit import ROOT, text, tracked
from tests.web.kit import SetClock

GENERATE = ROOT / "docs" / "generate.py"


def missing(names: Iterable[str], page: str) -> list[str]:
    """Names that the page has not in a code span of their own."""
    spans = set(re.findall(r"`([^`\n]+)`", text(page)))
    return [name for name in names if name not in spans]


def words(command: object, before: str = "signalbox") -> list[str]:
    children = getattr(command, "commands", None)
    if children is None:
        return [before]
    return [found for name, child in children.items() for found in words(child, f"{before} {name}")]


def test_every_command_is_documented() -> None:
    assert missing([f"/{command.name}" for command in COMMANDS], "docs/commands.md") == []
    assert missing(["/merge-at-once"], "docs/commands.md") == ["/merge-at-once"]


def test_every_refusal_code_has_a_meaning_and_is_documented() -> None:
    assert list(MEANINGS) == list(REFUSAL_CODES)
    assert missing(REFUSAL_CODES, "docs/refusals.md") == []


def test_every_error_code_of_the_web_has_a_meaning_and_a_status_and_is_documented() -> None:
    """All places where one is answered: `error(status, code`, `Problem(status, code`, and the table of plain statuses."""
    answered: set[tuple[int, str]] = set()
    for path in tracked("bot/web/*.py"):
        source = text(path)
        answered |= {
            (int(status), code)
            for status, code in re.findall(r"(?:error|Problem)\((?:send, )?([45]\d\d), \"([a-z_]+)\"", source)
        }
        answered |= {(int(s), code) for s, code in re.findall(r"^    (4\d\d): \(\"([a-z_]+)\"", source, re.MULTILINE)}
    listed = {(one.status, one.name) for one in CODES}

    assert len(answered) > 15
    assert listed - {(400, "bad_request")} == answered  # what stands for all statuses without a sentence of their own
    assert missing((one.name for one in CODES), "docs/api.md") == []


@pytest.mark.parametrize("page", ["README.md", "docs/settings.md"])
def test_every_setting_is_documented(page: str) -> None:
    assert missing([row.name for row in reference()], page) == []
    assert [row.name for row in reference() if not row.meaning] == []


def test_every_route_is_documented() -> None:
    read = InlineStore(":memory:", SetClock()).read
    pages = Pages(read, lambda _tx, _record: STRICT, "https://github.com")
    entries = (*Health(()).entries(), *Api(Browser(read, lambda _tx, _record: STRICT)).entries(), *pages.entries())
    assert missing([f"GET {entry.path.replace(':int', '')}" for entry in entries], "docs/api.md") == []
    assert missing(["POST {WEBHOOK_PATH}"], "docs/api.md") == []


def test_every_command_of_the_command_line_is_documented() -> None:
    assert missing(words(typer.main.get_command(app)), "docs/command-line.md") == []


def test_every_key_of_the_policy_file_is_documented_with_a_meaning() -> None:
    names = [".".join(map(str, key.path)) for key in keys()]
    assert missing(names, "docs/policy.md") == []
    table = text("docs/policy.md").partition("<!-- made by `make docs`: keys -->")[2]
    rows = re.findall(r"^\| `([^`]+)` \|.*\| ([^|]*) \|$", table, re.MULTILINE)
    assert [name for name, meaning in rows if not meaning.strip()] == []
    assert [name for name, _ in rows] == names


def test_every_policy_file_in_the_documentation_can_be_used() -> None:
    examples = re.findall(r"```yaml\n(version:.*?)```", text("docs/policy.md"), re.DOTALL)
    assert examples
    for example in examples:
        levels = {finding.level for finding in read_policy(read(example.encode())).findings}
        assert levels <= {"notice"}


def test_every_phase_guard_and_action_is_documented() -> None:
    document = DELIVERY.document
    named = [*document.states, *(named.id for named in (*document.guards, *document.actions))]
    assert missing(named, "docs/lifecycle.md") == []


def test_what_is_made_from_code_is_fresh() -> None:
    checked = subprocess.run(
        [sys.executable, GENERATE, "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


def test_a_page_that_was_edited_by_hand_is_not_fresh(tmp_path: Path) -> None:
    shutil.copy(ROOT / "README.md", tmp_path)
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    page = tmp_path / "docs" / "refusals.md"
    page.write_text(page.read_text().replace("| `held` |", "| `kept` |"))

    checked = subprocess.run(
        [sys.executable, GENERATE, "--check"], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert (checked.returncode, checked.stdout) == (1, "docs/refusals.md is not fresh: run make docs\n")
