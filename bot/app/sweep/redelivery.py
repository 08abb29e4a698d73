"""Webhooks that failed are asked for again: GitHub never repeats one by itself."""

from collections.abc import Iterable
from datetime import timedelta

from bot.app.outside import Outside
from bot.domain.model.sweeping import HookAttempt
from bot.ports.failures import Gone
from bot.ports.forge import HookLog
from bot.ports.store import Tx

#: GitHub keeps deliveries for three days.
KEPT = timedelta(days=3)
MOST_TIMES = 3
#: Asked for in one sweep; what is left comes with the next.
AT_ONCE = 50
#: Answers by which we refused on purpose: the same delivery would be refused again.
ON_PURPOSE = frozenset({400, 401, 409, 413, 415})


class Redelivery:
    def __init__(self, outside: Outside, hooks: HookLog) -> None:
        self._outside = outside
        self._hooks = hooks

    async def ask(self) -> int:
        """How many were asked for. Raises as the port does; what was asked for before that is counted."""
        now = self._outside.clock.now()
        wanted = await self._outside.store.read(lambda tx: tx.now() - KEPT)
        newest = _newest(await self._hooks.failed(min(now - KEPT, wanted)))
        missing = await self._outside.store.read(lambda tx: [one for one in newest if _is_missing(tx, one)])
        for attempt in missing[:AT_ONCE]:
            guid = attempt.guid
            # Counted first: a crash in between asks less often, never more.
            await self._outside.store.run(lambda tx: tx.sweeps.ask_again(guid))  # noqa: B023 - run before the next turn
            try:
                await self._hooks.redeliver(attempt.id)
            except Gone:
                continue
        return len(missing[:AT_ONCE])


def _newest(attempts: Iterable[HookAttempt]) -> list[HookAttempt]:
    """The newest attempt of each delivery, oldest delivery first."""
    newest: dict[str, HookAttempt] = {}
    for attempt in sorted(attempts, key=lambda one: (one.at, one.id)):
        newest[attempt.guid] = attempt
    return list(newest.values())


def _is_missing(tx: Tx, attempt: HookAttempt) -> bool:
    refused = attempt.status in ON_PURPOSE
    return not refused and tx.sweeps.asked_again(attempt.guid) < MOST_TIMES and tx.deliveries.get(attempt.guid) is None
