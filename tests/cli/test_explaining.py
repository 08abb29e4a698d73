"""`signalbox lifecycles explain`: whoever reads it can type what it says, on GitHub or, as an operator, right here."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.model.merge import Merge
from bot.domain.model.record import Blocked, Held, Phase, Question, Record
from bot.store import engine
from tests.cli.conftest import Run
from tests.web.kit import ADA, GRACE, NOON, SetClock, record, save_new

HEAD = "3f2a91c84e07d5b1f0c2a9e86b4d7713c05a2f9e"
OPEN: dict[str, Any] = {"head": HEAD, "head_epoch": 1, "base": "main", "pull_request": 34}


def explained(run: Run, data: Path, kept: Record) -> list[str]:
    """What is printed of the needs and below them, without marks of what is for later."""

    async def fill() -> None:
        store = engine.open(f"sqlite:///{data}/signalbox.db", SetClock())
        await store.run(lambda tx: save_new(tx, kept))
        await store.close()

    asyncio.run(fill())
    return [line.strip() for line in run("lifecycles", "explain", "octo/app#12").stdout.splitlines()]


def test_a_command_that_needs_words_is_never_shown_without_saying_which(run: Run, data: Path) -> None:
    said = explained(run, data, record(12, phase="planning", plan=None))

    assert "/plan" not in said
    assert "start a comment with /plan and write the plan below it" in said


def test_a_plan_can_be_sent_back_too(run: Run, data: Path) -> None:
    assert "comment /approve r1, or /reject r1 and why" in explained(run, data, record(12))


@pytest.mark.parametrize("phase", ["testing", "submit"])
def test_a_head_can_be_sent_back_or_held_too_and_by_whom_is_said(run: Run, data: Path, phase: Phase) -> None:
    said = explained(run, data, record(12, phase=phase, **OPEN))

    assert said[-2:] == [
        "To send it back: comment /reject and why (reviewer), or /rework and why (reviewer, operator).",
        "To stop the merge only: comment /hold.",
    ]


def test_what_is_held_says_how_that_is_lifted_and_offers_no_second_hold(run: Run, data: Path) -> None:
    said = explained(
        run, data, record(12, phase="testing", held=Held(by=GRACE, why="Release week.", since=NOON), **OPEN)
    )

    assert any(
        line.endswith("which stops the merge only; grace and operators can lift it with /unhold") for line in said
    )
    assert not any("/hold" in line for line in said)


def test_while_github_merges_nothing_is_offered_that_would_be_refused(run: Run, data: Path) -> None:
    merge = Merge(state="requested", id="r-1", requested_at=NOON, head=HEAD, base="main")

    said = explained(run, data, record(12, phase="submit", merge=merge, **OPEN))

    assert [line for line in said if "/" in line.replace("octo/app", "")] == []


def test_an_unknown_merge_is_settled_there_or_here(run: Run, data: Path) -> None:
    ends = NOON + timedelta(minutes=15)
    merge = Merge(state="ambiguous", id="r-1", requested_at=NOON, window_ends=ends, head=HEAD, base="main")

    said = explained(run, data, record(12, phase="submit", merge=merge, **OPEN))

    at = next(number for number, line in enumerate(said) if line.startswith("from 30 Nov"))
    here = "or here, from 30 Nov 2026, 12:15:00 UTC on: signalbox settle octo/app#12"
    assert said[at : at + 3] == [
        "from 30 Nov 2026, 12:15:00 UTC on, comment /settle merged and the 40-digit merge commit, or /settle unmerged and why",
        f"{here} merged SHA (the merge commit on the base, 40 hex digits)",
        f"{here} unmerged WHY",
    ]


@pytest.mark.parametrize(
    ("cause", "here"), [("question", "signalbox resume octo/app#12 testing"), ("budget", "signalbox retry octo/app#12")]
)
def test_blocked_work_goes_on_by_a_comment_or_from_here(run: Run, data: Path, cause: str, here: str) -> None:
    asked = Question(id="q1", text="Which key store?", asked_by=GRACE)
    blocked = Blocked.model_validate({"reason": "Which key store?", "from": "testing", "since": NOON, "cause": cause})

    said = explained(
        run,
        data,
        record(12, phase="blocked", blocked=blocked, questions=(asked,) if cause == "question" else (), **OPEN),
    )

    assert f"or here: {here}" in said
    assert ("comment /answer and the text" in said) == (cause == "question")


def test_an_address_is_no_markdown_at_a_terminal(run: Run, data: Path) -> None:
    """It printed `[#34](https://g.test/34)`."""
    pull = {"number": 34, "title": "Retry", "author": ADA, "open": True, "head_ref": "r", "url": "https://g.test/34"}

    said = explained(run, data, record(12, phase="building", pull=pull, **OPEN))

    assert f"push to r, or comment /candidate {HEAD[:12]} on #34" in said


def test_a_new_head_is_asked_for_with_the_branch_it_is_pushed_to(run: Run, data: Path) -> None:
    pull = {
        "number": 34,
        "title": "Retry",
        "author": ADA,
        "open": True,
        "head_ref": "signalbox/12-retry",
        "url": "https://g.test/34",
    }
    said = explained(run, data, record(12, phase="building", rejected_heads=(HEAD,), pull=pull, **OPEN))

    assert "push to signalbox/12-retry" in said
