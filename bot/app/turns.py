"""Several lanes of one part, of which one installation has only its share: where its GitHub hangs, or it has a thousand
repositories, the others go on.

Only this process is meant; that nobody does a thing twice is what claims and leases in the store are for.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """`most` of one installation at once."""

    def __init__(self, most: int = 1) -> None:
        self._most = most
        self._taken: Counter[int] = Counter()

    @property
    def taken(self) -> frozenset[int]:
        """Installations that have their share."""
        return frozenset(number for number, lanes in self._taken.items() if lanes >= self._most)

    @contextmanager
    def take(self, installation_id: int) -> Iterator[bool]:
        """False where somebody took it since `taken` was asked."""
        if installation_id in self.taken:
            yield False
            return
        self._taken[installation_id] += 1
        try:
            yield True
        finally:
            self._taken[installation_id] -= 1
