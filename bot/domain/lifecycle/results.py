"""What `decide` can answer."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.domain.model.effects import Effect
from bot.domain.model.ids import Actor
from bot.domain.model.questions import Question
from bot.domain.model.record import Record
from bot.domain.model.refusals import Refusal

#: How long what could not be read once is left alone.
UNREAD_PAUSE = timedelta(seconds=30)
#: What stays unread is asked again after so long, and later on so often.
SOONEST, LATEST = timedelta(seconds=15), timedelta(minutes=10)


def as_long_again(since: datetime, now: datetime) -> timedelta:
    """What GitHub did not say is asked again after as long as it is open, for as long as it takes."""
    return min(max(now - since, SOONEST), LATEST)


@dataclass(frozen=True, slots=True)
class Step:
    """One version: the record after it, and what its history row says."""

    record: Record
    from_: str | None
    event: str
    actor: Actor
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Advance:
    """Write these versions. `refusal` is set when a command was refused and a fact read on the way still moved the record.
    `look_at` asks for another look at that time or before."""

    steps: tuple[Step, ...]
    effects: tuple[Effect, ...] = ()
    refusal: Refusal | None = None
    look_at: datetime | None = None

    @property
    def record(self) -> Record:
        return self.steps[-1].record


@dataclass(frozen=True, slots=True)
class Refuse:
    """An expected no. Nothing changes."""

    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Ignore:
    """Nothing to do, and nobody needs to be told. `effects` may still remind or restore; `look_at` asks for another look."""

    why: str
    effects: tuple[Effect, ...] = ()
    look_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Gather:
    """The rule cannot go on without these answers. `along`: what it will ask later, which is worth knowing now where that takes
    no request more."""

    questions: frozenset[Question[object]]
    along: frozenset[Question[object]] = frozenset()


@dataclass(frozen=True, slots=True)
class NotYet:
    """A fact that the rule needs could not be read. The signal is kept and tried again; nothing is assumed."""

    why: str


@dataclass(frozen=True, slots=True)
class Remember:
    """GitHub may be merging: the signal is stored with the record and applied if the merge did not happen."""


Result = Advance | Refuse | Ignore | Gather | NotYet


@dataclass(slots=True)
class Lacking(Exception):
    """Raised inside a rule that touches a fact which has not been gathered; `decide` turns it into Gather. `beside`: what the
    rule will want to know as well."""

    question: Question[object] = field()
    beside: tuple[Question[object], ...] = ()

    @property
    def questions(self) -> frozenset[Question[object]]:
        return frozenset({self.question, *self.beside})


class Unread(Exception):
    """Raised inside a rule for which an unreadable fact means "not yet" rather than a refusal."""
