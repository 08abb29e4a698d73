"""👀 on a command that is not answered within five seconds: GitHub is slow, or much was said before it.

What waits is seen in what is stored, beside the lane that works on it. The reaction is one effect of the comment: it comes
before the answer or not at all, and once, whoever restarts.
"""

from collections import deque
from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.app.aside import Unit, set_aside
from bot.app.comments import Comments
from bot.app.outside import Outside
from bot.domain.model.sightings import CommentCreated
from bot.ports.forge import Translator
from bot.ports.store import Tx

PATIENCE = timedelta(seconds=5)
#: How long a hold says that one met a bug of ours. It is not looked at again: the inbox says what becomes of it.
SET_ASIDE = timedelta(minutes=10)
#: Seconds between two looks at all that waits.
ALL_AGAIN = 1.0
#: Events that can bring a command.
SPOKEN = ("issue_comment", "pull_request_review", "pull_request_review_comment")


class Seen:
    def __init__(self, outside: Outside, translate: Translator, comments: Comments) -> None:
        self._outside = outside
        self._store = outside.store
        self._translate = translate
        self._comments = comments
        self._looked_at: set[str] = set()
        self._late: deque[str] = deque()
        self._read_until: datetime | None = None
        self._all_read_at = float("-inf")

    async def step(self) -> bool:
        """Look at one delivery that waits too long; False when there is none that was not looked at."""
        if not self._late:
            await self._read()
        if not self._late:
            return False
        guid = self._late.popleft()
        self._looked_at.add(guid)
        try:
            await self._look_at(guid)
        except Exception as error:  # noqa: BLE001 - our own bug with one delivery must not stop the others; it is logged
            unit = Unit("seen", guid, "seen_failed", SET_ASIDE, {"delivery": guid})
            await set_aside(self._outside, unit, error)
        return True

    async def _read(self) -> None:
        """Those that are late since the last look; once a second all of them, which may be thousands, for what was put back."""
        now = self._outside.clock.monotonic()
        everything = now - self._all_read_at >= ALL_AGAIN
        after = None if everything else self._read_until

        def late(tx: Tx) -> tuple[datetime, Sequence[tuple[str, str]]]:
            before = tx.now() - PATIENCE
            return before, tx.deliveries.waiting(before, after)

        self._read_until, found = await self._store.read(late)
        waiting = [guid for guid, event in found if event in SPOKEN]
        if everything:
            self._all_read_at = now
            self._looked_at.intersection_update(waiting)
        self._late.extend(guid for guid in waiting if guid not in self._looked_at)

    async def _look_at(self, guid: str) -> None:
        found = await self._store.read(lambda tx: tx.deliveries.get(guid))
        if found is None or found[1].finished_at is not None:
            return
        translation = self._translate(found[0])
        for signal in translation.signals:
            if isinstance(signal, CommentCreated) and translation.repo is not None:
                await self._comments.see(translation.repo, signal)
        self._outside.nudge()
