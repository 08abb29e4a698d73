"""Deliveries that failed and are over, since a whole sweep has found what they told."""

from datetime import datetime

from bot.domain.model.delivery import Delivery
from bot.domain.model.ids import RecordKey
from bot.domain.model.sightings import CommentCreated
from bot.ports.forge import Translator
from bot.ports.store import Tx


def settle(tx: Tx, translate: Translator, lane: int, before: datetime, how: str) -> None:
    """What came until then. A comment that somebody deleted meanwhile was in no list: words that nobody heard stay in the way
    until an operator replays the delivery."""
    failed = tx.deliveries.swept(lane, before)
    tx.deliveries.settle([one.guid for one in failed if not _is_lost(tx, translate, one)], how)


def _is_lost(tx: Tx, translate: Translator, delivery: Delivery) -> bool:
    """Whether it told of a person's words in a governed thread, and they were not heard since."""
    return any(
        isinstance(said, CommentCreated)
        and said.comment_kind != "review"  # a review cannot be deleted
        and said.actor.kind == "person"
        and _is_governed(tx, delivery.lane, said)
        and tx.applied.get(delivery.lane, said.key) is None
        for said in translate(delivery).signals
    )


def _is_governed(tx: Tx, lane: int, said: CommentCreated) -> bool:
    if said.is_pull:
        return tx.records.by_pull(lane, said.number) is not None
    return tx.records.load(RecordKey(lane, said.number)) is not None
