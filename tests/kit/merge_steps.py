"""A request to merge and what can be told of it, for rules about the merge section."""

from datetime import timedelta
from typing import Any

from bot.domain.model.effects import MergeReply
from bot.domain.model.ids import SIGNALBOX
from bot.domain.model.merge import Remembered
from bot.domain.model.own_signals import AskMerge, MergeAnswered, MergeLeaseExpired, MergeLooked, MergeNotSent, TimeCame
from bot.domain.model.record import Record
from bot.domain.model.sightings import HeadPushed
from bot.domain.model.signals import Signal
from tests.kit.cases import NOW, actor
from tests.kit.records import HEAD, NEW_HEAD, merging

UUID = "3f0e"
WINDOW = timedelta(seconds=900)
ASK = AskMerge(
    key="",
    actor=SIGNALBOX,
    reservation="r-39",
    attempts=0,
    lease_ends=NOW + timedelta(seconds=40),
    window_ends=NOW + timedelta(seconds=940),
    api="async",
)
LOOK = MergeLooked(key="", actor=SIGNALBOX, reservation="r-39")
EXPIRED = MergeLeaseExpired(key="", actor=SIGNALBOX, attempt="a-1")
NOT_SENT = MergeNotSent(key="", actor=SIGNALBOX, attempt="a-1", why="connection refused")
TICK = TimeCame(key="", actor=SIGNALBOX)


def asked(state: str = "requested", **changes: Any) -> Record:
    live = {"live_attempts": ("a-1",), "locked": state in {"reserved", "requested", "confirming"}, "api": "sync"}
    record = merging(state, **live | changes)
    return record.model_copy(update={"asked_heads": (HEAD,)})


def answer(status: int | None, attempt: str = "a-1", api: str = "sync", **reply: Any) -> MergeAnswered:
    given = MergeReply.model_validate({"api": api, "sent": True, "status": status} | reply)
    return MergeAnswered(key="", actor=SIGNALBOX, attempt=attempt, reply=given)


def remembered(*signals: Signal) -> tuple[Remembered, ...]:
    return tuple(Remembered(signal=signal.model_dump(mode="json"), at=NOW) for signal in signals)


PUSHED = HeadPushed(key="p", actor=actor("ada"), pull=34, before=HEAD, after=NEW_HEAD)
