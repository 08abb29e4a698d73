"""A success that must go goes first: while one stands for a record that may not have it, nothing else is written for that
record, not even a reaction (I24)."""

from bot.app.heads import others_on
from bot.app.policy.book import Policies
from bot.domain.model.ids import RecordKey
from bot.domain.model.record import Record
from bot.domain.model.slot_name import SlotName
from bot.domain.projections.check_run import may_succeed
from bot.domain.projections.speaker import is_contested
from bot.ports.store import Tx


def must_go(tx: Tx, policies: Policies) -> frozenset[RecordKey]:
    """Records that wait to be shown, and of which a success may stand that is true no more."""
    return frozenset(key for key in tx.slots.unshown_success() if _must_lose(tx, policies, key))


def _must_lose(tx: Tx, policies: Policies, key: RecordKey) -> bool:
    loaded, ruled = tx.records.load(key), policies.known(tx, key.repository_id)
    if loaded is None or ruled is None or not may_succeed(loaded.record, ruled.policy):
        return True
    heads = (SlotName(name).head for name, slot in tx.slots.of(key).items() if slot.extra == "success")
    return any(head is not None and _is_not_its(tx, loaded.record, head) for head in heads)


def _is_not_its(tx: Tx, record: Record, head: str) -> bool:
    judged = (record.merge.head if record.phase == "done" else None) or record.head
    return head != judged or is_contested(head, others_on(tx, record, head))
