"""A push, and what is read after it."""

from typing import Any

from bot.domain.model.ids import SIGNALBOX
from bot.domain.model.own_signals import TimeCame
from bot.domain.model.record import Record
from bot.domain.model.sightings import HeadPushed
from tests.kit.cases import actor, pull_facts
from tests.kit.records import HEAD, NEW_HEAD

TICK = TimeCame(key="", actor=SIGNALBOX)


def pushed(before: str = HEAD, after: str = NEW_HEAD, by: str = "ada") -> HeadPushed:
    return HeadPushed(key="p", actor=actor(by), pull=34, before=before, after=after)


def at_head(record: Record, sha: str, **changes: Any) -> dict[str, Any]:
    return {"pull": pull_facts(record, head_sha=sha, **changes)}
