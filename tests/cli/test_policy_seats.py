"""`signalbox policy check FILE --repo OWNER/NAME`: who could fill each seat, as GitHub says it of those who are named."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from tests.kit.github_process import SECRET
from tests.kit.processes import PATIENCE, ROOT, GitHubProcess

Types = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def github() -> Iterator[GitHubProcess]:
    process = GitHubProcess()
    yield process
    process.ends()


@pytest.fixture
def types(github: GitHubProcess, tmp_path: Path) -> Types:
    settings = {"APP_ID": str(github.app_id), "PRIVATE_KEY": github.key, "WEBHOOK_SECRET": SECRET}

    def run(text: str, *words: str, bare: bool = False, **instead: str) -> "subprocess.CompletedProcess[str]":
        (tmp_path / "policy.yml").write_text(text, encoding="utf-8")
        return subprocess.run(
            [sys.executable, "-m", "bot", "policy", "check", "policy.yml", *words],
            cwd=tmp_path,
            env={
                "PYTHONPATH": str(ROOT),
                "DATA_DIR": str(tmp_path),
                "GITHUB_API_URL": github.url,
                **({} if bare else settings),
                **instead,
            },
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )

    return run


def test_each_seat_says_who_could_fill_it(types: Types) -> None:
    said = types(
        "version: 1\nroles:\n  reviewers: {users: [grace, nobody-at-all]}\n"
        "  operators: {permission: maintain, custom_roles: [crew]}\n",
        "--repo",
        "Octo/App",
    )

    assert (said.returncode, said.stdout) == snapshot(
        (
            0,
            """\
policy.yml:3:15: notice: roles.reviewers.users: laxer than preset strict: grace and nobody-at-all without regard to the permission
policy.yml:4:37: notice: roles.operators.custom_roles: laxer than preset strict: crew without regard to the permission
plan, 1 review: grace
testing, 1 review: grace
testing, 1 operator: anybody with maintain or anybody with the custom role crew
submit, 1 review: grace
submit, 1 operator: anybody with maintain or anybody with the custom role crew
nobody-at-all: is nobody who could do anything there.
""",
        )
    )


def test_a_gate_that_nobody_could_complete_is_named(types: Types) -> None:
    said = types(
        "version: 1\nroles:\n  builders: {users: [ada]}\n  reviewers: {users: [ada]}\n", "--repo", "octo/app", "--json"
    )

    shown = json.loads(said.stdout)
    assert (said.returncode, shown["nobody"], shown["unknown"]) == snapshot(
        (
            0,
            {
                "plan": "it needs 1 reviewer, and 0 may review",
                "testing": "it needs 1 reviewer, and 0 may review",
                "submit": "it needs 1 reviewer, and 0 may review",
            },
            [],
        )
    )


def test_without_the_app_or_outside_of_its_reach_it_says_so(types: Types) -> None:
    elsewhere = types("version: 1\n", "--repo", "evil/app")
    silent = types("version: 1\n", "--repo", "octo/app", GITHUB_API_URL="http://127.0.0.1:9")
    unset = types("version: 1\n", "--repo", "octo/app", bare=True)

    assert [one.returncode for one in (elsewhere, silent, unset)] == [1, 1, 1]
    assert elsewhere.stderr == "The App is not installed on evil/app, or may not work there.\n"
    assert silent.stderr.startswith("GitHub did not say who could: Unreachable: ")
    assert unset.stderr.startswith("GitHub can be asked only as the App: ")
