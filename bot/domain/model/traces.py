"""What we leave on GitHub that says who wrote it and of which version: it outlives the database it was written from.

A version is its number and its path, the digest of the history up to it: a copy of the database that works on makes versions
of the same numbers, and none of the same path. People can edit our comments, so what stands there is sealed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from bot.domain.model.facts import CommentFacts, OwnCheck
from bot.domain.model.ids import RecordKey, Value
from bot.domain.model.seal import Seal

#: Another instance that wrote longer ago than this may have been stopped long ago.
LIVE = timedelta(hours=1)
#: How the hidden line of a status comment begins.
WRITTEN = "<!-- signalbox:written:"
#: Digits of a path: 64 bits.
PATH = 16
_VERSION = r"(?P<instance>[^\s>]+):(?P<repository>\d+)#(?P<issue>\d+):v(?P<version>\d+)"
_CHECK = re.compile(_VERSION + r":e\d+(?::(?P<path>[0-9a-z]+))?")
_COMMENT = re.compile(rf"{WRITTEN}(?P<said>{_VERSION}(?::(?P<path>[0-9a-z]+))?)(?::(?P<seal>[0-9a-f]+))? -->")


class Trace(NamedTuple):
    """Which instance wrote this, for which record, at which of its versions. Older releases left no path."""

    instance: str
    key: RecordKey
    version: int
    path: str | None


class Claim(NamedTuple):
    """What stands in a comment of ours. `by_seal`: its seal shows that we wrote it."""

    trace: Trace
    comment: CommentFacts
    by_seal: bool


class Doubt(Value):
    """Why we cannot trust ourselves with a record: what another instance wrote, or a version we know nothing of.
    `seen_at` (GitHub's clock): when it was written, or found. `version` is the highest one that GitHub shows, `path` its path,
    and `forked`: there is one of that number here, and it is another."""

    about: Literal["instance_conflict", "database_behind"]
    seen_at: datetime
    version: int | None = None
    path: str | None = None
    forked: bool = False


class Known(NamedTuple):
    """What this instance knows of a record: its version, up to which others are known to be lost, and the paths of versions."""

    instance: str
    key: RecordKey
    version: int
    lost_to: int
    paths: Mapping[int, str]

    def misses(self, trace: Trace) -> bool:
        """Whether it shows a version of ours that we do not have, and did not know to be lost."""
        if not self.is_about(trace) or trace.version <= self.lost_to:
            return False
        if trace.path is None:
            return trace.version > self.version
        return trace.path != self.paths.get(trace.version)

    def is_about(self, trace: Trace) -> bool:
        return (trace.instance, trace.key) == (self.instance, self.key)


def path_of(digest: str | None) -> str:
    """Where a history stands, as traces say it; None = nobody knows."""
    return "".join(digit for digit in digest or "" if digit.isalnum()).lower()[:PATH] or "none"


def of_check(trace: Trace, epoch: int) -> str:
    """A check run's `external_id`."""
    return _joined(trace.instance, trace.key, f"v{trace.version}", f"e{epoch}", trace.path)


def of_comment(trace: Trace, seal: Seal) -> str:
    """A hidden line of a status comment."""
    said = _joined(trace.instance, trace.key, f"v{trace.version}", trace.path)
    return f"{WRITTEN}{_joined(said, seal.of(said))} -->"


def _joined(*parts: object) -> str:
    return ":".join(str(part) for part in parts if part)


def doubt(known: Known, traces: "Traces", now: datetime) -> Doubt | None:
    """What the traces that GitHub shows say against this instance and what it knows; None = nothing."""
    missed = [trace for trace in traces.all if known.misses(trace)]
    if missed:
        newest = max(missed, key=lambda trace: trace.version)
        forked = newest.version <= known.version
        return Doubt(about="database_behind", seen_at=now, version=newest.version, path=newest.path, forked=forked)
    foreign = [at for trace, at in traces.checks if trace.instance != known.instance and now - at < LIVE]
    return Doubt(about="instance_conflict", seen_at=max(foreign)) if foreign else None


class Traces:
    """What was read: our check runs on a head, each with the time it names last, and what our own comments claim."""

    def __init__(self, checks: Iterable[OwnCheck] = (), claims: Iterable[Claim] = ()) -> None:
        read = ((_CHECK.fullmatch(check.external_id or ""), check.updated_at) for check in checks)
        self.checks = [(_read(match), at) for match, at in read if match is not None and at is not None]
        self.claims = tuple(claims)

    @property
    def all(self) -> list[Trace]:
        return [*(trace for trace, _ in self.checks), *(claim.trace for claim in self.claims)]

    def without(self, foreign: frozenset[str]) -> "Traces":
        """But for what stands in these comments, by node id, with no seal of ours: whatever is beside it there, that is ours."""
        left = Traces(claims=(one for one in self.claims if one.by_seal or one.comment.node_id not in foreign))
        left.checks = self.checks
        return left


def claims_in(comments: Iterable[CommentFacts], seal: Seal) -> Iterator[Claim]:
    """Every hidden line in comments of ours: where there are several, one of them is true."""
    for comment in comments:
        for match in _COMMENT.finditer(comment.body) if comment.mine else ():
            yield Claim(_read(match), comment, seal.holds(match["said"], match["seal"] or ""))


def _read(match: re.Match[str]) -> Trace:
    key = RecordKey(int(match["repository"]), int(match["issue"]))
    return Trace(match["instance"], key, int(match["version"]), match["path"])
