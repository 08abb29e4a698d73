"""What happened to a record, for what is shown of it."""

from bot.domain.model.record import Record
from bot.domain.projections.show import Happened
from bot.ports.rows import HistoryRow
from bot.ports.store import HistoryDamaged, Tx

#: The newest versions in which the end of a notice's cause is looked for.
HISTORY = 200


def happened(tx: Tx, record: Record) -> tuple[Happened, ...]:
    """The newest versions, newest last. A damaged history tells nothing, and what has to be shown is shown all the same: what
    merges looks at the history by itself."""
    after = max(0, record.version - HISTORY)
    try:
        rows = tx.records.history(record.key, after, HISTORY)
    except HistoryDamaged:
        return ()
    return tuple(_happened(row) for row in rows)


def _happened(row: HistoryRow) -> Happened:
    return Happened(
        version=row.version,
        from_=row.from_,
        to=row.to,
        event=row.signal,
        by=row.actor,
        detail=row.detail,
        sets={change["path"]: change.get("value") for change in row.patch},
    )
