"""One reading serves a burst: where a pull request is opened, a dozen deliveries tell of it, and each would have the same read.

A reading that began after a delivery had come shows all that it tells. So a hint that had come by then may be judged by it, and
where that leaves nothing to do it was heard; whatever else it would lead to is decided on a reading of its own. What had come is
told by the order in the database, not by clocks (docs/decisions/bursts.md).
"""

from collections import OrderedDict
from typing import Any, NamedTuple

from bot.domain.lifecycle.results import Ignore, Result
from bot.domain.model.facts import Answer, Unknown
from bot.domain.model.questions import ChecksOn, PullOf, Question, RulesOf
from bot.domain.model.sightings import BranchPushed, ChecksChanged
from bot.ports.deliveries import Arrival
from bot.ports.runtime import Clock
from bot.ports.store import Store

#: Hints to look, and nothing more: no command, nothing that names who did something.
HINTS = (ChecksChanged, BranchPushed)
#: What they look at. Never who may do what, and never which rules of ours are in force.
SHARED = (PullOf, RulesOf, ChecksOn)
#: For so many seconds after it began; a burst is worked on at once.
FRESH = 5.0
#: Repositories of which something is kept.
MOST = 64

Answers = dict[Question[Any], Answer[Any] | Unknown]


class _Reading(NamedTuple):
    """`newest`: what had come before it began, in this `copy` of the database. `began` in monotonic seconds."""

    answers: Answers
    newest: int
    began: float
    copy: int


class Readings:
    """What this process read last of each repository."""

    def __init__(self, clock: Clock, store: Store) -> None:
        self._clock = clock
        self._store = store
        self._of: OrderedDict[int, _Reading] = OrderedDict()

    def begins(self, newest: int) -> _Reading:
        """To be asked before anything is read."""
        return _Reading({}, newest, self._clock.monotonic(), self._store.exchanges)

    def serving(self, repository_id: int, arrival: Arrival) -> Answers:
        """What need not be read anew for a hint that arrived so."""
        known = self._of.get(repository_id)
        if known is None or arrival.own is None or arrival.own > known.newest:
            return {}
        if self._clock.monotonic() - known.began > FRESH or known.copy != self._store.exchanges:
            return {}
        return known.answers

    def keep(self, repository_id: int, reading: _Reading, answers: Answers) -> None:
        """In the place of what was read before."""
        shared: Answers = {one: answers[one] for one in answers if isinstance(one, SHARED)}
        shared = {one: answer for one, answer in shared.items() if isinstance(answer, Answer)}
        if not shared:
            return
        self._of.pop(repository_id, None)
        self._of[repository_id] = reading._replace(answers=shared)
        while len(self._of) > MOST:
            self._of.popitem(last=False)


def says_nothing(result: Result) -> bool:
    """Whether there is nothing to do, not even later."""
    return isinstance(result, Ignore) and not result.effects and result.look_at is None
