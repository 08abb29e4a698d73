"""The nouns of projections: what is shown from, and what is wanted on GitHub."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from bot.domain.model.effects import CheckConclusion, CheckStatus, CreateComment, EnsureLabel
from bot.domain.model.ids import Actor
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.domain.model.seal import Seal
from bot.domain.model.slot_name import SlotName
from bot.domain.model.text import same_name
from bot.domain.model.traces import WRITTEN, Trace


@dataclass(frozen=True, slots=True)
class WebAddress:
    """Where links lead: `public_url` is our own dashboard, `web_url` GitHub's pages (not its API). No slash at the end."""

    public_url: str
    web_url: str = "https://github.com"


@dataclass(frozen=True, slots=True)
class LastRefusal:
    """The last refused command, as it stands beside the record."""

    message: str
    command: str | None
    by: str
    at: datetime
    version: int | None = None

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "LastRefusal":
        """From `{"code", "message", "command", "by", "at"}`, and `version` of the record it was refused on where that is
        stored; `by` a login or a person, `at` a time or its ISO text."""
        by, at = stored.get("by"), stored["at"]
        login = by.get("login") if isinstance(by, Mapping) else by
        return cls(
            message=str(stored.get("message") or ""),
            command=stored.get("command"),
            by=str(login or "somebody"),
            at=at if isinstance(at, datetime) else datetime.fromisoformat(str(at)),
            version=stored.get("version"),
        )


@dataclass(frozen=True, slots=True)
class Happened:
    """A version of the record, from its history. `sets` has the JSON pointers that it changed, with their new values."""

    version: int
    from_: str | None
    to: str
    event: str
    by: Actor
    detail: str | None = None
    sets: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Show:
    """Everything a projection may look at. `as_of` is when the record last changed (never now), `instance` our
    instance id, `seal` what only our App can write, `path` where the record's history stands. `watched_heads` and
    `watched_pulls` are those of this record that carry a check or comment of ours.

    `told` are the causes of notices that were ever posted, True while the notice still stands. `history` is read only
    where a notice stands or the record is frozen, newest last. `unwritten` are slots whose comment GitHub refused,
    `undelivered` replies and one-shot notices that it refused, `contested` heads that another record judges as well.
    """

    record: Record
    policy: Policy
    as_of: datetime
    web: WebAddress
    instance: str = ""
    seal: Seal = field(default_factory=Seal)
    path: str = ""
    last_refusal: Mapping[str, Any] | None = None
    watched_heads: tuple[str, ...] = ()
    watched_pulls: tuple[int, ...] = ()
    told: Mapping[str, bool] = field(default_factory=dict)
    history: tuple[Happened, ...] = ()
    unwritten: frozenset[str] = frozenset()
    undelivered: tuple[CreateComment, ...] = ()
    contested: frozenset[str] = frozenset()

    @property
    def trace(self) -> Trace:
        """What is left on GitHub of this version. A database that is behind leaves what it found there: the newest one may be
        put back, and must not find versions of a copy."""
        record, doubt = self.record, self.record.doubt
        if record.frozen == "database_behind" and doubt is not None and doubt.version is not None:
            return Trace(self.instance, record.key, doubt.version, doubt.path)
        return Trace(self.instance, record.key, record.version, self.path)

    @property
    def refused(self) -> LastRefusal | None:
        """The last refusal if it is newer than the last change: an older one says nothing about what is true now."""
        if self.last_refusal is None:
            return None
        refusal = LastRefusal.read(self.last_refusal)
        # Comments carry GitHub's clock and records the database's, so the version decides where it is known.
        newer = refusal.at >= self.as_of if refusal.version is None else refusal.version == self.record.version
        return refusal if newer else None


#: A `status` comment is there for good, and is written anew when it is gone. A `notice` is created once for ever: each one
#: is an e-mail. `over` is the last text of a notice, for one that was created.
Life = Literal["status", "notice", "over"]


@dataclass(frozen=True, slots=True)
class DesiredComment:
    """One comment on one thread. `marker` is the last line of `body`, by which a lost answer is found again. `sense` is
    what it says and shows but for its "as of": a comment of the same sense is not written again."""

    slot: SlotName
    number: int
    body: str
    marker: str
    sense: str
    life: Life = "status"

    @property
    def text(self) -> str:
        """What people see."""
        return self.body.removesuffix(self.marker).partition(WRITTEN)[0].rstrip()


@dataclass(frozen=True, slots=True)
class DesiredLabels:
    """`want` is the one label of `among` on this thread, None = none of them. All other labels are left alone."""

    slot: SlotName
    number: int
    want: str | None
    among: tuple[EnsureLabel, ...]

    def ours(self, worn: Iterable[str]) -> set[str]:
        """Those of a thread's labels that this speaks of, as we write them: GitHub takes ours for one that somebody made in
        capitals."""
        on_it = tuple(worn)
        return {label.name for label in self.among if any(same_name(label.name, one) for one in on_it)}


@dataclass(frozen=True, slots=True)
class DesiredCheck:
    """The check run `signalbox` on one head. `final`: this head is not judged any more; once the check says
    anything but success there, it is left as it is."""

    slot: SlotName
    head: str
    status: CheckStatus
    conclusion: CheckConclusion | None
    title: str
    summary: str
    text: str
    details_url: str
    external_id: str
    final: bool = False


Desired = DesiredComment | DesiredLabels | DesiredCheck
