"""`signalbox settle`, `resume` and `retry` as people type them: what stands there before anything is done, and what refuses."""

import asyncio
import json
import os
import pty
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bot.bootstrap.operations import actor
from bot.domain.model.policy import STRICT
from bot.domain.model.policy_file import ABSENT
from bot.domain.model.record import Blocked, Phase, Question
from bot.ports.policies import PolicyVersion
from bot.store import engine
from tests.cli.conftest import Run
from tests.cli.test_serve import APP, COMMAND, Serve, environment, serve
from tests.web.kit import GRACE, NOON, SetClock, record, save_new

__all__ = ["serve"]  # a fixture
RESUME = "resume octo/app#12 planning"


@pytest.fixture
def blocked(data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One record that waits for an operator, a repository whose rules are known, and a configured App; nothing of it needs
    GitHub."""
    for name, value in APP.items():
        monkeypatch.setenv(name, value)
    why = Blocked.model_validate(
        {
            "reason": "question `q1` needs an answer",
            "from": "planning",
            "since": NOON,
            "cause": "question",
            "by": GRACE,
            "state": "awaiting",
            "version": 1,
        }
    )
    question = Question(id="q1", text="Which \x1b[2Jkey store?", asked_by=GRACE)
    phase: Phase = "blocked"
    waits = record(12, phase=phase, plan=None, blocked=why, questions=(question,))

    ruled = PolicyVersion(
        repository_id=waits.repository_id, commit=None, blob=ABSENT, accepted=True, policy=STRICT, since=NOON
    )

    async def fill() -> None:
        store = engine.open(f"sqlite:///{data}/signalbox.db", SetClock())
        await store.run(lambda tx: save_new(tx, waits))
        await store.run(lambda tx: tx.policies.add(ruled))
        await store.close()

    asyncio.run(fill())
    return data


def history(run: Run) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(run("lifecycles", "history", "octo/app#12", "--json").stdout)
    return rows


def test_what_it_will_do_and_why_stands_there_before_it_is_done(run: Run, blocked: Path) -> None:
    done = run(RESUME, "--yes")

    assert (done.exit_code, done.stderr) == (0, "Done. octo/app#12 is in planning, version 2.\n")
    assert done.stdout.splitlines() == [
        "octo/app#12 is in blocked, version 1.",
        "  · blocked in planning since 30 Nov 2026, 12:00 UTC: question q1 needs an answer",
        "  · question q1 is open: Which [2Jkey store?",
        f"What will be written, as {actor()}:",
        "  v2 blocked → planning  resume_unchanged  resumed in planning; q1 left open",
    ]
    assert history(run)[1]["actor"] == {"kind": "cli", "id": 0, "login": actor()}


def test_a_dry_run_and_an_unasked_script_change_nothing(run: Run, blocked: Path) -> None:
    dry, unasked = run(RESUME, "--dry-run"), run(RESUME)

    assert (dry.exit_code, dry.stderr) == (0, "Nothing was changed: this was a dry run.\n")
    assert unasked.exit_code == 2
    assert "Repeat it with --yes to do it" in unasked.stderr
    assert len(history(run)) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("resume octo/app#12", "Possible now: /resume planning."),
        ("resume octo/app#12 submit", "It was blocked in planning, so it can go on in planning at most."),
        (
            "retry octo/app#12",
            "The record is blocked by grace since 30 Nov 2026, 12:00 UTC: question q1 needs an answer. Nothing changed.",
        ),
        (f"settle octo/app#12 merged {'d' * 40}", "The record is blocked by grace since"),
        ("retry octo/app#13", "There is no record of octo/app#13."),
    ],
)
def test_a_refusal_is_the_sentence_of_the_command_on_github(run: Run, blocked: Path, words: str, said: str) -> None:
    refused = run(words, "--yes")

    assert refused.exit_code == 1
    assert said in refused.stderr
    assert len(history(run)) == 1


@pytest.mark.parametrize(
    "words",
    [
        "resume octo/app#12 done",
        "resume octo/app",
        "settle octo/app#12",
        "settle octo/app#12 merged",
        "settle octo/app#12 merged 1a2b3c4",
        f"settle octo/app#12 merged {'d' * 40} really",
        "settle octo/app#12 landed x",
    ],
)
def test_wrong_usage_never_reaches_the_database(run: Run, data: Path, words: str) -> None:
    wrong = run(words, "--yes")

    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "Error" in wrong.stderr
    assert not (data / "signalbox.db").exists()


def test_without_an_app_the_settings_that_are_missing_are_named(
    run: Run, blocked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in APP:
        monkeypatch.delenv(name)
    none = run(RESUME, "--yes")
    monkeypatch.setenv("APP_ID", "7")
    some = run(RESUME, "--yes")

    assert (none.exit_code, some.exit_code) == (1, 1)
    assert "No GitHub App is configured here (APP_ID, PRIVATE_KEY, WEBHOOK_SECRET)" in none.stderr
    assert "✘ WEBHOOK_SECRET is missing" in some.stderr
    assert len(history(run)) == 1


def test_the_running_server_does_it(run: Run, blocked: Path, serve: Serve) -> None:
    serve()

    done = run(RESUME, "--yes")

    assert (done.exit_code, done.stderr) == (0, "Done. octo/app#12 is in planning, version 2.\n")
    assert history(run)[1]["actor"]["login"] == actor()


@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        ("\x04", 1, "Nothing was changed."),
        ("n", 1, "Nothing was changed."),
        ("y", 0, "Done. octo/app#12 is in planning, version 2."),
    ],
)
def test_at_a_terminal_somebody_is_asked(run: Run, blocked: Path, answer: str, code: int, said: str) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *RESUME.split()],
        cwd=blocked,
        env=environment(blocked, APP),
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.write(ours, f"{answer}\n".encode())
    _, err = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)

    assert (process.returncode, err.splitlines()[-1].removeprefix("Do it? [y/N]:")) == (code, said)
