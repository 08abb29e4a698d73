"""Everything that is known about one record, from one snapshot: what the page of a lifecycle is drawn from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.app.beside import beside
from bot.app.browse import MaySee, Name, PolicyFor, Snapshot
from bot.app.policy.standing import Standing, standing
from bot.app.revisions import Traced, trace
from bot.domain.explain.damaged import awaits, changed, damaged
from bot.domain.explain.tree import explain
from bot.domain.model.explain import Explanation
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.domain.projections.headline import first_line, second_line
from bot.domain.projections.show import LastRefusal, WebAddress
from bot.ports.rows import EffectRow, HistoryRow, Slot
from bot.ports.store import Tx

#: Versions read at once; a longer history takes several reads of the same snapshot.
CHUNK = 500


@dataclass(frozen=True, slots=True)
class Dossier:
    """`lines` are lines 1 and 2 of the status comment. `now` is the database's clock, `rules` how the repository's
    policy file stands. `refusal` is the last one there was, however old. `changed`: that the stored history is not what was
    written, so that the `trace` is empty."""

    record: Record
    policy: Policy
    explanation: Explanation
    lines: tuple[str, str]
    trace: Traced
    changed: str | None
    refusal: LastRefusal | None
    slots: Sequence[Slot]
    effects: Sequence[EffectRow]
    updated_at: datetime
    now: datetime
    rules: Standing


class Dossiers:
    """`policy_for` gives the rules in force for a record. A record that may not be seen reads as "there is none"."""

    def __init__(self, read: Snapshot, policy_for: PolicyFor, web: WebAddress) -> None:
        self._read = read
        self._policy_for = policy_for
        self._web = web

    async def of(self, name: Name, may_see: MaySee) -> Dossier | None:
        return await self._read(lambda tx: self._collect(tx, name, may_see))

    def _collect(self, tx: Tx, name: Name, may_see: MaySee) -> Dossier | None:
        key = tx.records.by_name(*name)
        loaded = tx.records.load(key) if key else None
        if loaded is None or not may_see(loaded.record.repository):
            return None
        record = loaded.record
        policy = self._policy_for(tx, record)
        sound = tx.records.is_sound(record.key)
        explanation = explain(record, policy, loaded.updated_at) if sound else damaged(record)
        show = beside(loaded, policy, self._web)
        # Whoever reads a history here shall not see what is not true.
        rows = _history(lambda after: tx.records.history(record.key, after=after, limit=CHUNK)) if sound else ()
        return Dossier(
            record=record,
            policy=policy,
            explanation=explanation,
            lines=(first_line(show), second_line(show, explanation) if sound else awaits(record)),
            trace=trace(rows),
            changed=None if sound else changed(record),
            refusal=LastRefusal.read(loaded.last_refusal) if loaded.last_refusal else None,
            slots=tuple(slot for _, slot in sorted(tx.slots.of(record.key).items())),
            effects=tx.effects.of(record.key),
            updated_at=loaded.updated_at,
            now=tx.now(),
            rules=standing(tx, record.repository_id),
        )


def _history(page: Callable[[int], Sequence[HistoryRow]]) -> Sequence[HistoryRow]:
    """Oldest first, all of it: plans of long ago are only in the patches that made them."""
    rows: list[HistoryRow] = []
    while True:
        more = page(rows[-1].version if rows else 0)
        rows += more
        if len(more) < CHUNK:
            return rows
