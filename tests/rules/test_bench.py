"""The bench says what it measured, of whom, and whether it is enough. Nothing is measured here."""

import json
import re
from pathlib import Path

import pytest

from bench.__main__ import PAGE, PARTS, minutes
from bench.contenders import FASTAPI, GIDGETHUB, NO_STORE, OCTOKIT, OURS, PROBOT, UNGROUPED, contenders
from bench.install import NODE, PEERS, PYTHON
from bench.moves import create, key, move
from bench.others import Others, told
from bench.parts.intake import goals
from bench.payloads import questions
from bench.recording import empty, one_commit_each, raw, recorded
from bench.rounds import Goal, Ratio, Report, Runs, alternate, middle, ratio
from bench.table import machine, write, written
from bot.bootstrap.runtime import SystemClock
from bot.store.sql import SqliteSql
from bot.store.transaction import Transaction
from tests.rules.kit import text

RUNS: Runs = {
    "ours": [{"rate": 10.0}, {"rate": 30.0}, {"rate": 60.0}],
    "theirs": [{"rate": 10.0}, {"rate": 10.0}, {"rate": 30.0}],
}


def test_a_ratio_is_the_median_of_the_rounds_ratios_and_not_a_ratio_of_medians() -> None:
    assert ratio(RUNS, "ours", "theirs", "rate") == Ratio(2.0, 1.0, 3.0)
    assert str(ratio(RUNS, "ours", "theirs", "rate")) == "2.00 (1.00 to 3.00)"
    assert middle(RUNS, "ours", "rate") == 30.0


def test_every_round_runs_everybody_once_and_every_other_one_backwards() -> None:
    order: list[str] = []
    told: list[str] = []

    def runs(name: str) -> dict[str, float]:
        order.append(name)
        return {"rate": float(len(order))}

    found = alternate({name: lambda name=name: runs(name) for name in "abc"}, 3, told.append)  # type: ignore[misc]

    assert "".join(order) == "abccbaabc"
    assert found["a"] == [{"rate": 1.0}, {"rate": 6.0}, {"rate": 7.0}]
    assert len(told) == 9


@pytest.mark.parametrize(("middle", "at_least", "met"), [(2.0, True, True), (1.9, True, False), (2.1, False, False)])
def test_a_goal_is_judged_by_the_median_alone(middle: float, at_least: bool, met: bool) -> None:
    assert Goal("moves", Ratio(middle, 0.1, 9.0), 2.0, at_least).met is met


def test_the_table_says_of_each_goal_whether_it_is_met() -> None:
    reached, missed = Goal("moves", Ratio(2.5, 2.0, 3.0), 2.0), Goal("calls", Ratio.of([61]), 60, at_least=False)
    report = Report("Core", ("moves", "per second"), [("ours", "1,000")], [reached, missed], ["a note"])

    assert "\n".join(written(report)) == (
        "### Core\n\n| moves | per second |\n|---|---|\n| ours | 1,000 |\n\n"
        "| goal | bound | measured | met |\n|---|---|---|---|\n"
        "| moves | ≥ 2 | 2.50 (2.00 to 3.00) | yes |\n| calls | ≤ 60 | 61 | **no** |\n\n- a note"
    )


def test_what_was_measured_replaces_its_own_place_on_the_page_and_no_other(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text("docs/performance.md"), encoding="utf-8")
    before = page.read_text(encoding="utf-8").split("<!-- measured: ")

    write(page, [Report("Core", ("moves",), [("5",)])], "python -m bench core --rounds 2")

    after = page.read_text(encoding="utf-8").split("<!-- measured: ")
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert [one.split(" ")[0] for one in changed] == ["core"]
    assert "by `python -m bench core --rounds 2` (" in changed[0]
    assert "| 5 |" in changed[0]


def test_every_part_has_its_place_on_the_page_and_is_in_the_time_that_is_told() -> None:
    assert re.findall(r"<!-- measured: (\w+) -->", PAGE.read_text(encoding="utf-8")) == list(PARTS)
    assert minutes(list(PARTS), 5, 3.0) == pytest.approx(25, abs=5)
    assert "about 25 minutes" in text("Makefile")
    assert "about 25 minutes" in text("docs/performance.md")


def test_the_machine_is_told_by_what_it_has_and_not_by_where_it_is() -> None:
    assert re.fullmatch(r"\d+ cores of [^/]+, \d+ GiB, \w+, Python [\d.]+, SQLite [\d.]+", machine())


def test_on_a_busy_machine_no_goal_is_told_met() -> None:
    assert told(0.05) == []
    assert told(0.41) == ["**Other work had 41% of the cores meanwhile: measure again when it is quiet.**"]
    assert 0 <= Others().share <= 1
    beside = Report("Core", ("moves",), [], [Goal("moves", Ratio.of([3]), 2.0)], told(0.41), judged=False)
    assert "| moves | ≥ 2 | 3 | not told |" in written(beside)


def test_everybody_whom_one_would_take_instead_is_measured_beside_controls_that_differ_in_one_thing() -> None:
    assert list(contenders()) == [OURS, NO_STORE, UNGROUPED, PROBOT, OCTOKIT, GIDGETHUB, FASTAPI]
    alike = {f"{name}{at}": 1.0 for name in ("rate", "p99_") for at in (16, 64)} | {"resident": 1.0}
    runs: Runs = {name: [alike] for name in contenders()}
    assert {goal.what: goal.bound for goal in goals(runs)} == {
        "÷ probot, 16 at once": 1.2,
        "÷ probot, 64 at once": 1.5,
        "p99 ÷ probot, 16 at once": 1.0,
        "p99 ÷ probot, 64 at once": 1.0,
        "÷ gidgethub + uvloop, 16 at once": 1.0,
        "÷ gidgethub + uvloop, 64 at once": 1.0,
        "memory after the load ÷ probot": 0.9,
    }


def test_each_of_them_is_measured_at_one_version() -> None:
    for name in NODE:
        wanted = json.loads((PEERS / name / "package.json").read_text(encoding="utf-8"))["dependencies"]
        assert wanted
        assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values())
    for name in PYTHON:
        lines = (PEERS / name / "requirements.txt").read_text(encoding="utf-8").splitlines()
        assert lines
        assert all(re.fullmatch(r"[a-z-]+(\[[a-z-]+\])?==[\d.]+", line) for line in lines)


def test_the_bare_loop_stores_what_the_store_would_have_stored(tmp_path: Path) -> None:
    path = tmp_path / "moved.db"
    empty(path)
    with raw(path) as connection:
        tx = Transaction(SqliteSql(connection), SystemClock().now())
        create(1)(tx)
    statements = recorded(path, SystemClock(), [move(1, 1)])
    with raw(path) as connection:
        one_commit_each(connection, statements)
        tx = Transaction(SqliteSql(connection), SystemClock().now())
        loaded = tx.records.load(key(1))
        assert loaded is not None
        assert (loaded.record.version, tx.records.is_sound(key(1))) == (2, True)
        assert [row.effect.once for row in tx.effects.of(key(1))] == ["bench:1:1"]


def test_questions_are_of_repositories_and_installations_in_turn_and_no_two_are_one() -> None:
    asked = [json.loads(one.body) for one in questions(3, 2)]
    assert [(one["repository"]["id"], one["installation"]["id"]) for one in asked] == [(1, 1), (2, 2), (1, 1)]
    assert [one["repository"]["full_name"] for one in asked] == ["octo/app1", "octo/app2", "octo/app1"]
    assert len({one["comment"]["id"] for one in asked}) == 3
