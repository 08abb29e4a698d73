"""One delivery once more: it is translated and brought to its records again, and what it did already is not done twice.

What a signal did is kept under its content key, so that a repeat of it changes nothing.
"""

from typing import Any

from bot.app.requests import Args, read, refused
from bot.domain.model.delivery import DeliveryRow
from bot.domain.model.ids import Value
from bot.ports.runtime import Log, Nudge
from bot.ports.store import Store, Tx

#: States in which a delivery is over. In the others it will be worked on anyway.
OVER = frozenset({"applied", "no_op", "ignored", "failed"})


UNREADABLE = "The GUID of the delivery is missing."


class _Guid(Value):
    guid: str


class Replays:
    """`serving`: this process works on deliveries; else the next server does."""

    def __init__(self, store: Store, nudge: Nudge, log: Log, *, serving: bool) -> None:
        self._store = store
        self._nudge = nudge
        self._log = log
        self._serving = serving

    async def look(self, args: Args, _actor: str) -> dict[str, Any]:
        """What is known of the delivery, and whether it can be replayed."""
        guid = read(_Guid, args, UNREADABLE).guid
        row = await self._store.read(lambda tx: _row(tx, guid))
        return _unable(row) or self._found(row)

    async def replay(self, args: Args, actor: str) -> dict[str, Any]:
        guid = read(_Guid, args, UNREADABLE).guid

        def put_back(tx: Tx) -> DeliveryRow | None:
            row = _row(tx, guid)
            if row is not None and row.state in OVER:
                tx.deliveries.put_back(guid)
            return row

        before = await self._store.run(put_back)
        if refusal := _unable(before):
            return refusal
        self._log("info", "delivery_replayed", delivery=guid, actor=actor)
        self._nudge()
        return self._found(before)

    def _found(self, row: DeliveryRow | None) -> dict[str, Any]:
        assert row is not None, "what does not exist is refused before"
        return {"result": {"delivery": delivery_view(row), "serving": self._serving}}


def delivery_view(row: DeliveryRow) -> dict[str, Any]:
    return row.model_dump(mode="json")


def _row(tx: Tx, guid: str) -> DeliveryRow | None:
    found = tx.deliveries.get(guid)
    return found[1] if found else None


def _unable(row: DeliveryRow | None) -> dict[str, Any] | None:
    if row is None:
        return refused(
            "no_record", "No delivery with this GUID is kept. It never came, or it is older than RETENTION_DAYS."
        )
    if row.state not in OVER:
        return refused("already_recorded", "It waits to be worked on already. Nothing changed.")
    return None
