"""Which commits were found not to be the merge of a pull request, so that each is asked for twice and not at every look."""

#: Seconds between two answers that agree: GitHub may name the pull request of a commit a moment after the commit.
LASTS = 60.0
#: Some hundred unknown merges, each on a busy base.
MOST_KEPT = 20_000

#: Repository, pull request, commit.
Pair = tuple[int, int, str]


class Unrelated:
    """On the monotonic clock of one process: another one asks anew."""

    def __init__(self) -> None:
        self._first: dict[Pair, float] = {}
        self._certain: dict[Pair, None] = {}

    def is_certain(self, pair: Pair) -> bool:
        return pair in self._certain

    def say(self, pair: Pair, now: float) -> None:
        """GitHub does not name this pull request for this commit."""
        if now - self._first.setdefault(pair, now) >= LASTS:
            self._certain[pair] = None
            del self._first[pair]
        for kept in (self._first, self._certain):
            while len(kept) > MOST_KEPT:
                del kept[next(iter(kept))]
