"""Findings about DATA_DIR and the SQLite file. Nothing is written, and no lock is taken: a server may be running."""

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from bot.app.doctor.finding import Finding, ok, problem, warning
from bot.settings import Settings
from bot.store import connections, schema
from bot.store.engine import locate
from bot.store.failures import StoreRefused
from bot.store.lock import holder

FULL, TIGHT = 50 * 1024**2, 500 * 1024**2
#: The first SQLite that cannot corrupt a WAL when several connections write.
WAL_MENDED = (3, 51, 3)
RESTORE = "stop the server and put a backup in its place, without the -wal and -shm files beside it."


def of_the_directory(settings: Settings) -> Iterator[Finding]:
    path = settings.data_dir.absolute()
    if not path.is_dir():
        if _can_be_made(path):
            yield ok("data", f"{path} is made at the first start")
        else:
            why = "the server cannot start."
            yield problem(
                "data", f"DATA_DIR {path} is no directory and cannot be made", why, "make it, or set DATA_DIR."
            )
        return
    if not _writable(path):
        why = "nothing can be stored, so nothing is accepted: GitHub gets 503."
        yield problem("data", f"DATA_DIR {path} cannot be written by this account", why, "chown it, or set DATA_DIR.")
        return
    yield from _room(path)
    if stat.S_IMODE(path.stat().st_mode) & stat.S_IWOTH:
        why = "anybody on this machine can replace the database."
        yield warning("data", f"others may write to DATA_DIR {path}", why, "chmod 700 it.")


def _can_be_made(path: Path) -> bool:
    """As the server makes it: with the directories above it."""
    above = next(each for each in path.parents if each.exists())
    return not path.exists() and above.is_dir() and _writable(above)


def _writable(path: Path) -> bool:
    """Root may do everything; still no file system without room (`/proc`, `/sys`), nor a read-only one, takes a file."""
    system = os.statvfs(path)
    holds = system.f_blocks > 0 and not system.f_flag & os.ST_RDONLY
    return holds and os.access(path, os.W_OK | os.X_OK)


def _room(path: Path) -> Iterator[Finding]:
    free = shutil.disk_usage(path).free
    said = f"{free / 1024**2:.0f} MiB free at {path}"
    do = "make room, or lower RETENTION_DAYS."
    if free < FULL:
        yield problem("data", said, "with a full disk nothing can be stored, and GitHub gets 503.", do)
    elif free < TIGHT:
        yield warning("data", said, "with a full disk nothing can be stored, and GitHub gets 503.", do)
    else:
        yield ok("data", f"{path}, writable, {free / 1024**3:.1f} GiB free")


def database(settings: Settings) -> Path | None:
    """The file, where it is there and has this version's schema."""
    try:
        path = locate(settings.database)
        with closing(connections.reading(str(path))) as connection:
            return path if schema.version(connection) == schema.VERSIONS[-1] else None
    except (StoreRefused, sqlite3.Error, ValueError):
        return None


def of_the_database(settings: Settings) -> list[Finding]:
    folder = settings.data_dir.absolute()
    if settings.database_url is None and not folder.is_dir():
        # What keeps it from being made is said of the directory.
        made = f"none yet; {folder / 'signalbox.db'} is made at the first start"
        return [ok("database", made)] if _can_be_made(folder) else []
    try:
        path = locate(settings.database)
    except StoreRefused as refused:
        why = "the server refuses to start."
        return [problem("database", refused.message, why, "set DATABASE_URL to sqlite:////absolute/path.")]
    if not path.is_file():
        return [ok("database", f"none yet at {path}; the first start makes it")]
    try:
        with closing(connections.reading(str(path))) as connection:
            found = list(_file(path, connection))
    except (sqlite3.Error, ValueError) as failed:
        why = "the server refuses to start."
        found = [problem("database", f"{path} cannot be read: {failed}", why, RESTORE)]
    return [*found, *_modes(path), *_sqlite()]


def _file(path: Path, connection: sqlite3.Connection) -> Iterator[Finding]:
    version, newest = schema.version(connection), schema.VERSIONS[-1]
    if version not in schema.VERSIONS:
        why = "the server refuses to start."
        what = f"{path} was written by a newer Signalbox" if version else f"{path} is empty"
        yield problem("database", what, why, "start that version again, or restore a backup from before the upgrade.")
        return
    place = f"schema {schema.VERSIONS.index(version) + 1} of {len(schema.VERSIONS)}"
    if version != newest:
        why = "commands that only look refuse to work; the server migrates by itself."
        yield warning("database", f"sqlite, {place}", why, "signalbox migrate")
    damage = [text for (text,) in connection.execute("PRAGMA quick_check(3)") if text != "ok"]
    if damage:
        yield problem(
            "database", f"{path} is damaged: {' '.join(damage[0].split())}", "the server refuses to start.", RESTORE
        )
        return
    mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    writer = holder(path)
    lock = f"written by process {writer}" if writer else "no server has it open"
    if mode != "wal":
        yield warning(
            "database",
            f"journal mode {mode}, not WAL",
            "readers and the writer wait for each other.",
            "start the server once.",
        )
    yield ok("database", f"sqlite, {place}, {mode.upper()}, {lock}, integrity ok")


def _modes(path: Path) -> Iterator[Finding]:
    open_ = [
        each.name
        for each in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm"))
        if each.exists() and stat.S_IMODE(each.stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO)
    ]
    if open_:
        why = "it holds the words of private repositories."
        yield warning("database", f"others may open {', '.join(open_)}", why, "chmod 600 it.")


def _sqlite() -> Iterator[Finding]:
    if sqlite3.sqlite_version_info < WAL_MENDED:
        yield ok(
            "database",
            f"SQLite {sqlite3.sqlite_version}: its fault with several writers cannot happen, one connection writes",
        )
