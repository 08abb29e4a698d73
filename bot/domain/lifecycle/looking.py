"""A fresh look, when nobody said what changed: by the clock, or after the App was away (LIFECYCLE.md 2.2, 2.3)."""

from bot.domain.lifecycle.candidates import offer
from bot.domain.lifecycle.checking import look_at_checks
from bot.domain.lifecycle.pulls import look
from bot.domain.lifecycle.results import Ignore, Remember
from bot.domain.lifecycle.stranded import left_behind
from bot.domain.lifecycle.turn import Turn
from bot.domain.lifecycle.unverified import ask_again
from bot.domain.model.own_signals import TimeCame
from bot.domain.model.sightings import BranchPushed


def time_came(turn: Turn, _signal: TimeCame) -> Ignore | None:
    record = turn.record
    if record.withdrawn and record.merge.one_sided_since is not None and not record.frozen:
        return look(turn)  # somebody merged it, as it seems
    if record.phase == "done" or record.withdrawn or record.frozen or record.in_flight:
        return Ignore("nothing moves by time here")
    ask_again(turn)
    return look_at_everything(turn)


def branch_pushed(turn: Turn, signal: BranchPushed) -> Ignore | Remember | None:
    """A hint to look. While GitHub may be merging it is remembered: a merged pull request has no other news of a push."""
    record = turn.record
    if record.in_flight and signal.after != record.merge.head:
        return Remember()
    if record.phase == "done":
        return Ignore("done already", left_behind(record, signal))
    if record.withdrawn or record.frozen or record.in_flight:
        return Ignore("nothing moves by a push here")
    return look_at_everything(turn)


def look_at_everything(turn: Turn) -> Ignore | None:
    """Everything that moves the record by itself: the pull request, the checks of its head, and a head that was never
    offered (its lease ended). A head that was red is offered again only by a green re-run."""
    seen = look(turn)
    record = turn.record
    over = seen is not None or record.phase == "done" or record.merge.state == "merged"
    if over or record.head is None or record.withdrawn:
        return seen  # what may be merged already is judged no more
    if record.phase in {"building", "testing", "submit", "blocked"}:
        turn.as_far_as_told(look_at_checks)
    if record.head != turn.record.red_head:
        offer(turn)
    return seen
