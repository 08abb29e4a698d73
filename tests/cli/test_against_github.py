"""Operators' commands as real processes beside a GitHub that answers over HTTP: with the running server, and when none
runs."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.github_process import SECRET
from tests.kit.processes import PATIENCE, ROOT, BotProcess, GitHubProcess

ISSUE, PULL = 1, 2


class Office:
    """octo/app#1 is in testing when somebody asks a question; `types` is an operator at the machine."""

    def __init__(self, folder: Path) -> None:
        self.github = GitHubProcess()
        self.folder = folder
        self.settings = {
            "APP_ID": str(self.github.app_id),
            "PRIVATE_KEY": self.github.key,
            "WEBHOOK_SECRET": SECRET,
            "GITHUB_API_URL": self.github.url,
            "WRITE_INTERVAL_SECONDS": "0",
            "CHECKS_SETTLE_SECONDS": "0.2",
        }
        self.bot = BotProcess(folder, self.settings)
        self.github.tells("points_webhooks_to", url=f"{self.bot.url}/api/github/webhooks")

    def until_blocked(self) -> None:
        tells = self.github.tells
        tells("labels")
        self.says("ada", ISSUE, "/plan\nTry three times.", "**plan_ready**")
        self.says("grace", ISSUE, "/approve r1", "**building**")
        tells("opens_pull")
        tells("waits_for_status", number=PULL, texts=["**testing**"])
        self.says("grace", PULL, "/block Which key store?", "**blocked**")
        tells("waits_for_webhooks")

    def says(self, who: str, number: int, text: str, then: str) -> None:
        self.github.tells("says", who=who, number=number, text=text)
        self.github.tells("waits_for_status", number=number, texts=[then])

    def types(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "bot", *words],
            cwd=self.folder,
            env={"PYTHONPATH": str(ROOT), "DATA_DIR": str(self.folder), **self.settings},
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    there = Office(tmp_path)
    there.until_blocked()
    yield there
    there.bot.kill()
    there.github.ends()


@pytest.mark.parametrize("runs", [True, False], ids=["a server runs", "none runs"])
def test_blocked_work_goes_on_after_github_was_read(office: Office, runs: bool) -> None:
    if not runs:
        office.bot.kill()

    looked = office.types("resume", "octo/app#1", "testing", "--dry-run")
    done = office.types("resume", "octo/app#1", "testing", "--yes")

    assert f"  · GitHub shows pull request #{PULL} open, head " in looked.stdout
    assert (looked.returncode, done.returncode, done.stderr.startswith("Done. octo/app#1 is in testing")) == (
        0,
        0,
        True,
    )
    assert office.types("verify-history").returncode == 0
    if runs:
        office.github.tells("waits_for_status", number=PULL, texts=["**testing**"])


def test_while_github_does_not_answer_nothing_is_assumed(office: Office) -> None:
    office.bot.kill()
    office.settings["GITHUB_API_URL"] = "http://127.0.0.1:9"

    refused = office.types("resume", "octo/app#1", "testing", "--yes")

    assert refused.returncode == 1
    assert refused.stderr.startswith("It cannot be decided now: Unreachable: ")
    assert refused.stderr.endswith("Nothing changed. Repeat it in a few minutes.\n")
