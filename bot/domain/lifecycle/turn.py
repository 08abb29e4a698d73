"""One signal at work on one record: what has changed so far, and the versions it will write.

Rules change the record through `set` and move it through `fire`; every `fire` closes a version, and what was only booked
closes one at the end. The kernel looks at each version before it can leave.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from bot.domain.gates.gate import authority_complete, submit_is_complete
from bot.domain.lifecycle import kernel
from bot.domain.lifecycle.asking_reviewers import review_requests
from bot.domain.lifecycle.calling import calls
from bot.domain.lifecycle.facts import Facts
from bot.domain.lifecycle.results import Advance, Ignore, Step, Unread, as_long_again
from bot.domain.machine.engine import Machine
from bot.domain.merging.reservation import ended
from bot.domain.model.effects import Effect
from bot.domain.model.facts import Unknown
from bot.domain.model.ids import Actor
from bot.domain.model.merge import Merge
from bot.domain.model.policy import Policy
from bot.domain.model.questions import Question
from bot.domain.model.record import Phase, Record
from bot.domain.model.refusals import Refusal
from bot.domain.model.signals import SIGNAL, Signal

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Rules:
    """What a turn runs on: the machine, and the way to handle a signal that was remembered."""

    machine: "Machine[Turn]"
    handle: "Callable[[Turn, Signal], None]"


class Turn:
    """`record` is the record as changed so far, `began` as it was when the signal came. Nothing is stored until all is."""

    def __init__(
        self,
        record: Record,
        signal: Signal,
        facts: Facts,
        policy: Policy,
        now: datetime,
        rules: "Rules",
    ) -> None:
        self.record = record
        self.began = record
        self.signal = signal
        self.facts = facts
        self.policy = policy
        self.now = now
        self.rules = rules
        self.refusal: Refusal | None = None
        self._closed = record
        self._steps: list[Step] = []
        self._effects: list[Effect] = []
        self._detail: str | None = None
        self._unread = False
        self.along: frozenset[Question[Any]] = frozenset()

    @property
    def actor(self) -> Actor:
        return self.signal.actor

    @property
    def changed(self) -> bool:
        """Whether a version will be written."""
        return bool(self._steps) or self.record != self._closed

    def ask(self, question: Question[T]) -> T | Unknown:
        return self.facts.ask(question)

    def need(self, question: Question[T]) -> T:
        return self.facts.need(question)

    def will_need(self, *questions: Question[Any]) -> None:
        """What comes along with the next question, where that takes no request more."""
        self.along |= set(questions)

    def set(self, **changes: Any) -> None:
        """Change fields of the record; stored with the version that is closed next."""
        self.record = self.record.model_copy(update=changes)

    def set_merge(self, **changes: Any) -> None:
        self.set(merge=self.record.merge.model_copy(update=changes))

    def put_merge(self, merge: Merge) -> None:
        self.set(merge=merge)

    def say(self, detail: str) -> None:
        """Words for the history row that is closed next."""
        self._detail = detail

    def say_at_least(self, detail: str) -> None:
        """The same, where nothing else was said."""
        self._detail = self._detail or detail

    def look_again(self) -> None:
        """What could not be read is left alone for a while, the longer the longer it is so, and what happened is stored without
        it."""
        self._unread = True
        if self.record.unread_since is None:
            self.set(unread_since=self.now)

    def as_far_as_told(self, act: Callable[["Turn"], object]) -> None:
        """Do this. Where GitHub does not say what it needs, what happened before it is stored without it, and it is looked at
        again. Raises Unread where nothing happened before it."""
        try:
            with self.whole():
                act(self)
        except Unread:
            if not self.changed:
                raise
            self.look_again()

    def _look_at(self) -> datetime | None:
        """When what could not be read is asked again. A look by time that lacked nothing ends that."""
        if self._unread:
            return self.now + as_long_again(self.record.unread_since or self.now, self.now)
        record = self.record
        idle = record.phase == "done" or record.withdrawn or record.frozen or record.in_flight
        if self.signal.kind == "time_came" and record.unread_since is not None and not idle:
            self.set(unread_since=None)
        return None

    def effect(self, effect: Effect) -> None:
        self._effects.append(effect)

    def fire(self, event: str, detail: str | None = None) -> bool:
        """Take the edge of this event from the present phase. False, and nothing changed, when there is none."""
        before = self.record
        edge = self.rules.machine.fire(before.phase, event, self)
        if edge is None:
            self.record = before
            return False
        phase: Phase = edge.to  # type: ignore[assignment]  # the delivery document's states are the phases
        if phase != before.phase:
            self.set(phase=phase, phase_since=self.now)
        if before.phase == "blocked" and phase != "blocked":
            self.set(blocked=None)
        if detail is not None:
            self._detail = detail
        self._close(event)
        return True

    def replay(self, stored: dict[str, Any]) -> None:
        """Apply a remembered signal by the column of the phase present now. What it refuses is dropped, and is no refusal of
        this turn's own signal."""
        own, self.signal, refusal = self.signal, SIGNAL.validate_python(stored), self.refusal
        try:
            self.rules.handle(self, self.signal)
            self.book(self.signal.kind)
        finally:
            self.signal, self.refusal = own, refusal

    def book(self, event: str) -> None:
        """Close a version for what was changed without moving, if anything was."""
        if self.record != self._closed:
            self._close(event)

    @contextmanager
    def whole(self) -> Iterator[None]:
        """What is set in here and not closed is forgotten when a fact could not be read; versions closed in here stay."""
        before, closed, detail = self.record, self._closed, self._detail
        try:
            yield
        except Unread:
            self.record, self._detail = (before, detail) if self._closed is closed else (self._closed, None)
            raise

    def drop_unbooked(self) -> None:
        """Forget changes since the last closed version: the rule that made them was refused."""
        self.record = self._closed
        self._detail = None

    def _close(self, event: str) -> None:
        self._give_back_what_lacks_authority()
        after = self.record.model_copy(
            update={
                "version": self._closed.version + 1,
                "policy_sha": self.policy.sha,
                "complete_since": self._complete_since(),
            }
        )
        kernel.check(self._closed, after, self.policy, event)
        self._steps.append(Step(after, self._closed.phase, event, self.signal.actor, self._detail))
        self.record = self._closed = after
        self._detail = None

    def _complete_since(self) -> datetime | None:
        if not submit_is_complete(self.record, self.policy):
            return None
        return self._closed.complete_since or self.now

    def _give_back_what_lacks_authority(self) -> None:
        """The rules may ask for more than when it was reserved, before the record is told of them: whichever version is
        closed first gives the reservation back, whatever it is closed for."""
        merge = self.record.merge
        if merge.state != "reserved" or merge.id != self._closed.merge.id:
            return
        if not authority_complete(self.record, self.policy):
            self.put_merge(ended(merge, reason="the authority is no longer complete", now=self.now))

    def finish(
        self, otherwise: str, effects: tuple[Effect, ...] = (), look_at: datetime | None = None
    ) -> Advance | Ignore:
        """Everything that happened, or `otherwise` why nothing did; with what the rule wants done and looked at all the same."""
        again = self._look_at()
        self.book(self.signal.kind)
        called = calls(self.began, self.record, self.now) if self.facts.calls else ()
        asked = review_requests(self.began, self.record, self.policy)
        wanted = (*self._effects, *effects, *asked, *called)
        look_at = min((time for time in (look_at, again) if time is not None), default=None)
        if not self._steps:
            return Ignore(otherwise, wanted, look_at)
        return Advance(tuple(self._steps), wanted, self.refusal, look_at)
