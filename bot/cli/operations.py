"""What the command line needs from the process around it. `bot.bootstrap` hands in the real thing."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from bot.app.browse import Browser, Name
from bot.app.doctor.finding import Finding
from bot.domain.model.delivery import DeliveryRow, DeliveryState
from bot.domain.model.ids import RecordKey
from bot.domain.model.written import Written
from bot.domain.policy.seats import Someone
from bot.ports.rows import TokenRow


class Refused(Exception):
    """An expected "no", as one or more sentences for the person at the terminal. Exit code 1."""


class Down(Refused):
    """The database does not answer now; later it may."""


class WrongUsage(Exception):
    """What is wrong with a command line that could be read, and the nearest right one. Exit code 2."""


class Ask(Protocol):
    """One administrative request: `{result}` or `{error: {code, message}}`, as `bot.app.admin` answers."""

    async def __call__(self, op: str, args: dict[str, Any]) -> dict[str, Any]: ...


class Checked(NamedTuple):
    """One record against its history: how people call it, how many versions it has, and every way in which they differ."""

    name: str
    versions: int
    findings: tuple[str, ...]


class Audit(Protocol):
    """Looks at records and their history as they really lie in the database."""

    async def records(self, only: Name | None) -> Sequence[RecordKey]:
        """All, or the one of that name, if there is one."""
        ...

    async def check(self, key: RecordKey) -> Checked: ...


class Operations(Protocol):
    """Each reads the settings, but `demo`, `document` and `redacted`, which does without them.
    Raises SettingsRefused, Refused, or one of the store port's failures."""

    def redacted(self, text: str) -> str:
        """Without secrets: those of the settings where they can be read, and whatever has the form of one."""
        ...

    def serve(self) -> int:
        """Until it is told to stop; the exit code."""
        ...

    def demo(self, *, once: bool, hands_on: bool, data: Path | None) -> int:
        """The real bot and a simulated GitHub, until it is told to stop, or `once`; the exit code."""
        ...

    async def doctor(self) -> Sequence[Finding]:
        """Everything that is looked at, in the order in which it is shown. Settings that cannot be used are findings."""
        ...

    async def migrate(self) -> str:
        """Bring the database to this version; a sentence about what is true now."""
        ...

    def browsing(self) -> AbstractAsyncContextManager[Browser]: ...

    async def deliveries(self, state: DeliveryState | None, limit: int) -> Sequence[DeliveryRow]:
        """The newest ones."""
        ...

    def audit(self) -> AbstractAsyncContextManager[Audit]: ...

    def document(self, raw: bytes) -> Written:
        """A file that somebody wrote, as data."""
        ...

    async def people(self, repository: str, logins: Sequence[str]) -> Mapping[str, Someone | None]:
        """Who bears these logins now and what they may do in the repository, asked of GitHub. None = nobody bears it."""
        ...

    async def tokens(self) -> Sequence[TokenRow]: ...

    def admin(self, *, makes: bool = False) -> AbstractAsyncContextManager[Ask]:
        """For changes: through the running server if there is one, else on the database under its lock. `makes`: also where
        there is no database yet; what is about something in it is refused there, and leaves nothing behind."""
        ...
