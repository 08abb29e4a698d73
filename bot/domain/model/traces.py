"""What we leave on GitHub that says who wrote it and of which version: it outlives the database it was written from."""

import re
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from bot.domain.model.facts import OwnCheck
from bot.domain.model.ids import RecordKey, Value

#: Another instance that wrote longer ago than this may have been stopped long ago.
LIVE = timedelta(hours=1)
#: How the hidden line of a status comment begins.
WRITTEN = "<!-- signalbox:written:"
_CHECK = re.compile(r"(?P<instance>.+):(?P<repository>\d+)#(?P<issue>\d+):v(?P<version>\d+):e\d+")
_COMMENT = re.compile(WRITTEN + r"(?P<instance>[^\s>]+):(?P<repository>\d+)#(?P<issue>\d+):v(?P<version>\d+) -->")


class Trace(NamedTuple):
    """Which instance wrote this, for which record, at which of its versions."""

    instance: str
    key: RecordKey
    version: int


class Doubt(Value):
    """Why we cannot trust ourselves with a record: what another instance wrote, or a version we know nothing of.
    `seen_at` (GitHub's clock): when it was written, or found. `version` is the highest one that GitHub shows."""

    about: Literal["instance_conflict", "database_behind"]
    seen_at: datetime
    version: int | None = None


def of_check(instance: str, key: RecordKey, version: int, epoch: int) -> str:
    """A check run's `external_id`."""
    return f"{instance}:{key}:v{version}:e{epoch}"


def of_comment(instance: str, key: RecordKey, version: int) -> str:
    """A hidden line of a status comment."""
    return f"{WRITTEN}{instance}:{key}:v{version} -->"


def doubt(instance: str, key: RecordKey, known: int, traces: "Traces", now: datetime) -> Doubt | None:
    """What the traces that GitHub shows say against this instance and its version `known`; None = nothing."""
    newest = max((t.version for t in traces.all if t.instance == instance and t.key == key), default=0)
    if newest > known:
        return Doubt(about="database_behind", seen_at=now, version=newest)
    foreign = [at for trace, at in traces.checks if trace.instance != instance and now - at < LIVE]
    return Doubt(about="instance_conflict", seen_at=max(foreign)) if foreign else None


class Traces:
    """What was read: our check runs on a head, each with the time it names last, and our own comments."""

    def __init__(self, checks: tuple[OwnCheck, ...] = (), comments: tuple[str, ...] = ()) -> None:
        read = ((_read(_CHECK.fullmatch(check.external_id or "")), check.updated_at) for check in checks)
        self.checks = [(trace, at) for trace, at in read if trace is not None and at is not None]
        found = (_read(_COMMENT.search(body)) for body in comments)
        self.all = [*(trace for trace, _ in self.checks), *(trace for trace in found if trace is not None)]


def _read(match: re.Match[str] | None) -> Trace | None:
    if match is None:
        return None
    return Trace(match["instance"], RecordKey(int(match["repository"]), int(match["issue"])), int(match["version"]))
