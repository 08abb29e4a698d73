"""The work that goes on beside answering requests, as named endless coroutines."""

import asyncio
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
#: After a look that found nothing nobody of its kind looks again for so many seconds, however often it is nudged: a flood of
#: deliveries nudges thousands of times a second, and each look costs what taking some of them in would.
REST = 0.05
#: Of lanes that are woken together each looks so many seconds after the one before it: what that finds nothing of is not there.
STAGGER = 0.01
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
        Lane(f"{name}-{number}", partial(forever, name, step, parts.nudge, parts.log, looks, number))
        for (name, step), looks in zip(steps.items(), (Looks() for _ in steps), strict=True)
        for number in range(settings.workers if name in MANY else 1)
    ]


def _caller(parts: Parts, outside: "Outside") -> dict[str, Callable[[], Awaitable[bool]]]:
    """Nobody is called where no address is set."""
    from bot.app.calling import Caller  # noqa: PLC0415 - imported by a server that serves
    from bot.bootstrap.calling import HttpCall  # noqa: PLC0415 - imported by a server that serves

    url, web = parts.settings.notify_url, parts.settings.public_address
    return {} if url is None else {"caller": Caller(outside, HttpCall(url.get_secret_value(), web)).step}


class Looks:
    """What the lanes of one kind know of each other's looks: when the last one that found nothing began, and how many nudges had
    been heard by then. What wakes them after it is news for all of them."""

    def __init__(self) -> None:
        self._heard, self._at = -1, float("-inf")

    def found_nothing(self, heard: int, at: float) -> None:
        self._heard, self._at = max(self._heard, heard), max(self._at, at)

    async def worth_another(self, nudge: EventNudge, heard: int | None, place: int) -> None:
        """Return when there may be something again. `heard` as in `EventNudge.wait`; `place` among the lanes of this kind."""
        while True:
            await nudge.wait(LOOK_AGAIN, after=heard)
            await self._rest(place * STAGGER)
            if self._heard < nudge.heard or asyncio.get_running_loop().time() - self._at >= LOOK_AGAIN - REST:
                return
            heard = self._heard

    async def _rest(self, turn: float) -> None:
        """Until it is this lane's turn, and nobody has just found nothing."""
        wait = max(self._rests_for(), 0) + turn
        while wait > 0:
            await asyncio.sleep(wait)
            wait = self._rests_for()
            wait += turn if wait > 0 else 0

    def _rests_for(self) -> float:
        return self._at + REST - asyncio.get_running_loop().time()


async def forever(
    name: str,
    step: Callable[[], Awaitable[bool]],
    nudge: EventNudge,
    log: Log,
    looks: Looks | None = None,
    place: int = 0,
) -> None:
    """One unit after the other; when there is none, wait to be nudged. While the database does not answer, wait too:
    what is stored says how to go on, and /readyz says why nothing happens."""
    looks = looks or Looks()
    while True:
        heard: int | None = nudge.heard
        began = asyncio.get_running_loop().time()
        try:
            moved = await step()
        except (StoreUnavailable, CommitUnknown) as outage:
            log("warning", "lane_waits", lane=name, why=str(outage))
            moved, heard = False, None
        if not moved:
            if heard is not None:
                looks.found_nothing(heard, began)
            await looks.worth_another(nudge, heard, place)
