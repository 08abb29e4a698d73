"""What operators watch, read from the store in one go: how much of what, and how far behind."""

from dataclasses import dataclass
from datetime import datetime

from bot.app.aside import aside
from bot.app.sweep.report import report
from bot.ports.operating import Tally
from bot.ports.store import Tx


@dataclass(frozen=True, slots=True)
class Snapshot:
    """`ambiguous_since`: since when the merge is unproven that is so longest; `overdue` of them wait for an operator.
    `swept_since`: when the repository was swept that was not for longest; `unswept` never were. `aside`: by part."""

    at: datetime
    tally: Tally
    ambiguous_since: datetime | None
    overdue: int
    swept_since: datetime | None
    unswept: int
    installations: dict[str, int]
    slowed: int
    aside: dict[str, int]

    def age(self, since: datetime | None) -> float:
        """Seconds; 0 where nothing waits."""
        return max((self.at - since).total_seconds(), 0.0) if since is not None else 0.0


def snapshot(tx: Tx) -> Snapshot:
    now = tx.now()
    loaded = [tx.records.load(key) for key in tx.records.merging(("ambiguous",))]
    merges = [one.record.merge for one in loaded if one is not None]
    sweep = report(tx)
    present = [one for one in sweep.installations if one.id != 0]
    swept = [one.swept_at for one in sweep.repositories if one.swept_at is not None]
    parts = [held.name.partition(":")[0] for held in aside(tx)]
    return Snapshot(
        at=now,
        tally=tx.operating.tally(),
        ambiguous_since=min((one.requested_at for one in merges if one.requested_at is not None), default=None),
        overdue=sum(one.window_ends is not None and one.window_ends <= now for one in merges),
        swept_since=min(swept, default=None),
        unswept=len(sweep.repositories) - len(swept),
        installations={state: sum(one.state == state for one in present) for state in {one.state for one in present}},
        slowed=sum(one.slowed_since is not None for one in present),
        aside={part: parts.count(part) for part in set(parts)},
    )
