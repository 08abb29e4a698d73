"""Whether a move costs the same in a database with a thousand times as many records and history rows."""

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import cache
from itertools import count, islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from bench.moves import create, move, record
from bench.recording import empty, raw
from bench.rounds import Figures, Goal, Report, Runs, middle, ratio
from bot.bootstrap.runtime import SystemClock
from bot.domain.model.record import Record
from bot.ports.store import Tx
from bot.store.sql import SqliteSql
from bot.store.transaction import Transaction

SMALL, VERSIONS = 1_000, 10
#: Records of the large one, ten history rows each. A smaller one shows the same question sooner.
MILLION = 1_000_000
LARGE = int(os.environ.get("BENCH_RECORDS", MILLION))
_numbers = count(1)


def run(rounds: int, seconds: float, tell: Callable[[str], None]) -> Report:
    with tempfile.TemporaryDirectory() as place:
        paths = {number: Path(place) / f"{number}.db" for number in (SMALL, LARGE)}
        for number, path in paths.items():
            tell(f"filling {number:,} records and {number * VERSIONS:,} history rows")
            fill(path, number)
        sizes = {number: path.stat().st_size / 2**20 for number, path in paths.items()}
        names = {number: f"{number:,} records, {number * VERSIONS:,} rows of history" for number in paths}
        os.sync()  # what was filled is on its way to the disk, and would be in the way of what is measured
        runs: Runs = {name: [] for name in names.values()}
        for each in range(rounds):
            for number, figures in _moves(paths, seconds).items():
                runs[names[number]].append(figures)
                tell(f"round {each + 1}/{rounds}  {names[number]}  p50 {figures['p50']:.3f}")
    rows = [
        (names[number], f"{sizes[number]:,.0f} MiB", f"{middle(runs, names[number], 'p50'):.2f}") for number in paths
    ]
    goals = [Goal("a move, large ÷ small", ratio(runs, names[LARGE], names[SMALL], "p50"), 1.2, at_least=False)]
    notes = [] if LARGE == MILLION else [f"with `BENCH_RECORDS={LARGE}`; the goal is of {MILLION:,} records"]
    return Report("Scale", ("database", "size", "median ms of a move"), rows, goals, notes)


def fill(path: Path, records: int) -> None:
    """The first record is stored as always; the others are that one with another number. Only the cost of finding them counts,
    so their chains are not anybody's."""
    empty(path)
    with raw(path) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN IMMEDIATE")
        tx = Transaction(SqliteSql(connection), SystemClock().now())
        create(1)(tx)
        move(1, 0)(tx)
        history = connection.execute("SELECT * FROM history ORDER BY version DESC LIMIT 1").fetchone()
        stored = connection.execute("SELECT * FROM records").fetchone()
        like = record(1, VERSIONS)
        others = (_record(connection, stored, issue, like) for issue in range(2, records + 1))
        _insert(connection, "records", stored, others)
        rows = (
            _changed(connection, "history", history, issue=issue, version=version)
            for issue in range(2, records + 1)
            for version in range(1, VERSIONS + 1)
        )
        _insert(connection, "history", history, rows)
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _record(connection: sqlite3.Connection, stored: tuple[Any, ...], issue: int, like: Record) -> tuple[Any, ...]:
    """`like`: the first one, whose numbers are replaced in its text, which is faster than to make each anew."""
    head, pull = f"{issue:040x}", 10**7 + issue
    text = _text(like)
    for old, new in (
        (f'"issue":{like.issue},', f'"issue":{issue},'),
        (f'"issue_id":{like.issue_id},', f'"issue_id":{issue},'),
        (f"{like.pull_request}", f"{pull}"),
        (f"{like.head}", head),
    ):
        text = text.replace(old, new)
    return _changed(connection, "records", stored, document=text, issue=issue, version=VERSIONS, pull=pull, head=head)


@cache
def _text(like: Record) -> str:
    return like.model_dump_json(by_alias=True)


def _changed(connection: sqlite3.Connection, table: str, row: tuple[Any, ...], **changes: Any) -> tuple[Any, ...]:
    return tuple(changes.get(name, value) for name, value in zip(_columns(connection, table), row, strict=True))


def _columns(connection: sqlite3.Connection, table: str, known: dict[str, list[str]] = {}) -> list[str]:  # noqa: B006 - a cache
    if table not in known:
        known[table] = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    return known[table]


def _insert(connection: sqlite3.Connection, table: str, like: tuple[Any, ...], rows: Iterator[tuple[Any, ...]]) -> None:
    text = f"INSERT INTO {table} VALUES ({', '.join('?' * len(like))})"
    while chunk := list(islice(rows, 10_000)):
        connection.executemany(text, chunk)


def _moves(paths: Mapping[int, Path], seconds: float) -> Mapping[int, Figures]:
    """Of records anywhere in them, a commit each, one here and one there: both meet the same disk. Checkpoints as the store
    has them, not counted."""
    any_of = Random(7)
    took: dict[int, list[float]] = {number: [] for number in paths}
    with ExitStack() as stack:
        databases = {number: stack.enter_context(raw(path)) for number, path in paths.items()}
        ends = time.perf_counter() + seconds * len(paths)
        while time.perf_counter() < ends:
            for number, database in databases.items():
                took[number].append(_move(database, any_of.randint(2, number)))
                if len(took[number]) % 32 == 0:
                    database.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    return {number: {"p50": median(each) * 1e3} for number, each in took.items()}


def _move(database: sqlite3.Connection, issue: int) -> float:
    """The seconds that it took."""
    work: Callable[[Tx], None] = move(issue, next(_numbers))
    began = time.perf_counter()
    database.execute("BEGIN IMMEDIATE")
    work(Transaction(SqliteSql(database), SystemClock().now()))
    database.execute("COMMIT")
    return time.perf_counter() - began
