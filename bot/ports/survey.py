"""The App and where it is installed, as an operator looks at them. Raises Unreachable, RateLimited, Forbidden or Gone."""

from datetime import datetime
from typing import Protocol

from bot.domain.model.ids import Repo, Value


class AppAnswer(Value):
    """What GitHub says to our key. `status` other than 200: it does not take it, and the rest is empty. `at` is GitHub's
    clock."""

    status: int
    at: datetime | None
    slug: str = ""
    permissions: dict[str, str] = {}
    events: tuple[str, ...] = ()


class Place(Value):
    """One installation. `settings` is the page of whoever may change it."""

    id: int
    account: str
    suspended: bool = False
    permissions: dict[str, str] = {}
    settings: str = ""


class Governed(Value):
    """A repository that an installation may see."""

    repo: Repo
    default_branch: str
    archived: bool = False


class Survey(Protocol):
    async def about(self) -> AppAnswer: ...
    async def places(self) -> tuple[Place, ...]: ...
    async def governed(self, installation_id: int) -> tuple[Governed, ...]: ...
