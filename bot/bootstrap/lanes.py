"""The work that goes on beside answering requests, as named endless coroutines."""

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from bot.bootstrap.parts import Parts
from bot.bootstrap.runtime import EventNudge
from bot.ports.runtime import Log
from bot.ports.store import CommitUnknown, StoreUnavailable

if TYPE_CHECKING:  # imported by a server that serves
    from bot.app.outside import Outside
    from bot.bootstrap.github import AtWork

#: A lane that found nothing to do looks again after this many seconds, nudged or not.
LOOK_AGAIN = 1.0
#: Lanes of which several may run at once; the others need no more than one. Of effector, merger and timers one
#: installation never has more than one.
MANY = frozenset({"inbox", "publisher", "sweep", "effector", "merger", "timers"})


@dataclass(frozen=True, slots=True)
class Lane:
    """`run()` goes on until it is cancelled. An exception that escapes it ends the process."""

    name: str
    run: Callable[[], Coroutine[Any, Any, None]]


def lanes(parts: Parts, at_work: "AtWork | None") -> Sequence[Lane]:
    """All lanes of this process; none in set-up mode."""
    if at_work is None:
        return ()
    from bot.app.audit import Audit  # noqa: PLC0415 - imported by a server that serves
    from bot.app.retention import Retention  # noqa: PLC0415 - see above

    outside, settings = at_work.outside, parts.settings
    steps = {
        "contact": at_work.calling.step,
        **at_work.work.steps,
        **_caller(parts, outside),
        "sweep": at_work.sweep.step,
        "retention": Retention(outside, settings.retention_days).step,
        "audit": Audit(parts.store, parts.log).step,
    }
    return [
        Lane(f"{name}-{number}", partial(forever, name, step, parts.nudge, parts.log))
        for name, step in steps.items()
        for number in range(settings.workers if name in MANY else 1)
    ]


def _caller(parts: Parts, outside: "Outside") -> dict[str, Callable[[], Awaitable[bool]]]:
    """Nobody is called where no address is set."""
    from bot.app.calling import Caller  # noqa: PLC0415 - imported by a server that serves
    from bot.bootstrap.calling import HttpCall  # noqa: PLC0415 - imported by a server that serves

    url, web = parts.settings.notify_url, parts.settings.public_address
    return {} if url is None else {"caller": Caller(outside, HttpCall(url.get_secret_value(), web)).step}


async def forever(name: str, step: Callable[[], Awaitable[bool]], nudge: EventNudge, log: Log) -> None:
    """One unit after the other; when there is none, wait to be nudged. While the database does not answer, wait too:
    what is stored says how to go on, and /readyz says why nothing happens."""
    while True:
        heard: int | None = nudge.heard
        try:
            moved = await step()
        except (StoreUnavailable, CommitUnknown) as outage:
            log("warning", "lane_waits", lane=name, why=str(outage))
            moved, heard = False, None
        if not moved:
            await nudge.wait(LOOK_AGAIN, after=heard)
