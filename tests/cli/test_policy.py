"""`signalbox policy check`: line by line, before it is committed; no settings, no database, no network."""

import json
import sys
from pathlib import Path
from subprocess import run as process

import pytest

from tests.cli.conftest import Run

GOOD = "version: 1\npreset: lean\nnotify: [octo/core]\n"
BAD = "version: 1\npreset: lean\ngates:\n  plan: {reviews: 0}\n  submit: {reviewers: 2}\n"


@pytest.fixture
def file(data: Path) -> Path:
    return data / "signalbox.yml"


def test_a_good_file_has_nothing_to_say(run: Run, file: Path) -> None:
    file.write_text(GOOD)
    checked = run("policy", "check", "signalbox.yml")
    assert (checked.exit_code, checked.stdout) == (0, "")
    assert checked.stderr == "This file can be used. It begins with preset lean.\n"


def test_every_finding_is_a_line_that_editors_can_jump_to(run: Run, file: Path) -> None:
    file.write_text(BAD)
    checked = run("policy", "check", "signalbox.yml")
    assert checked.exit_code == 1
    assert checked.stdout.splitlines() == [
        "signalbox.yml:5:12: error: gates.submit.reviewers: there is no key reviewers; did you mean reviews?",
    ]
    assert "would not be used: 1 error. The last good version would stay in force" in checked.stderr


def test_a_laxer_rule_is_named_and_the_file_can_be_used(run: Run, file: Path) -> None:
    file.write_text("version: 1\ngates: {testing: {operators: 0}}\ncommands: {bare: [aprove]}\n")
    checked = run("policy", "check", "signalbox.yml")
    assert checked.exit_code == 0
    assert checked.stdout.splitlines() == [
        "signalbox.yml:2:19: notice: gates.testing.operators: laxer than preset strict: 0 instead of 1",
        "signalbox.yml:3:19: warning: commands.bare[0]: there is no command aprove",
    ]


def test_json_has_the_findings_and_the_whole_policy(run: Run, file: Path) -> None:
    file.write_text(GOOD)
    shown = json.loads(run("policy", "check", "signalbox.yml", "--json").stdout)
    assert (shown["accepted"], shown["findings"]) == (True, [])
    assert shown["policy"]["gates"]["testing"] == {"reviews": 0, "operators": 0, "verification": "checks"}
    assert "sha" not in shown["policy"]
    assert "settle_seconds" not in shown["policy"]["checks"]

    file.write_text(BAD)
    refused = run("policy", "check", "signalbox.yml", "--json")
    shown = json.loads(refused.stdout)
    assert (refused.exit_code, shown["accepted"], shown["policy"]) == (1, False, None)
    assert shown["findings"] == [
        {
            "level": "error",
            "line": 5,
            "column": 12,
            "path": "gates.submit.reviewers",
            "message": "there is no key `reviewers`; did you mean `reviews`?",
            "instead": "preset strict",
        }
    ]


@pytest.mark.parametrize("words", ["policy check nowhere.yml", "policy check .", "policy check", "policy"])
def test_a_file_that_is_not_there_is_wrong_usage(run: Run, words: str) -> None:
    wrong = run(words)
    assert wrong.exit_code == 2
    assert wrong.stdout == "" or words == "policy"


def test_a_name_that_is_no_repository_is_wrong_usage_and_says_how_to_write_it(run: Run, file: Path) -> None:
    file.write_text("version: 1\n")
    wrong = run("policy", "check", "signalbox.yml", "--repo", "octo")
    assert (wrong.exit_code, wrong.stderr) == (
        2,
        "Error: --repo octo names no repository: write OWNER/NAME, such as octo/app.\n",
    )


def test_hostile_bytes_are_findings_and_no_fault_of_ours(run: Run, file: Path) -> None:
    for raw in (b"\xff\xfe\x00", b"a: &a [*a]", b"\x00" * 100, b"[" * 20_000, b'version: 1\nnotify: ["\\e[31m"]'):
        file.write_bytes(raw)
        checked = run("policy", "check", "signalbox.yml")
        assert checked.exit_code == 1
        assert "\x1b" not in checked.stdout
        assert ": error: " in checked.stdout


def test_it_works_as_a_process_that_has_no_settings_at_all(file: Path) -> None:
    file.write_text(BAD)
    checked = process(
        [sys.executable, "-m", "bot", "policy", "check", str(file)],
        cwd=Path(__file__).parents[2],
        env={"PATH": "/usr/bin:/bin", "APP_ID": "nonsense"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 1
    assert checked.stdout.startswith(f"{file}:5:12: error: gates.submit.reviewers")
