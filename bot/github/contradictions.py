"""Since when GitHub contradicts itself about something, for what may be true all the same once it lasts."""

#: Seconds between the readings that agree …
LASTS = 60.0
#: … which are not further apart than this: what GitHub said long ago was another answer.
FORGOTTEN = 3600.0
MOST_KEPT = 1000


class Contradictions:
    """By path, on the monotonic clock of one process: another one begins to count anew."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}

    def lasts(self, path: str, now: float) -> bool:
        """Whether it has lasted for long enough."""
        first = self._since.get(path)
        if first is None or now - first > FORGOTTEN:
            self.is_over(path)
            if len(self._since) >= MOST_KEPT:
                self.is_over(next(iter(self._since)))
            self._since[path] = first = now
        return now - first >= LASTS

    def is_over(self, path: str) -> None:
        self._since.pop(path, None)
