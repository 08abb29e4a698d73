"""Checking records against their history for the command line, one after the other, beside whoever writes."""

from collections.abc import Sequence

from bot.app.browse import Name, Snapshot
from bot.cli.operations import Checked
from bot.domain.model.ids import RecordKey
from bot.ports.store import Tx
from bot.store import verify


class ReadersAudit:
    """Each record from a snapshot of its own, so that a writer is never in the way."""

    def __init__(self, read: Snapshot) -> None:
        self._read = read

    async def records(self, only: Name | None) -> Sequence[RecordKey]:
        return await self._read(lambda tx: verify.keys(tx) if only is None else _named(tx, only))

    async def check(self, key: RecordKey) -> Checked:
        return Checked(*await self._read(lambda tx: verify.check(tx, key)))


def _named(tx: Tx, name: Name) -> list[RecordKey]:
    key = tx.records.by_name(*name)
    return [key] if key is not None else []
