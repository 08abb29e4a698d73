"""Moves of records a second: through the store as it runs, against its very statements in a bare loop with a commit each."""

import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from bench.moves import create, move
from bench.recording import empty, one_commit_each, raw, recorded
from bench.rounds import Figures, Goal, Report, alternate, middle, ratio
from bot.bootstrap.runtime import SystemClock
from bot.store.sqlite import SqliteStore

RECORDS = 1_000
RAW, FSYNC = "its statements, a commit each", "fdatasync of one page"
_moves = count(1)


def at_once(number: int) -> str:
    return f"signalbox, {number} at once"


def run(rounds: int, seconds: float, tell: Callable[[str], None]) -> Report:
    with tempfile.TemporaryDirectory() as place:
        filled = Path(place) / "filled.db"
        fill(filled, RECORDS)
        contenders: dict[str, Callable[[], Figures]] = {
            at_once(1): lambda: _ours(_copy(filled), 1, seconds),
            at_once(16): lambda: _ours(_copy(filled), 16, seconds),
            RAW: lambda: _raw(_copy(filled), seconds),
            FSYNC: lambda: _fsync(Path(place) / "page", seconds),
        }
        runs = alternate(contenders, rounds, tell)
    rows = [(name, f"{middle(runs, name, 'rate'):,.0f}") for name in contenders]
    goals = [
        Goal("16 at once ÷ bare loop", ratio(runs, at_once(16), RAW, "rate"), 2.0),
        Goal("1 at once ÷ bare loop", ratio(runs, at_once(1), RAW, "rate"), 0.6),
    ]
    notes = [f"{RECORDS:,} records of about 4 KB; each move reads, replaces, chains its history and plans an effect."]
    return Report("Core", ("moves", "per second"), rows, goals, notes)


def fill(path: Path, records: int) -> None:
    empty(path)

    async def work() -> None:
        store = SqliteStore(str(path), SystemClock())
        for begin in range(0, records, 64):
            issues = range(begin + 1, min(begin + 65, records + 1))
            await asyncio.gather(*(store.run(create(issue)) for issue in issues))
        await store.close()

    asyncio.run(work())


def _copy(filled: Path) -> Path:
    path = filled.with_name("used.db")
    for old in filled.parent.glob("used.db*"):
        old.unlink()
    shutil.copy(filled, path)
    return path


def _ours(path: Path, together: int, seconds: float) -> Figures:
    """`together` callers, each of its own records, as lanes are."""

    async def measure() -> float:
        store = SqliteStore(str(path), SystemClock())
        ends = time.perf_counter() + seconds
        began = time.perf_counter()
        done = sum(await asyncio.gather(*(_caller(store, each, together, ends) for each in range(together))))
        took = time.perf_counter() - began
        await store.close()
        return done / took

    return {"rate": asyncio.run(measure())}


async def _caller(store: SqliteStore, mine: int, together: int, ends: float) -> int:
    done = 0
    for issue in _issues(mine, together):
        if time.perf_counter() >= ends:
            return done
        await store.run(move(issue, next(_moves)))
        done += 1
    return done


def _issues(mine: int, together: int) -> Iterator[int]:
    while True:
        yield from range(mine + 1, RECORDS + 1, together)


def _raw(path: Path, seconds: float) -> Figures:
    """The statements of one move for each record, in order: each is valid once, as in a bot that does one after the other."""
    works = [move(issue, next(_moves)) for issue in range(1, RECORDS + 1)]
    transactions = recorded(path, SystemClock(), works)
    rates = []
    ends = time.perf_counter() + seconds
    while time.perf_counter() < ends:
        fresh = path.with_name("used-again.db")
        shutil.copy(path, fresh)
        with raw(fresh) as connection:
            began = time.perf_counter()
            one_commit_each(connection, transactions)
            rates.append(len(transactions) / (time.perf_counter() - began))
        fresh.unlink()
    return {"rate": sum(rates) / len(rates)}


def _fsync(path: Path, seconds: float) -> Figures:
    """What the disk can do at best."""
    done, began = 0, time.perf_counter()
    file = os.open(path, os.O_RDWR | os.O_CREAT)
    try:
        while time.perf_counter() - began < seconds:
            os.pwrite(file, b"x" * 4096, 0)
            os.fdatasync(file)
            done += 1
    finally:
        os.close(file)
    return {"rate": done / (time.perf_counter() - began)}
