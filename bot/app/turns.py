"""Several lanes of one part, of which one installation never has more than one: where its GitHub hangs, the others go on.

Only this process is meant; that nobody does a thing twice is what claims and leases in the store are for.
"""

from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    def __init__(self) -> None:
        self._taken: set[int] = set()

    @property
    def taken(self) -> frozenset[int]:
        """Installations that somebody works for now."""
        return frozenset(self._taken)

    @contextmanager
    def take(self, installation_id: int) -> Iterator[bool]:
        """False where somebody took it since `taken` was asked."""
        if installation_id in self._taken:
            yield False
            return
        self._taken.add(installation_id)
        try:
            yield True
        finally:
            self._taken.discard(installation_id)
