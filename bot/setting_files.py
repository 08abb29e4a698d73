"""Lines of `.env` that its reader passes over. It only logs them, each time it reads; a setting may be lost with one."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

#: Who reads `.env` for pydantic-settings, and says what it could not.
READER = "dotenv.main"


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
