"""The operator's intervals, as the shell uses them. Seconds; fractions are fine."""

from dataclasses import dataclass
from typing import Literal

from bot.ports.forge import LANDING, WRITE_TIMEOUT

#: LIFECYCLE.md 4.1.
COLLECTING = 2.0


@dataclass(frozen=True, slots=True)
class Timing:
    settle_window: float = 900.0
    merge_timeout: float = 30.0
    merge_retry: float = 5.0
    merge_api: Literal["auto", "async", "sync"] = "auto"
    #: Changes of a record are shown together for so long after the first of them.
    collecting: float = COLLECTING
    #: Whether operators are called outside of GitHub (`NOTIFY_URL`).
    calls: bool = False
    #: Lanes of inbox or publisher that one installation may have at once, so that it does not keep all others waiting.
    share: int = 2
    #: A delivery that was claimed and not finished can be claimed again after this.
    delivery_lease: float = 60.0
    write_timeout: float = WRITE_TIMEOUT
    #: A call of operators that was sent and not answered is made again after this.
    call_lease: float = 60.0

    @property
    def write_lease(self) -> float:
        """How long whoever writes has the right to, from the guard of a write on: until that write can land no more. So a
        publisher that died gives the record free after this, and an effect that was not answered is looked for."""
        return self.write_timeout + LANDING

    @property
    def owner_lease(self) -> float:
        """How long an attempt belongs to its sender: the request's deadline and ten seconds."""
        return owner_lease(self.merge_timeout)


def owner_lease(merge_timeout: float) -> float:
    """See `Timing.owner_lease`. Only after it the settle window begins."""
    return merge_timeout + LANDING
