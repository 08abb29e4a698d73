"""Deliveries that failed and are over, since a whole sweep has found what they told."""

from datetime import datetime

from bot.app import unheard
from bot.domain.model.delivery import NO_LANE, Delivery
from bot.domain.model.ids import RecordKey
from bot.domain.model.sightings import CommentCreated
from bot.ports.forge import Translator
from bot.ports.store import Tx


def settle(tx: Tx, translate: Translator, lane: int, before: datetime, how: str) -> None:
    """What came until then, of this repository or of one that could not be read. A comment that somebody deleted meanwhile was in
    no list: words that nobody heard stay in the way until an operator replays the delivery."""
    here = tx.deliveries.swept(lane, before)
    anywhere = [one for one in tx.deliveries.swept(NO_LANE, before) if _is_found_everywhere(tx, one)]
    tx.deliveries.settle([one.guid for one in (*here, *anywhere) if not _is_lost(tx, translate, one)], how)


def _is_found_everywhere(tx: Tx, delivery: Delivery) -> bool:
    """Whether a whole sweep has found what it told in each repository that it may be about and that has work under way."""
    return all(
        (until := tx.sweeps.state(each).found_until) is not None and until >= delivery.received_at
        for each in unheard.of_any(tx, delivery)
        if tx.records.of_repository(each, open_only=True)
    )


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


def failed_to_bring(tx: Tx, translate: Translator, lane: int, key: str) -> bool:
    """Whether one that failed tells the words of this key, and so may when it is replayed. One that cannot be read
    tells nobody's: a sweep has read its thread, and nothing waits for it."""
    failed = tx.deliveries.swept(lane, tx.now())
    return any(said.key == key for one in failed for said in translate(one).signals)
