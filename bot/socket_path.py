"""Unix sockets have room for about 100 bytes of path; a deep DATA_DIR is reached through its open directory."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LONGEST = 100


@contextmanager
def reachable(path: Path) -> Iterator[str]:
    """An address for `bind` and `connect`, valid inside the block."""
    plain = str(path)
    if len(os.fsencode(plain)) <= LONGEST:
        yield plain
        return
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        yield f"/proc/self/fd/{directory}/{path.name}"
    finally:
        os.close(directory)
