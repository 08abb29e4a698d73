"""`signalbox deliveries list` and `signalbox replay`, with and without a running server."""

import asyncio
import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.model.delivery import Delivery
from bot.ports.store import Tx
from bot.store import engine
from tests.cli.conftest import Run
from tests.web.kit import NOON, SetClock


@pytest.mark.parametrize(
    "words", ["replay no-such-guid", "resume octo/app#1 planning", "recover", "token revoke one", "lifecycles list"]
)
def test_where_there_is_no_database_that_is_said_and_none_is_left_behind(run: Run, data: Path, words: str) -> None:
    said = run(words)

    none = f"There is no database at {data / 'signalbox.db'} yet."
    ways = "signalbox serve makes it when it starts, signalbox migrate without serving."
    there = "If a server runs already, this needs its DATA_DIR or DATABASE_URL."
    assert (said.exit_code, said.stderr) == (1, f"{none} {ways} {there}\n")
    assert not list(data.glob("signalbox.db*"))


def fill(tx: Tx) -> None:
    """Two are over, one is being worked on in a lane of its own, two wait."""
    for minute, (guid, lane) in enumerate([("over", 1), ("broken", 1), ("at-work", 2), ("first", 1), ("second", 1)]):
        at = NOON + timedelta(minutes=minute)
        tx.deliveries.add(
            Delivery(
                guid=guid,
                event="issues",
                action="labeled",
                lane=lane,
                repository="octo/app",
                body=b"{}",
                received_at=at,
            )
        )
    tx.deliveries.finish("over", "applied", None)
    soon = tx.now() + timedelta(minutes=1)
    assert [
        claimed.guid for claimed in (tx.deliveries.claim("w", soon), tx.deliveries.claim("w", soon)) if claimed
    ] == [
        "broken",
        "at-work",
    ]
    tx.deliveries.finish("broken", "failed", "KeyError: \x1b[2Jhead")


def keep(data: Path, work: Callable[[Tx], object]) -> None:
    async def kept() -> None:
        store = engine.open(f"sqlite:///{data}/signalbox.db", SetClock())
        await store.run(work)
        await store.close()

    asyncio.run(kept())


@pytest.fixture
def delivered(data: Path) -> Path:
    keep(data, fill)
    return data


def test_what_waits_comes_first_and_then_the_newest(run: Run, delivered: Path) -> None:
    lines = [line.split("\t") for line in run("deliveries", "list", "--utc").stdout.splitlines()]

    assert [(line[0], line[4]) for line in lines] == [
        ("at-work", "working"),
        ("first", "received"),
        ("second", "received"),
        ("broken", "failed"),
        ("over", "applied"),
    ]
    assert lines[3][1:] == ["issues.labeled", "octo/app", "2026-11-30 12:01:00Z", "failed", "KeyError: [2Jhead"]


def test_eighty_columns_keep_what_somebody_looks_for_and_name_what_is_hidden(
    run: Run, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guid = "72d3162e-cc78-11e3-81ab-4c9367dc0958"
    keep(
        data,
        lambda tx: tx.deliveries.add(
            Delivery(
                guid=guid,
                event="pull_request",
                action="synchronize",
                repository="octo/app",
                body=b"{}",
                received_at=NOON,
            )
        ),
    )
    keep(data, lambda tx: tx.deliveries.finish(guid, "failed", "KeyError"))
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)

    listed = run("deliveries", "list")

    assert re.sub(r"\x1b\[[0-9;]*m", "", listed.stdout).splitlines()[0].split() == [
        "delivery",
        "received",
        "state",
        "detail",
    ]
    assert guid in listed.stdout
    assert "KeyError" in listed.stdout
    assert listed.stderr == "Hidden in 80 columns: event, repository. --plain shows everything.\n"


def test_a_state_and_a_number_narrow_the_list(run: Run, delivered: Path) -> None:
    failed = json.loads(run("deliveries", "list", "--state", "failed", "--json").stdout)
    newest = json.loads(run("deliveries", "list", "--limit", "1", "--json").stdout)

    assert [(item["guid"], item["attempts"], item["detail"]) for item in failed] == [
        ("broken", 1, "KeyError: \x1b[2Jhead")
    ]
    assert [item["guid"] for item in newest] == ["second"]
    assert run("deliveries", "list", "--state", "lost").exit_code == 2


def test_an_empty_list_is_a_sentence_and_an_empty_array(run: Run, data: Path) -> None:
    run("migrate")

    people, programs = run("deliveries", "list"), run("deliveries", "list", "--json")

    assert (people.exit_code, people.stdout, people.stderr) == (
        0,
        "",
        "No deliveries yet. GitHub sends them to WEBHOOK_PATH.\n",
    )
    assert json.loads(programs.stdout) == []


def test_a_failed_delivery_is_replayed_with_all_its_tries_before_it(run: Run, delivered: Path) -> None:
    replayed = run("replay", "broken", "--yes")

    assert replayed.exit_code == 0
    assert replayed.stdout.splitlines() == [
        "broken  issues.labeled on octo/app, received 2026-11-30 12:01:00Z",
        "It is failed after 1 try: KeyError: [2Jhead.",
        "It will be worked on once more. A repeat changes nothing: what it did already is not done twice.",
    ]
    assert replayed.stderr == "It is worked on when a server starts. What becomes of it: signalbox deliveries list\n"
    listed = json.loads(run("deliveries", "list", "--json").stdout)
    assert [(item["state"], item["attempts"]) for item in listed if item["guid"] == "broken"] == [("received", 0)]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("replay broken --dry-run", 0, "Nothing was changed: this was a dry run.\n"),
        ("replay broken", 2, "Repeat it with --yes to do it, or with --dry-run to look."),
        (
            "replay nobody --yes",
            1,
            "No delivery with this GUID is kept. It never came, or it is older than RETENTION_DAYS.\n",
        ),
        ("replay second --yes", 1, "It waits to be worked on already. Nothing changed.\n"),
        ("replay at-work --yes", 1, "It waits to be worked on already. Nothing changed.\n"),
        ("replay", 2, "Missing argument 'GUID'."),
    ],
)
def test_nothing_changes_without_somebody_s_word_or_where_it_cannot(
    run: Run, delivered: Path, words: str, code: int, said: str
) -> None:
    before = run("deliveries", "list", "--json").stdout

    answer = run(words)

    assert answer.exit_code == code
    assert said in answer.stderr
    assert run("deliveries", "list", "--json").stdout == before


@pytest.mark.parametrize(
    ("words", "near"),
    [
        ("reply", "Did you mean 'replay', 'retry'?"),
        ("shwo octo/app#1", "Did you mean signalbox lifecycles show?"),
        ("deliveries lst", "Did you mean 'list'?"),
        ("deliveries list --stat failed", "(Possible options: --state)"),
        ("deliveries list --state lost", "Invalid value for '--state': 'lost' is not one of 'received'"),
    ],
)
def test_wrong_usage_is_told_what_would_be_right(run: Run, data: Path, words: str, near: str) -> None:
    wrong = run(words)

    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert near in wrong.stderr
