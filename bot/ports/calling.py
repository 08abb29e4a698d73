"""Operators as they are called outside of GitHub: one address of theirs, which is told a small document."""

from typing import Protocol

from bot.domain.model.effects import CallOperators
from bot.domain.model.ids import Repo


class CallFailed(Exception):
    """Nobody is known to have heard it. `again`: calling once more may help. `why` is for operators and names no address."""

    def __init__(self, why: str, *, again: bool) -> None:
        super().__init__(why)
        self.why = why
        self.again = again


class Call(Protocol):
    async def __call__(self, repo: Repo, issue: int, document: CallOperators, /, *, once: str) -> None:
        """Tell it. Whoever is told twice finds the same `once`. Raises CallFailed."""
        ...
