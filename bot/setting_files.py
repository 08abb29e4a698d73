"""The files that settings name or stand in: who may open them, what they are called, and lines of `.env` that its reader
passes over. It only logs them, each time it reads; a setting may be lost with one."""

import logging
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: Who reads `.env` for pydantic-settings, and says what it could not.
READER = "dotenv.main"
#: Longer, or with a line of PEM, it is the key itself, set under the wrong name.
LONGEST_PATH = 200


def open_to_others(path: Path) -> bool:
    """Whether other accounts of this machine may do anything with the file."""
    return path.is_file() and bool(path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def called(path: Path) -> str:
    """The file as it may be printed."""
    text = str(path)
    return text if len(text) <= LONGEST_PATH and text.isprintable() and "-----" not in text else "a file"


def looked_for(path: Path) -> str:
    """The same, and from where: what was meant may be in another directory."""
    file = called(path)
    return file if path.is_absolute() or file != str(path) else f"{file} (from {Path.cwd()})"


class _Numbers(logging.Handler):
    """The one argument of what is said is the number of the line."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: set[int] = set()

    def emit(self, record: logging.LogRecord) -> None:
        if isinstance(record.args, tuple):
            self.lines |= {number for number in record.args if isinstance(number, int)}


@contextmanager
def unread_lines() -> Iterator[set[int]]:
    """The numbers of the lines that could not be read meanwhile; nothing of it is printed."""
    reader, numbers = logging.getLogger(READER), _Numbers()
    before, reader.propagate = reader.propagate, False
    reader.addHandler(numbers)
    try:
        yield numbers.lines
    finally:
        reader.removeHandler(numbers)
        reader.propagate = before
