"""GitHub as the shell sees it: questions and writes. Nothing here can merge (see `bot.ports.merging`)."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from datetime import datetime
from typing import Any, Protocol, TypeVar

from bot.domain.model.delivery import Delivery
from bot.domain.model.effects import Write, Written
from bot.domain.model.facts import Answer
from bot.domain.model.ids import Repo
from bot.domain.model.questions import Question
from bot.domain.model.signals import Signal
from bot.domain.model.sweeping import HookAttempt, Installed

T = TypeVar("T")
#: Asked directly before a write leaves. What it raises stops the write, and nothing is sent.
Guard = Callable[[], Awaitable[None]]
#: Seconds a write may take as a whole, its guard included; then it is given up, and whether it happened is not known.
WRITE_TIMEOUT = 60.0
#: What was given up may still happen for so many seconds: GitHub ends every request by itself after this.
LANDING = 10.0


class Forge(Protocol):
    """Every failure is a `bot.ports.failures.ForgeFailure`; anything else that escapes is our own bug."""

    async def read(self, repo: Repo, question: Question[T]) -> Answer[T]:
        """Answer one question. Reads may be retried inside. Raises Unreachable, RateLimited, Forbidden or Gone."""
        ...

    async def together(self, repo: Repo, questions: Collection[Question[Any]]) -> Mapping[Question[Any], Answer[Any]]:
        """Those of them that one request answers, just as `read` would; the others are to be read. None where that would spare
        nothing. Raises as `read` does."""
        ...

    async def perform(self, repo: Repo, write: Write, guard: Guard | None = None) -> Written:
        """Carry out one mutation, once. Raises any of the five failures; OutcomeUnknown when it may have happened. The
        guard is asked last: nothing is waited for between it and the bytes, not even a token."""
        ...


class HookLog(Protocol):
    """GitHub's own list of the webhooks it sent to our App. Raises Unreachable, RateLimited, Forbidden or Gone."""

    async def failed(self, since: datetime) -> tuple[HookAttempt, ...]:
        """Attempts since then that we did not answer with 2xx, newest first. One of them may have been repeated since."""
        ...

    async def redeliver(self, attempt: int) -> None:
        """Ask for the delivery of this attempt once more; OutcomeUnknown when it may have been heard."""
        ...


class Directory(Protocol):
    """Where our App is installed. Raises Unreachable, RateLimited, Forbidden or Gone; half a list is never an answer."""

    async def installations(self) -> tuple[Installed, ...]: ...
    async def repositories(self, installation_id: int) -> tuple[Repo, ...]:
        """Those that the installation may work in now: one that is archived can be read, and takes no write."""
        ...


class Translator(Protocol):
    def __call__(self, delivery: Delivery) -> "Translation":
        """Pure. Unknown events and actions give no signals and a reason; malformed authentic payloads too."""
        ...


class Translation(Protocol):
    """`repo` is None when the payload names no repository (installation events)."""

    @property
    def repo(self) -> Repo | None: ...

    @property
    def signals(self) -> tuple[Signal, ...]: ...

    @property
    def ignored_because(self) -> str | None: ...

    @property
    def unreadable(self) -> bool:
        """It tells something, and nobody knows what."""
        ...
