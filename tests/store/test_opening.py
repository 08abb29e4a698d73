"""Starts: who may open a database, which ones are refused, and what a killed process leaves behind."""

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, event
from sqlalchemy.engine import Engine

from bot.store import connections, engine, migrate, schema
from bot.store.metadata import METADATA
from bot.store.verify import findings
from tests.store.kit import KEY, HandClock, Kept, delivery, received

ROOT = Path(__file__).parents[2]


def url(folder: Path) -> str:
    return f"sqlite:///{folder}/signalbox.db"


def opened(folder: Path) -> Kept:
    clock = HandClock()
    return Kept(engine.open(url(folder), clock), clock)


def refusal(folder: Path) -> str:
    with pytest.raises(engine.StoreRefused) as refused:
        opened(folder)
    return refused.value.message


def raw(folder: Path, *statements: str) -> None:
    connection = sqlite3.connect(folder / "signalbox.db")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_an_empty_database_is_migrated_when_it_is_opened(tmp_path: Path) -> None:
    kept = opened(tmp_path)

    assert kept(received(delivery("a"))) == "accepted"
    kept.close()
    assert migrate.upgrade(url(tmp_path)) == (schema.VERSIONS[-1], schema.VERSIONS[-1])


def test_upgrading_twice_gives_the_schema_of_the_tables(tmp_path: Path) -> None:
    assert migrate.upgrade(url(tmp_path)) == (None, schema.VERSIONS[-1])
    assert migrate.upgrade(url(tmp_path)) == (schema.VERSIONS[-1], schema.VERSIONS[-1])

    made = create_engine(url(tmp_path))
    with made.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    made.dispose()


def test_the_migrations_and_the_direct_way_make_the_same_schema(tmp_path: Path) -> None:
    migrate.upgrade(url(tmp_path))
    direct = connections.writing(str(tmp_path / "direct.db"))
    schema.create(direct)
    migrated = connections.writing(str(tmp_path / "signalbox.db"))

    assert shape(migrated) == shape(direct)

    direct.close()
    migrated.close()


def shape(connection: sqlite3.Connection) -> dict[str, Any]:
    """Columns of every table, and every index with its condition."""
    names = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()
    indexes = {name: " ".join(sql.split()) for kind, name, sql in names if kind == "index" and sql}
    columns = {name: connection.execute(f"PRAGMA table_info({name})").fetchall() for kind, name, _ in names}
    return indexes | columns


def test_the_known_versions_are_the_revisions_in_order() -> None:
    scripts = ScriptDirectory.from_config(migrate.configuration())

    revisions = [script.revision for script in scripts.walk_revisions()]

    assert tuple(reversed(revisions)) == schema.VERSIONS


def test_the_writing_connection_loses_nothing_with_the_power_and_checkpoints_by_hand(tmp_path: Path) -> None:
    connection = connections.writing(str(tmp_path / "a.db"))

    asked = ("journal_mode", "synchronous", "wal_autocheckpoint", "mmap_size")
    found = {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in asked}

    connection.close()
    assert found == {"journal_mode": "wal", "synchronous": 2, "wal_autocheckpoint": 0, "mmap_size": 0}


def test_nobody_else_on_the_machine_may_open_the_database(tmp_path: Path) -> None:
    kept = opened(tmp_path)
    kept(lambda tx: tx.deliveries.add(delivery("a1")))

    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()}
    names = ("signalbox.db", "signalbox.db-wal", "signalbox.db-shm", "signalbox.db.lock")
    assert modes == dict.fromkeys(names, 0o600)
    kept.close()


def test_a_database_that_others_could_open_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "signalbox.db"
    opened(tmp_path).close()
    path.chmod(0o644)

    opened(tmp_path).close()

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_data_outlives_a_restart(tmp_path: Path) -> None:
    kept = opened(tmp_path)
    kept(received(delivery("a")))
    kept.close()

    again = opened(tmp_path)

    assert again.read(lambda tx: tx.deliveries.get("a")) is not None
    again.close()


def test_a_second_process_is_refused_and_told_who_holds_the_file(tmp_path: Path) -> None:
    kept = opened(tmp_path)

    script = f"""
from bot.store import engine
from tests.store.kit import HandClock
try:
    engine.open({url(tmp_path)!r}, HandClock())
except engine.StoreRefused as error:
    print(error.message)
"""
    answer = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)

    assert f"in use by another Signalbox (process {os.getpid()})" in answer.stdout
    assert f"process {os.getpid()}" in refusal(tmp_path)
    with pytest.raises(engine.StoreRefused):
        migrate.upgrade(url(tmp_path))
    kept.close()
    opened(tmp_path).close()


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    opened(tmp_path).close()
    raw(tmp_path, "UPDATE alembic_version SET version_num = '9999'")

    assert f"written by a newer Signalbox (schema 9999; this one knows {schema.VERSIONS[-1]})" in refusal(tmp_path)
    with pytest.raises(engine.StoreRefused, match="newer Signalbox"):
        migrate.upgrade(url(tmp_path))


def test_a_foreign_database_is_refused(tmp_path: Path) -> None:
    raw(tmp_path, "CREATE TABLE cats (name TEXT)")

    assert "is not a Signalbox database" in refusal(tmp_path)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "signalbox.db").write_bytes(b"not a database at all, but long enough to be looked at" * 100)

    assert "is damaged (file is not a database). Stop Signalbox, put a backup" in refusal(tmp_path)


def test_a_corrupted_page_is_refused(tmp_path: Path) -> None:
    kept = opened(tmp_path)
    for number in range(50):
        kept(received(delivery(f"g{number}", body=bytes([number]) * 9000)))
    kept.close()
    path = tmp_path / "signalbox.db"
    connection = sqlite3.connect(path)
    (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'deliveries'").fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()

    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)

    assert "is damaged" in refusal(tmp_path)


def test_a_refused_start_leaves_the_file_free(tmp_path: Path) -> None:
    raw(tmp_path, "CREATE TABLE cats (name TEXT)")
    refusal(tmp_path)

    raw(tmp_path, "DROP TABLE cats")

    opened(tmp_path).close()


@pytest.mark.parametrize(
    "bad",
    ["postgresql://ada@db/signalbox", "sqlite://", "sqlite:///:memory:", "signalbox.db", "sqlite:////nowhere/a.db"],
)
def test_a_url_that_names_no_file_here_is_refused(bad: str) -> None:
    with pytest.raises(engine.StoreRefused):
        engine.open(bad, HandClock())


def test_a_relative_url_is_beside_where_we_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert engine.locate("sqlite:///signalbox.db") == tmp_path / "signalbox.db"
    assert engine.locate("sqlite:////var/tmp/a b%.db") == Path("/var/tmp/a b%.db")


def test_an_odd_path_works(tmp_path: Path) -> None:
    folder = tmp_path / "ä ?#%20 b"
    folder.mkdir()
    clock = HandClock()
    path = quote(str(folder / "signalbox.db"))

    kept = Kept(engine.open(f"sqlite:///{path}", clock), clock)

    assert kept.read(lambda tx: tx.deliveries.backlog()) == 0
    kept.close()


@pytest.mark.parametrize("round_", range(3))
def test_i12_what_was_acknowledged_outlives_kill_9(tmp_path: Path, round_: int) -> None:
    acknowledged = killed(url(tmp_path), 300 + 171 * round_)

    outlives(opened(tmp_path), acknowledged)


def killed(database: str, after: int) -> list[str]:
    """What a process acknowledged that was killed after so many times."""
    command = [sys.executable, "-m", "tests.store.endure", database]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        acknowledged = [process.stdout.readline().strip() for _ in range(after)]
        process.kill()
        return acknowledged + process.stdout.read().split("\n")[:-1]


def outlives(kept: Kept, acknowledged: list[str]) -> None:
    stored = kept.read(lambda tx: {found.guid for found in tx.deliveries.list(None, 10**6, None)})
    assert {line for line in acknowledged if line.startswith("g")} <= stored
    versions = [int(line[1:]) for line in acknowledged if line.startswith("v")]
    loaded = kept.read(lambda tx: tx.records.load(KEY))
    assert loaded is not None
    assert versions == list(range(1, len(versions) + 1))
    assert len(versions) <= loaded.record.version <= len(versions) + 1
    assert kept.read(lambda tx: findings(tx, KEY)) == []
    kept.close()


def test_a_migration_that_is_killed_leaves_what_was(tmp_path: Path) -> None:
    """Everything happens in one transaction: a reader beside it sees nothing until the end."""
    made = connections.writing(str(tmp_path / "signalbox.db"))
    made.close()
    seen: list[int] = []

    def look(connection: Any, clauseelement: Any, *rest: Any) -> None:
        looking = sqlite3.connect(tmp_path / "signalbox.db")
        seen.append(looking.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
        looking.close()

    event.listen(Engine, "before_cursor_execute", look)
    try:
        migrate.upgrade(url(tmp_path))
    finally:
        event.remove(Engine, "before_cursor_execute", look)

    assert len(seen) > 20
    assert set(seen) == {0}


def test_opening_a_current_database_needs_no_alembic(tmp_path: Path) -> None:
    opened(tmp_path).close()
    script = f"""
import asyncio, sys
from bot.store import engine
from tests.store.kit import HandClock
asyncio.run(engine.open({url(tmp_path)!r}, HandClock()).close())
print("alembic" in sys.modules)
"""

    answer = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)

    assert answer.stdout == "False\n"
