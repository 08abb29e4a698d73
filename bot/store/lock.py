"""One process per SQLite file."""

import fcntl
import os
from pathlib import Path

from bot.store.failures import StoreRefused


class FileLock:
    """Held from construction until `release` or the end of the process, however it ends. Raises StoreRefused when
    another process holds it."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(database.name + ".lock")
        try:
            self._file: int | None = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StoreRefused(f"{self._path} cannot be opened: {error.strerror}.") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.read(self._file, 32).decode(errors="replace").strip() or "unknown"
            os.close(self._file)
            raise StoreRefused(
                f"{database} is in use by another Signalbox (process {holder}). "
                "SQLite serves one process: stop that one first."
            ) from error
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Safe to repeat. The file stays: removing it would let two processes lock two files of one name."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def holder(database: Path) -> int | None:
    """The process that holds the lock, as far as can be told without taking it: it is noted, and it lives."""
    try:
        noted = int(database.with_name(database.name + ".lock").read_text(encoding="ascii"))
        os.kill(noted, 0)
    except PermissionError:  # it lives, and is somebody else's
        return noted
    except (OSError, ValueError):
        return None
    return noted
