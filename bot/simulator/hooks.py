"""Webhooks on their way out: a queue of deliveries, the log GitHub keeps of them, and what can go wrong."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from bot.simulator.clock import WorldClock
from bot.simulator.wire.places import as_json, pages_at


@dataclass(eq=False)
class HookDelivery:
    """One attempt. `guid` survives redelivery, `id` does not. `status_code` None = not tried yet, 0 = no connection."""

    id: int
    guid: str
    event: str
    action: str | None
    body: bytes
    at: datetime
    due: datetime
    repository_id: int | None = None
    installation_id: int | None = None
    status_code: int | None = None
    redelivery: bool = False

    @property
    def payload(self) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self.body)
        return loaded


@dataclass
class _Dropping:
    times: int | None
    event: str | None
    logged: bool


class HookQueue:
    """`log` is everything GitHub remembers, oldest first. `take` hands out what is due. `web`: see `pages_at`."""

    def __init__(self, clock: WorldClock) -> None:
        self._clock = clock
        self._ids = count(1)
        self._guids = count(1)
        self._waiting: list[HookDelivery] = []
        self._dropping: list[_Dropping] = []
        self.log: list[HookDelivery] = []
        self.delay = 0.0
        self.duplicate: Callable[[], bool] | None = None
        self.reversed = False
        self.web: str | None = None

    def emit(self, event: str, payload: dict[str, Any]) -> None:
        """Queue a webhook; the payload is frozen here, as GitHub does it."""
        now = self._clock.now()
        delivery = HookDelivery(
            id=next(self._ids),
            guid=self._guid(),
            event=event,
            action=payload.get("action"),
            body=pages_at(self.web, as_json(payload)),
            at=now,
            due=now + timedelta(seconds=self.delay),
            repository_id=payload.get("repository", {}).get("id"),
            installation_id=payload.get("installation", {}).get("id"),
        )
        dropping = self._dropped(event)
        if dropping is None:
            self._queue(delivery)
            if self.duplicate is not None:
                guid = delivery.guid if self.duplicate() else self._guid()
                self._queue(replace(delivery, id=next(self._ids), guid=guid))
        elif dropping.logged:
            delivery.status_code = 0
            self.log.append(delivery)

    def drop(self, times: int | None, event: str | None, logged: bool) -> None:
        self._dropping.append(_Dropping(times, event, logged))

    def stop_faults(self) -> None:
        self._dropping.clear()
        self.delay, self.duplicate, self.reversed = 0.0, None, False

    def take(self) -> list[HookDelivery]:
        """Everything due now leaves the queue, in order (or the other way round while reordering)."""
        now = self._clock.now()
        due = [d for d in self._waiting if d.due <= now]
        self._waiting = [d for d in self._waiting if d.due > now]
        return list(reversed(due)) if self.reversed else due

    def waiting(self) -> int:
        return len(self._waiting)

    def find(self, id: int) -> HookDelivery | None:
        return next((d for d in self.log if d.id == id), None)

    def redeliver(self, delivery: HookDelivery) -> None:
        """A new attempt with the same GUID and body."""
        now = self._clock.now()
        again = replace(delivery, id=next(self._ids), at=now, due=now, status_code=None, redelivery=True)
        self._queue(again)

    def _queue(self, delivery: HookDelivery) -> None:
        self.log.append(delivery)
        self._waiting.append(delivery)

    def _dropped(self, event: str) -> _Dropping | None:
        for rule in self._dropping:
            if rule.event in (None, event):
                if rule.times is not None:
                    rule.times -= 1
                    if rule.times == 0:
                        self._dropping.remove(rule)
                return rule
        return None

    def _guid(self) -> str:
        number = next(self._guids)
        return f"{number:08x}-0000-11f1-8000-{number:012x}"
