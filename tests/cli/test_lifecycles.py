"""`signalbox lifecycles`: the same facts as the API, for people and for programs."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from bot.bootstrap.operations import LocalOperations
from bot.cli.main import app
from bot.cli.names import read_name
from bot.cli.screen import Cell, table, when, words
from bot.domain.model.ids import Actor, Repo
from bot.domain.model.record import Decision, Record
from bot.ports.rows import NewRow
from bot.ports.store import Tx
from bot.store import engine
from tests.cli.conftest import Run
from tests.web.kit import ADA, NOON, SetClock, record, save, save_new


@pytest.fixture
def with_records(data: Path) -> Path:
    """Three records; the one that waits longest was stored last."""

    async def fill() -> None:
        store = engine.open(f"sqlite:///{data}/signalbox.db", SetClock())
        older = NOON.replace(day=29)
        records: list[Record] = [
            record(12),
            record(13, phase="planning", plan=None, phase_since=NOON.replace(hour=13)),
            record(5, "octo/lib", phase_since=older, title="Evil \x1b[31mtitle\n\u202eno"),
        ]
        await store.run(lambda tx: save_new(tx, *records))
        await store.run(
            lambda tx: save(tx, 1, record(12, version=2, priority=60), before="plan_ready", signal="priority")
        )
        await store.close()

    asyncio.run(fill())
    return data


def kept(data: Path, saved: Record, detail: str | None = None) -> None:
    """One more version of a record in the database."""

    def write(tx: Tx) -> None:
        actor = Actor(kind="person", id=ADA.id, login=ADA.login)
        row = NewRow(
            record=saved, from_=None, signal="merge_answered", actor=actor, at=NOON, detail=detail, delivery=None
        )
        tx.records.replace(saved.key, saved.version - 1, [row])

    changed(data, write)


def changed(data: Path, work: Callable[[Tx], None]) -> None:
    async def open_and_write() -> None:
        store = engine.open(f"sqlite:///{data}/signalbox.db", SetClock())
        await store.run(work)
        await store.close()

    asyncio.run(open_and_write())


def test_a_list_has_the_longest_wait_first(run: Run, with_records: Path) -> None:
    lines = [line.split("\t") for line in run("lifecycles", "list").stdout.splitlines()]

    assert [line[:3] for line in lines] == [
        ["octo/lib#5", "plan_ready", "reviewers"],
        ["octo/app#12", "plan_ready", "reviewers"],
        ["octo/app#13", "planning", "builders"],
    ]


def test_what_is_over_comes_last_and_what_is_stopped_says_so(run: Run, data: Path) -> None:
    longest = NOON.replace(day=1)
    stopped = record(3, withdrawn=True, frozen="suspended", phase_since=longest)
    for each in (
        record(1, phase="done", phase_since=longest),
        record(2, held={"by": ADA, "since": NOON}, phase_since=NOON),
        stopped,
    ):
        kept(data, each)

    listed = run("lifecycles", "list")
    lines = [line.split("\t")[:2] for line in listed.stdout.splitlines()]
    shown = run("lifecycles", "show", "octo/app#3").stdout

    assert lines[0] == ["octo/app#2", "plan_ready, held"]
    assert sorted(lines[1:]) == [["octo/app#1", "done"], ["octo/app#3", "plan_ready, withdrawn, frozen"]]
    assert "phase         plan_ready, withdrawn, frozen\n" in shown
    assert listed.stderr == (
        "Frozen: octo/app#3: the installation of Signalbox is suspended here, or the repository is archived. To go on, "
        "an owner of the account lifts the suspension on GitHub, or unarchives the repository; it then goes on by itself.\n"
    )


def test_a_title_cannot_command_the_terminal(run: Run, with_records: Path) -> None:
    shown = run("lifecycles", "list", "--repository", "octo/lib").stdout

    assert shown.endswith("Evil [31mtitle no\n")


def test_filters_narrow_a_list(run: Run, with_records: Path) -> None:
    by_phase = json.loads(run("lifecycles", "list", "--phase", "planning", "--json").stdout)
    by_wait = json.loads(run("lifecycles", "list", "--waiting-on", "reviewers", "--json").stdout)
    nothing = run("lifecycles", "list", "--phase", "done")

    assert [item["issue"] for item in by_phase] == [13]
    assert sorted(item["issue"] for item in by_wait) == [5, 12]
    assert (nothing.exit_code, nothing.stdout, nothing.stderr) == (0, "", "Nothing matches.\n")


def test_a_repository_that_nobody_heard_of_is_told_with_the_nearest_names(run: Run, with_records: Path) -> None:
    people = run("lifecycles", "list", "--repository", "octo/ap")
    programs = run("lifecycles", "list", "--repository", "octo/ap", "--json")
    one = run("lifecycles", "show", "octo/lip#5")

    assert (people.exit_code, people.stdout) == (0, "")
    assert people.stderr == "No repository octo/ap is known here. Did you mean octo/app or octo/lib?\n"
    assert (programs.stdout, programs.stderr) == ("[]\n", people.stderr)
    assert (one.exit_code, one.stderr) == (
        1,
        "There is no record of octo/lip#5. Did you mean octo/lib or octo/app?\n",
    )


@pytest.mark.parametrize(
    "words_", ["lifecycles explain", "lifecycles history", "verify-history", "resume", "settle {} unmerged no"]
)
def test_the_number_of_a_pull_request_leads_to_its_issue(run: Run, data: Path, words_: str) -> None:
    pull = {"number": 34, "title": "Retry", "author": ADA}
    kept(data, record(12, version=1, phase="building", pull=pull, pull_request=34, base="main"))
    changed(data, lambda tx: tx.repositories.seen(Repo(installation_id=77, id=1, owner="octo", name="app")))

    line = words_.format("octo/app#34") if "{}" in words_ else f"{words_} octo/app#34"
    refused = run(*line.split())

    assert refused.exit_code == 1
    assert refused.stderr == "octo/app#34 is a pull request. The record is that of its issue: octo/app#12.\n"


def test_show_says_the_facts_and_json_the_whole_record(run: Run, with_records: Path) -> None:
    people = run("lifecycles", "show", "octo/app#12").stdout
    whole = json.loads(run("lifecycles", "show", "octo/app/12", "--json").stdout)

    assert "plan          r1 by ada" in people
    assert (whole["version"], whole["plan"]["text"], whole["gates"][0]["open"]) == (2, "Do it.", True)


def test_a_wait_that_nobody_has_is_wrong_usage_and_the_choices_are_named(run: Run, with_records: Path) -> None:
    wrong = run("lifecycles", "list", "--waiting-on", "grace")

    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "--waiting-on" in wrong.stderr
    assert "'reviewers', 'operators'" in wrong.stderr


def test_a_human_gate_is_opened_and_a_review_approves(run: Run, data: Path) -> None:
    bound: dict[str, Any] = {"by": ADA, "at": NOON, "revision": 1, "digest": "d", "round": 1, "source": "c"}
    given = [
        Decision(id=1, gate="plan", kind="plan", verdict="approve", **bound),
        Decision(id=2, gate="submit", kind="review", verdict="reject", **bound),
        Decision(id=3, gate="submit", kind="operator", verdict="approve", **bound),
    ]
    kept(data, record(12, decisions=given))

    shown = run("lifecycles", "show", "octo/app#12").stdout

    assert [line.split("by")[0].split(None, 1)[1] for line in shown.splitlines() if line.startswith("decision")] == [
        "plan r1 approved ",
        "submit review rejected ",
        "submit gate opened ",
    ]


def test_history_shows_what_happened_also_on_eighty_columns(
    run: Run, with_records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    detail = "it is not known whether GitHub merged it: the answer never came"
    kept(with_records, record(12, version=3, priority=50), detail=detail)

    lines = run("lifecycles", "history", "octo/app#12").stdout.splitlines()

    assert "detail" in lines[0]
    assert max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines) <= 80
    assert set(detail.split()) <= set(" ".join(lines).split())


def test_history_is_oldest_first(run: Run, with_records: Path) -> None:
    lines = [line.split("\t") for line in run("lifecycles", "history", "octo/app#12", "--utc").stdout.splitlines()]
    rows = json.loads(run("lifecycles", "history", "octo/app#12", "--json").stdout)

    assert [line[:5] for line in lines] == [
        ["v1", "2026-11-30 12:00:00Z", "plan_ready", "submit_plan", "ada"],
        ["v2", "2026-11-30 12:00:00Z", "plan_ready", "priority", "ada"],
    ]
    assert rows[1]["previous_digest"] == rows[0]["digest"]


@pytest.mark.parametrize("asked", ["--plain", ""])
def test_times_are_absolute_where_it_is_asked_for_and_where_there_is_no_terminal(
    run: Run, with_records: Path, asked: str
) -> None:
    listed = [line.split("\t")[3] for line in run("lifecycles", "list", asked).stdout.splitlines()]
    history = run("lifecycles", "history", "octo/app#12", asked).stdout.splitlines()

    assert listed[0] == "2026-11-29 12:00:00Z"
    assert [line.split("\t")[1] for line in history] == ["2026-11-30 12:00:00Z"] * 2


def test_explain_prints_the_tree_with_its_commands(run: Run, with_records: Path) -> None:
    shown = run("lifecycles", "explain", "octo/app#12")

    assert shown.stdout.splitlines() == [
        "Signalbox will not merge because one need of plan_ready is open.",
        "  ◌ plan_ready",
        "    ◌ Plan r1 0 of 1 approved. Waiting for a reviewer other than ada",
        "      comment /approve r1, or /reject r1 and why",
        "  · building a pull request for the approved plan",
        "  · testing one review, one human gate and green checks",
        "  · submit one review, one human gate, then the merge (squash)",
    ]


@pytest.mark.parametrize("command", ["show", "history", "explain"])
def test_an_unknown_record_is_refused(run: Run, with_records: Path, command: str) -> None:
    unknown = run("lifecycles", command, "octo/app#99")

    assert (unknown.exit_code, unknown.stdout, unknown.stderr) == (1, "", "There is no record of octo/app#99.\n")


@pytest.mark.parametrize(
    "words_", ["show app#1", "show octo/app", "explain", "list --phase merging", "shwo octo/app#1"]
)
def test_wrong_usage_exits_with_two(run: Run, words_: str) -> None:
    assert run("lifecycles", words_).exit_code == 2


def test_without_a_database_the_way_to_one_is_said(run: Run, data: Path) -> None:
    missing = run("lifecycles", "list")

    assert missing.exit_code == 1
    assert "signalbox migrate" in missing.stderr
    assert not (data / "signalbox.db").exists()


def test_reading_needs_no_lock_and_takes_none(run: Run, with_records: Path) -> None:
    store = engine.open(f"sqlite:///{with_records}/signalbox.db", SetClock())

    assert run("lifecycles", "list").exit_code == 0
    asyncio.run(store.close())


def test_a_foreign_file_is_refused(run: Run, data: Path) -> None:
    (data / "signalbox.db").write_text("not a database, but long enough to be looked at as one" * 20)

    refused = run("lifecycles", "list")

    assert refused.exit_code == 1
    assert "cannot be read" in refused.stderr


@pytest.mark.parametrize(
    "words_",
    [
        "lifecycles list",
        "lifecycles explain octo/app#12",
        "deliveries list",
        "token list",
        "verify-history",
        "migrate",
        "replay GUID --yes",
        "token create --name a --role verifier",
        "recover --yes",
    ],
)
def test_every_command_says_the_same_of_a_newer_database(run: Run, with_records: Path, words_: str) -> None:
    with closing(sqlite3.connect(with_records / "signalbox.db")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()

    refused = run(words_)

    assert refused.exit_code == 1
    assert "was written by a newer Signalbox (schema 9999" in refused.stderr
    assert "signalbox migrate" not in refused.stderr


def test_migrate_makes_a_database_and_may_be_repeated(run: Run, data: Path) -> None:
    first, second = run("migrate"), run("migrate")

    assert (first.exit_code, second.exit_code) == (0, 0)
    assert "was empty" in first.stderr
    assert second.stderr == "The database is up to date.\n"


def test_ctrl_c_while_migrating_says_what_may_be_stored() -> None:
    class Interrupted(LocalOperations):
        async def migrate(self) -> str:
            raise KeyboardInterrupt

    stopped = CliRunner().invoke(app, ["migrate"], obj=Interrupted())

    assert (stopped.exit_code, stopped.stderr) == (
        130,
        "Stopped. The migration is stored whole or not at all: signalbox doctor says which, and it may be repeated.\n",
    )


def test_migrate_makes_the_data_directory_for_its_owner_alone(
    run: Run, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATA_DIR", str(data / "new" / "data"))

    assert run("migrate").exit_code == 0
    assert (data / "new" / "data").stat().st_mode & 0o077 == 0


def test_a_data_directory_that_cannot_be_made_is_refused(run: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (data / "file").touch()
    monkeypatch.setenv("DATA_DIR", str(data / "file"))

    refused = run("migrate")

    assert refused.exit_code == 1
    assert refused.stderr.startswith("DATA_DIR")


def test_a_password_in_the_database_address_is_not_repeated(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "oracle://bot:pass-word@db/x?:")

    refused = run("migrate")

    assert refused.exit_code == 1
    assert "pass-word" not in refused.output


def test_a_wrong_setting_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "many")

    wrong = run("lifecycles", "list")

    assert wrong.exit_code == 1
    assert wrong.stderr == "A setting is wrong:\n✘ PORT must be a whole number\n"


@pytest.mark.parametrize(
    "pasted",
    [
        "octo/app/12",
        "https://signalbox.example/lifecycles/octo/app/12#why",
        "http://localhost:3000/lifecycles/octo/app/12",
        "https://github.com/octo/app/issues/12#issuecomment-1001",
    ],
)
def test_a_record_is_found_by_the_address_that_people_have_at_hand(pasted: str) -> None:
    assert read_name(pasted) == ("octo/app", 12)


def test_the_address_of_a_pull_request_names_no_record() -> None:
    with pytest.raises(typer.BadParameter, match=r"paste the address of its page or of its issue\.$"):
        read_name("https://github.com/octo/app/pull/34")


def test_a_misspelt_name_is_told_beside_a_wrong_setting(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was told at the next start only; so were short secrets, and files that others may open, by doctor."""
    monkeypatch.setenv("PORT", "many")
    monkeypatch.setenv("WEBHOOK_SECRETS", "hush")

    said = run("lifecycles", "list").stderr.splitlines()
    found = [line for line in run("doctor").stdout.splitlines() if line[0] in "✘!"]

    assert said[1:] == [
        "✘ PORT must be a whole number",
        "! WEBHOOK_SECRETS is no setting: did you mean WEBHOOK_SECRET?",
    ]
    assert found == [
        "✘ settings      PORT must be a whole number",
        "! settings      WEBHOOK_SECRETS is no setting: did you mean WEBHOOK_SECRET?",
    ]


def test_a_short_secret_is_told_beside_a_key_that_cannot_be_read(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIVATE_KEY_PATH", "nope.pem")
    monkeypatch.setenv("WEBHOOK_SECRET", "x")

    found = [line for line in run("doctor").stdout.splitlines() if line[2:10] == "settings"]

    told = (
        "✘ settings      APP_ID is missing",
        "✘ settings      PRIVATE_KEY_PATH",
        "! settings      a webhook secret is short",
    )
    assert [line[: len(start)] for line, start in zip(found, told, strict=True)] == list(told)


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (5, "now"),
        (240, "4 min"),
        (7200, "2 h"),
        (86400 * 3, "3 d"),
        (86400 * 8, "2026-11-22"),
        (-60, "2026-11-30 12:01:00Z"),
    ],
)
def test_times_are_relative_for_a_week(seconds: int, shown: str) -> None:
    moment = NOON.timestamp() - seconds

    assert when(type(NOON).fromtimestamp(moment, NOON.tzinfo).isoformat(), NOON, utc=False) == shown


def test_markdown_loses_its_marks_and_user_text_its_controls() -> None:
    assert (
        words("**Review** 0 of 1, `` a`b ``, *testing* \x1b[2J 2 * 3 * 4")
        == "Review 0 of 1, a`b, testing [2J 2 * 3 * 4"
    )


def test_columns_drop_from_the_right_at_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.delenv("NO_COLOR", raising=False)
    row = (Cell("octo/app#12"), Cell("plan_ready", "bold"), Cell("a title that is far too long"))

    table(("lifecycle", "phase", "title"), [row], plain=False)
    wide = capsys.readouterr().out
    table(("lifecycle", "phase", "title"), [row], plain=True)
    plain = capsys.readouterr().out

    assert "octo/app#12" in wide
    assert "title" not in wide
    assert plain == "octo/app#12\tplan_ready\ta title that is far too long\n"


def test_a_history_that_was_changed_says_how_to_look(with_records: Path, run: Run) -> None:
    with closing(sqlite3.connect(with_records / "signalbox.db")) as database, database:
        database.execute("UPDATE history SET document = '{' WHERE issue = 13")
        database.execute("DELETE FROM history WHERE issue = 12 AND version = 1")

    for issue in (12, 13):
        refused = run("lifecycles", "history", f"octo/app#{issue}")
        shown = run("lifecycles", "show", f"octo/app#{issue}")
        explained = run("lifecycles", "explain", f"octo/app#{issue}")

        look = f"signalbox verify-history octo/app#{issue}"
        assert (refused.exit_code, refused.stdout) == (1, "")
        for said in (refused.stderr, shown.stderr, explained.stdout):
            assert f"{look} says what differs" in " ".join(said.split())
        assert f"run {look}, find out who changed the database" in " ".join(explained.stdout.split())
        assert "/approve" not in explained.stdout
