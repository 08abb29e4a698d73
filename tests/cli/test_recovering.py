"""`signalbox recover`: what was left is listed first, then put in order, and a list says it is empty."""

import asyncio
import json
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.model.delivery import Delivery
from bot.ports.store import Tx
from bot.store import engine
from tests.cli.conftest import Run
from tests.cli.test_serve import APP, Serve, serve
from tests.web.kit import NOON, SetClock

__all__ = ["serve"]  # a fixture


def claims(tx: Tx) -> None:
    """One delivery was being worked on, one has failed."""
    for guid in ("failed", "at-work"):
        tx.deliveries.add(
            Delivery(guid=guid, event="issues", lane=1, repository="octo/app", body=b"{}", received_at=NOON)
        )
    tx.deliveries.finish("failed", "failed", "KeyError: head")
    assert tx.deliveries.claim("a worker that died", tx.now() + timedelta(minutes=1)) is not None


@pytest.fixture
def left(data: Path) -> Path:
    async def fill() -> None:
        store = engine.open(f"sqlite:///{data}/signalbox.db", SetClock())
        await store.run(claims)
        await store.close()

    asyncio.run(fill())
    return data


def test_what_was_left_is_listed_and_then_put_in_order(run: Run, left: Path) -> None:
    done, again = run("recover", "--yes"), run("recover", "--yes")

    assert done.exit_code == 0
    assert [line.split("\t") for line in done.stdout.splitlines()] == [
        [
            "delivery",
            "at-work",
            "claimed until 30 Nov 2026, 12:01 UTC by a process that is gone",
            "worked on again",
        ],
        ["delivery", "failed", "failed: KeyError: head", "signalbox replay failed"],
    ]
    assert done.stderr.splitlines() == [
        "1 of 2 will be put in order; the other 1 happen by themselves, or by the command that is named.",
        "delivery at-work: free",
        "Done: 1 put in order.",
    ]
    assert (again.exit_code, again.stderr.splitlines()) == (
        0,
        ["Nothing of this is for recover: it happens by itself, or by the command that is named."],
    )


def test_a_dry_run_lists_and_changes_nothing(run: Run, left: Path) -> None:
    dry, unasked = run("recover", "--dry-run"), run("recover")
    listed = json.loads(run("recover", "--dry-run", "--json").stdout)

    assert (dry.exit_code, unasked.exit_code) == (0, 2)
    assert [(item["what"], item["name"], item["acts"]) for item in listed] == [
        ("delivery", "at-work", True),
        ("delivery", "failed", False),
    ]
    assert {item["state"] for item in json.loads(run("deliveries", "list", "--json").stdout)} == {"working", "failed"}


def test_where_nothing_was_left_that_is_said(run: Run, data: Path) -> None:
    run("migrate")

    people, programs = run("recover"), run("recover", "--json")

    assert (people.exit_code, people.stdout, people.stderr) == (0, "", "Nothing was left behind.\n")
    assert (programs.exit_code, json.loads(programs.stdout)) == (0, [])


def test_beside_a_running_server_only_what_is_nobody_s_is_listed(
    run: Run, left: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in APP.items():
        monkeypatch.setenv(name, value)
    serve()

    listed = json.loads(run("recover", "--dry-run", "--json").stdout)

    assert [item["name"] for item in listed if item["what"] == "delivery"] == ["failed"]
