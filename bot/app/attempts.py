"""The write that stores a request to merge, and the permit to send it, which nothing else hands out.

The attempt is inserted in the transaction that stores the request, under a name that no other row has: one row, one
order, and one permit, made after the commit.
"""

from bot.domain.merging import reservation
from bot.domain.merging.texts import merge_texts
from bot.domain.model.permit import MergeOrder, MergePermit
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.ports.rows import AttemptRow
from bot.ports.store import Tx


def add(tx: Tx, before: Record | None, after: Record, policy: Policy, owner: str) -> MergeOrder | None:
    """Insert the attempt that this change asks with; None when it asks nothing. Raises when there is such a row already."""
    if not reservation.asks(before, after):
        return None
    order = reservation.order(after, *merge_texts(after, policy))
    now = tx.now()
    tx.attempts.add(
        AttemptRow(
            id=order.attempt,
            key=after.key,
            reservation=order.reservation,
            pull=order.pull,
            head=order.head,
            base=order.base,
            api=order.api,
            method=order.method,
            title=order.title,
            body=order.body,
            state="stored",
            owner=owner,
            lease_ends=after.merge.lease_ends or now,
            created_at=now,
        )
    )
    return order


def permit(committed: MergeOrder | None) -> MergePermit | None:
    """For what `add` gave, once its transaction is committed."""
    return None if committed is None else MergePermit(MergePermit._seal, committed)  # noqa: SLF001 - the one place that may
