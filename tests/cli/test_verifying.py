"""`signalbox verify-history`: what an operator sees of records that are what their history says, and of others."""

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest

from bot.cli.operations import Refused
from bot.cli.progress import Pace, progress
from bot.ports.store import Tx
from bot.store import engine
from tests.cli.conftest import Run
from tests.web.kit import SetClock, record, save, save_new


@pytest.fixture
def kept(data: Path) -> Path:
    """Two records, one of them with two versions."""

    def fill_in(tx: Tx) -> None:
        for each in (record(12), record(5, "octo/lib")):
            save_new(tx, each)
            tx.repositories.seen(each.repo)
        save(tx, 1, record(12, version=2, priority=60), before="plan_ready")

    async def fill() -> None:
        store = engine.open(f"sqlite:///{data}/signalbox.db", SetClock())
        await store.run(fill_in)
        await store.close()

    asyncio.run(fill())
    return data


def damage(data: Path, statement: str) -> None:
    connection = sqlite3.connect(data / "signalbox.db")
    assert connection.execute(statement).rowcount == 1
    connection.commit()
    connection.close()


def test_sound_records_are_counted_and_nothing_else_is_said(run: Run, kept: Path) -> None:
    sound = run("verify-history")

    assert (sound.exit_code, sound.stdout) == (0, "")
    assert sound.stderr == "2 records with 3 versions: every record is what its history says.\n"
    assert json.loads(run("verify-history", "--json").stdout) == []


@pytest.mark.parametrize(
    ("statement", "finding"),
    [
        (
            "UPDATE records SET document = replace(document, '\"plan_ready\"', '\"done\"') WHERE issue = 12",
            "the record is not what replaying its 2 versions gives: /phase differs",
        ),
        (
            "UPDATE history SET document = replace(document, 'ada', 'eve') WHERE issue = 12 AND version = 2",
            "version 2 was changed after it was written: its digest does not fit",
        ),
        (
            "DELETE FROM history WHERE issue = 12 AND version = 1",
            "version 1 is missing: version 2 stands in its place",
        ),
        (
            "UPDATE history SET document = '' WHERE issue = 12 AND version = 2",
            "what follows version 1 cannot be read: Expecting value: line 1 column 1 (char 0)",
        ),
        ("DELETE FROM records WHERE issue = 12", "there is no record 1#12, but it has history"),
    ],
)
def test_what_differs_is_named_with_its_record(run: Run, kept: Path, statement: str, finding: str) -> None:
    """threats.md, T24."""
    damage(kept, statement)

    people, programs = run("verify-history"), run("verify-history", "--json")

    assert (people.exit_code, people.stdout) == (1, f"octo/app#12\t{finding}\n")
    assert "1 is not what the history says. Nothing was changed." in people.stderr
    assert json.loads(programs.stdout) == [{"record": "octo/app#12", "finding": finding}]


def test_one_record_can_be_looked_at_alone(run: Run, kept: Path) -> None:
    damage(kept, "DELETE FROM history WHERE issue = 5")

    assert run("verify-history", "octo/app#12").exit_code == 0
    assert run("verify-history", "octo/lib#5").exit_code == 1
    assert run("verify-history", "octo/lib#6").stderr == "There is no record of octo/lib#6.\n"


def test_it_works_beside_a_running_server_and_without_records(run: Run, data: Path) -> None:
    store = engine.open(f"sqlite:///{data}/signalbox.db", SetClock())

    empty = run("verify-history")

    assert (empty.exit_code, empty.stderr) == (0, "No records yet: there is nothing to verify.\n")
    asyncio.run(store.close())


def test_a_long_walk_says_how_far_it_is_each_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    time = iter([0.0, 0.5, 5.0, 10.0, 15.0, 20.0])
    pace = Pace("Verifying", lambda: next(time))
    pace.total = 100
    for _ in range(5):
        pace.advance()

    assert capsys.readouterr().err.splitlines() == [
        "Verifying: 3 of 100, 0 a second, 323 s left",
        "Verifying: 5 of 100, 0 a second, 380 s left",
    ]


def test_at_a_terminal_there_is_a_bar_after_a_second(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    time = iter([0.0, 0.5, 5.0, 5.1])
    pace = Pace("Verifying", lambda: next(time))
    pace.total = 100
    pace.advance()
    quick = capsys.readouterr().err
    pace.advance()
    pace.advance()
    pace.end()

    assert quick == ""
    assert "Verifying" in capsys.readouterr().err


def test_ctrl_c_says_what_stands() -> None:
    def interrupted() -> None:
        with progress("Verifying", lambda pace: f"after {pace.done} of {pace.total}") as pace:
            pace.total = 2
            pace.advance()
            raise KeyboardInterrupt

    with pytest.raises(Refused, match="after 1 of 2"):
        interrupted()
