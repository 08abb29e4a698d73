"""The way in: what does this signal do to this record?

`decide(record, signal, facts, policy, now)` is pure. It answers Advance (write these versions), Refuse (an expected no),
Ignore (nothing to do), Gather (these questions must be answered first) or NotYet (one could not be; keep the signal).
Each signal has one row in `handling`; what follows by itself is in `following`; the kernel has the last word.
"""

from datetime import datetime

from bot.domain.lifecycle import refusing, unverified
from bot.domain.lifecycle.builtin import DELIVERY
from bot.domain.lifecycle.ending import apply_what_waits
from bot.domain.lifecycle.facts import Facts
from bot.domain.lifecycle.following import follow
from bot.domain.lifecycle.handling import ROWS
from bot.domain.lifecycle.judging import says_nothing
from bot.domain.lifecycle.results import Gather, Ignore, Lacking, NotYet, Refuse, Remember, Result, Unread
from bot.domain.lifecycle.spelling import respell, respelled_result
from bot.domain.lifecycle.starting import start
from bot.domain.lifecycle.turn import Rules, Turn
from bot.domain.model.ids import Repo
from bot.domain.model.merge import Remembered
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.domain.model.sightings import ChecksChanged, ReviewSubmitted, RolesChanged, StartLabelAdded
from bot.domain.model.signals import Signal


def decide(record: Record, signal: Signal, facts: Facts, policy: Policy, now: datetime) -> Result:
    """What this signal does to this record."""
    if isinstance(signal, ChecksChanged) and signal.mine:
        return Ignore("it changes no record")  # the news of our own check run would ask a refused merge anew
    return respelled_result(_decided(Turn(record, signal, facts, policy, now, RULES), signal), policy)


def _decided(turn: Turn, signal: Signal) -> Result:
    record, row = turn.record, ROWS[signal.kind]
    try:
        if record.in_flight and row.waits:
            return _remember(turn, signal)
        apply_what_waits(turn)
        unverified.end_pause(turn)
        outcome = row.handler(turn, signal)
        if isinstance(outcome, Refuse):
            return _refused(turn, outcome)
        if isinstance(outcome, Remember):
            return _remember(turn, signal)
        if not row.last:
            turn.as_far_as_told(follow)
        if not isinstance(outcome, Ignore):
            return turn.finish("nothing changed")
        return turn.finish(outcome.why, outcome.effects, outcome.look_at)
    except Lacking as lacking:
        return Gather(lacking.questions, turn.along)
    except Unread as unread:
        return NotYet(str(unread.args[0]))


def decide_start(repo: Repo, signal: StartLabelAdded, facts: Facts, policy: Policy, now: datetime) -> Result:
    """Where there is no record yet."""
    try:
        return start(repo, signal, facts, policy, now)
    except Lacking as lacking:
        return Gather(lacking.questions)


def _refused(turn: Turn, outcome: Refuse) -> Result:
    """A refusal changes nothing; but a fact that was read on the way is booked, and what follows from it happens."""
    turn.drop_unbooked()
    refusal = respell(unverified.time_to_repeat(turn, outcome.refusal), turn.policy)
    if not turn.changed:
        return Refuse(refusal)
    turn.as_far_as_told(follow)
    turn.refusal = refusal
    return turn.finish("refused")


def _remember(turn: Turn, signal: Signal) -> Result:
    merge = turn.record.merge
    stored = signal.model_dump(mode="json")
    if isinstance(signal, ChecksChanged):
        if signal.head != turn.record.head:
            return Ignore("not a check of the head that is being merged")
        if any(r.signal["kind"] == "checks_changed" for r in merge.remembered):
            return Ignore("a change of checks is remembered already")
    if isinstance(signal, RolesChanged) and any(r.signal["kind"] == signal.kind for r in merge.remembered):
        return Ignore("a change of roles is remembered already")
    if isinstance(signal, ReviewSubmitted):
        if signal.state.lower() != "changes_requested":
            return Ignore("an approval says nothing while GitHub may be merging")
        if (nothing := says_nothing(turn, signal)) is not None:
            return nothing
        turn.refusal = refusing.kept_for_later(turn.record).refusal
    look = {"look_at": turn.now} if signal.kind in {"pull_closed", "issue_closed"} else {}
    turn.set_merge(remembered=(*merge.remembered, Remembered(signal=stored, at=turn.now)), **look)
    turn.say("remembered until the merge is settled")
    return turn.finish("remembered")


def _handle(turn: Turn, signal: Signal) -> None:
    """A remembered signal, applied inside the turn that ended the reservation."""
    outcome = ROWS[signal.kind].handler(turn, signal)
    if isinstance(outcome, Refuse):
        turn.drop_unbooked()


RULES = Rules(DELIVERY, _handle)
