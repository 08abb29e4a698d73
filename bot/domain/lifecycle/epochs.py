"""The head epoch: it rises whenever what was judged so far is not, or was not all the time, what is there."""

from typing import Any

from bot.domain.lifecycle.turn import Turn
from bot.domain.model.record import Record, Verification
from bot.domain.model.sightings import PullRetargeted
from bot.domain.model.signals import Signal


def next_epoch(turn: Turn, **changes: Any) -> None:
    """What was judged so far was judged of something else. `epoch_at` tells the sweep what is older than this read."""
    at = turn.facts.github_time() or turn.record.epoch_at
    turn.set(head_epoch=turn.record.head_epoch + 1, epoch_at=at, verification=Verification(), **changes)


def came_back(record: Record, hint: Signal | None) -> bool:
    """Whether it was retargeted away and back since the epoch last rose: every read shows the same base."""
    if not isinstance(hint, PullRetargeted) or hint.before == record.base:
        return False
    return hint.at is None or record.epoch_at is None or hint.at > record.epoch_at
