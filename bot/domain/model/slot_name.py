"""The name of a slot: which thing of ours on GitHub it keeps. Printed and read here alone; stored as its text."""

_CHECK, _NOTICE, _LABELS = "check:", "notice:", "labels:"
_ON_ISSUE, _ON_PULL = "comment:issue", "comment:pull:"


class SlotName(str):
    """Made by one of the class methods, or of a stored text, which it is equal to. What does not apply is None."""

    __slots__ = ()

    @classmethod
    def check(cls, head: str) -> "SlotName":
        return cls(f"{_CHECK}{head}")

    @classmethod
    def status(cls, pull: int | None = None) -> "SlotName":
        """The status comment on this pull request, or on the issue."""
        return cls(_ON_ISSUE if pull is None else f"{_ON_PULL}{pull}")

    @classmethod
    def notice(cls, cause: object) -> "SlotName":
        return cls(f"{_NOTICE}{cause}")

    @classmethod
    def labels(cls, thread: int) -> "SlotName":
        return cls(f"{_LABELS}{thread}")

    @property
    def head(self) -> str | None:
        """Of a check run."""
        return self._after(_CHECK)

    @property
    def pull(self) -> int | None:
        """Of a status comment on a pull request."""
        number = self._after(_ON_PULL)
        return None if number is None else int(number)

    @property
    def cause(self) -> str | None:
        """Of a notice."""
        return self._after(_NOTICE)

    @property
    def kind(self) -> str:
        return self.partition(":")[0]

    @property
    def thread(self) -> str:
        """The number of the thread, of labels and of the status comment on a pull request."""
        return self.rpartition(":")[2]

    @property
    def is_comment(self) -> bool:
        return self == _ON_ISSUE or self.startswith((_ON_PULL, _NOTICE))

    def _after(self, kind: str) -> str | None:
        return self.removeprefix(kind) if self.startswith(kind) else None
