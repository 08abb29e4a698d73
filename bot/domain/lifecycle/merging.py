"""The merge section: ask, judge the answer, look again, confirm from two sides, give back (LIFECYCLE.md section 3)."""

import re
from datetime import datetime, timedelta
from typing import Literal

from bot.domain.lifecycle import prerequisites
from bot.domain.lifecycle.landing import both_sides, landed, one_side_shows
from bot.domain.lifecycle.results import Ignore, Unread
from bot.domain.lifecycle.turn import Turn
from bot.domain.merging import reservation as reservations
from bot.domain.merging.outcome import Outcome, classify
from bot.domain.merging.proof import next_look, proven_unmerged, with_read
from bot.domain.merging.texts import merge_texts
from bot.domain.model.facts import AsyncMergeOf, MergeEvidence, MergeEvidenceOf, Unknown
from bot.domain.model.record import IN_FLIGHT, Merge, MergeRead, Record
from bot.domain.model.signals import (
    AskMerge,
    MergeAnswered,
    MergeLeaseExpired,
    MergeLooked,
    MergeNotSent,
    ReleaseReservation,
)
from bot.domain.model.text import clock

#: How long a reservation rests after a prerequisite could not be read.
UNREAD_PAUSE = timedelta(seconds=30)


def next_attempt(merge: Merge) -> str:
    """The name of the attempt that may be made next; names are never used twice."""
    return f"{merge.id}.{merge.attempts + 1}"


def ask_merge(turn: Turn, signal: AskMerge) -> Ignore | None:
    """Store `requested` for a reservation that still holds, with every prerequisite read anew; or release it."""
    merge = turn.record.merge
    if merge.state != "reserved" or merge.id != signal.reservation:
        return Ignore("this reservation is over")
    if signal.attempt != next_attempt(merge):
        return Ignore("another attempt of this reservation came between")
    try:
        standing = prerequisites.blockers(turn)
    except Unread:  # which fact and why stands in the log; people are told what it means
        _release(turn, "GitHub did not show all that is needed", "could_not_verify")
        return None
    if standing:
        _release(turn, standing[0].message, standing[0].code)
        return None
    turn.set_merge(
        state="requested",
        attempt=signal.attempt,
        api=merge.api or signal.api,
        requested_at=turn.now,
        lease_ends=signal.lease_ends,
        window_ends=signal.window_ends,
        attempts=merge.attempts + 1,
        live_attempts=(*merge.live_attempts, signal.attempt),
        uuid=None,
        reason=None,
        answer=None,
        reads=(),
        look_at=signal.lease_ends,
    )
    turn.set(asked_heads=tuple(dict.fromkeys((*turn.record.asked_heads, turn.record.head or ""))))
    turn.say(f"GitHub is asked, attempt {merge.attempts + 1}")
    turn.book("merge_requested")
    turn.permit = reservations.permit(turn.record, *merge_texts(turn.record, turn.policy))
    return None


def release(turn: Turn, signal: ReleaseReservation) -> Ignore | None:
    merge = turn.record.merge
    if merge.state != "reserved" or merge.id != signal.reservation:
        return Ignore("this reservation is over")
    _release(turn, signal.why, "could_not_verify")
    return None


def _release(turn: Turn, why: str, code: str) -> None:
    """Nothing was asked, so the right is simply given back; a later look may take it again."""
    turn.put_merge(reservations.ended(turn.record.merge, reason=why, code=code, now=turn.now))
    turn.say(f"the reservation was released: {why}")
    turn.book("reservation_released")


def not_sent(turn: Turn, signal: MergeNotSent) -> Ignore | None:
    """The bytes of this attempt never left and never will: the reservation may make another attempt."""
    merge = turn.record.merge
    if merge.attempt != signal.attempt or merge.state != "requested":
        return Ignore("this attempt is over")
    _try_again(turn, signal.why, turn.facts.merge_retry)
    return None


def answered(turn: Turn, signal: MergeAnswered) -> Ignore | None:
    """Judge GitHub's answer. A late one changes nothing by itself: both sides are read."""
    merge = turn.record.merge
    outcome = classify(signal.reply, merge.head or "")
    late = signal.attempt not in merge.live_attempts or merge.state not in {"requested", "ambiguous"}
    if late and not (outcome.kind == "landed" and merge.state == "reserved"):
        return Ignore("a late answer, kept with its attempt", look_at=turn.now)
    match outcome.kind:
        case "landed":
            turn.set_merge(
                state="confirming", sha=outcome.sha, answer=outcome.text, look_at=turn.now, confirming_since=turn.now
            )
            turn.say("GitHub says it is merged")
        case "running":
            turn.set_merge(uuid=outcome.uuid, answer=outcome.text, look_at=turn.now + timedelta(seconds=1))
            turn.say("GitHub is merging")
        case "ambiguous":
            _ambiguous(turn, outcome.text, outcome.uuid)
        case "refused_unless_merged":
            _refused_unless_merged(turn, signal.attempt, outcome)
        case _:
            _definitive_no(turn, signal.attempt, outcome)
    return None


def _refused_unless_merged(turn: Turn, attempt: str, outcome: Outcome) -> None:
    """This request did nothing; but GitHub says the same of a pull request that is merged already, so it is read first."""
    evidence = turn.ask(_both_sides_of(turn.record))
    if isinstance(evidence, Unknown) or evidence.pull_merged is None or evidence.on_base is None:
        _ambiguous(turn, outcome.text, None)
    elif both_sides(evidence):
        landed(turn, evidence)
    elif evidence.pull_merged or evidence.on_base:
        one_side_shows(turn, evidence)
    else:
        _definitive_no(turn, attempt, outcome)


def _both_sides_of(record: Record) -> MergeEvidenceOf:
    merge = record.merge
    return MergeEvidenceOf(record.pull_request or 0, merge.head or "", merge.base or "", merge.sha)


def _definitive_no(turn: Turn, attempt: str, outcome: Outcome) -> None:
    """A no ends the reservation only if no other attempt of it can still land."""
    merge = turn.record.merge
    others = tuple(a for a in merge.live_attempts if a != attempt)
    if others:
        turn.set_merge(live_attempts=others, answer=outcome.text)
        turn.say("an attempt was refused; another one may still land")
        return
    match outcome.kind:
        case "refused_head":
            _refused(turn, "the head moved")
            _apply_remembered(turn)
            if turn.record.phase == "submit":
                turn.fire("head_moved", "GitHub says the head moved")
        case "no_async" if merge.state == "requested":
            turn.set_merge(api="sync")
            _try_again(turn, "this GitHub has no asynchronous merge", 0)
        case "refused_base" | "not_sent" if merge.state == "requested":
            _try_again(turn, outcome.text, turn.facts.merge_retry * 2**merge.tries)
        case "not_executed":
            _refused(turn, outcome.text)
            pause = outcome.not_before or turn.now + timedelta(
                seconds=turn.facts.merge_retry * 2 ** min(merge.tries, 6)
            )
            turn.set_merge(look_at=pause)
            _apply_remembered(turn)
        case _:
            _refused(turn, outcome.text)
            _apply_remembered(turn)


def _try_again(turn: Turn, why: str, delay: float) -> None:
    """Back to reserved: the same reservation, the next attempt. A person's stop releases it meanwhile."""
    merge = turn.record.merge
    if merge.remembered or merge.tries + 1 >= reservations.MAX_TRIES:
        _refused(turn, why)
        _apply_remembered(turn)
        return
    turn.set_merge(
        state="reserved",
        attempt=None,
        live_attempts=(),
        answer=why,
        tries=merge.tries + 1,
        lease_ends=None,
        look_at=turn.now + timedelta(seconds=delay),
    )
    turn.say(f"to be asked again: {why}")


def _refused(turn: Turn, why: str) -> None:
    turn.put_merge(_kept(turn, reservations.ended(turn.record.merge, reason=why, refused=True, now=turn.now)))
    turn.say(f"GitHub refused: {why}")


def refused_by_a_person(turn: Turn, why: str, at: datetime) -> None:
    """Settled as unmerged: refused, and nothing is asked before a human gate that was opened after these words."""
    _refused(turn, why)
    turn.set_merge(needs_gate_after=at)
    _apply_remembered(turn)


def _kept(turn: Turn, merge: Merge) -> Merge:
    """Remembered facts survive until they are applied."""
    return merge.model_copy(update={"remembered": turn.record.merge.remembered})


def _apply_remembered(turn: Turn) -> None:
    """The reservation ended without a merge: what happened meanwhile happens now, in order, in the same write."""
    remembered = turn.record.merge.remembered
    turn.set_merge(remembered=())
    turn.book("merge_refused")
    for item in remembered:
        turn.replay(item.signal)


def lease_expired(turn: Turn, signal: MergeLeaseExpired) -> Ignore | None:
    merge = turn.record.merge
    if merge.state == "reserved":
        _release(turn, "its owner is gone", "could_not_verify")
        return None
    if merge.state != "requested" or merge.attempt != signal.attempt:
        return Ignore("this attempt is over")
    if merge.lease_ends is not None and turn.now < merge.lease_ends:
        return Ignore("its owner may still be waiting for the answer")
    _ambiguous(turn, merge.answer or "no answer was stored", merge.uuid)
    return None


def _ambiguous(turn: Turn, why: str, uuid: str | None) -> None:
    """Nobody can know whether it happened: the base is given free, the pull request is not."""
    merge = turn.record.merge
    turn.set_merge(
        state="ambiguous",
        locked=False,
        answer=why,
        uuid=uuid or merge.uuid,
        look_at=turn.now + timedelta(seconds=2),
        confirming_since=None,
    )
    turn.say(f"it is not known whether GitHub merged it: {why}")


def looked(turn: Turn, signal: MergeLooked) -> Ignore | None:
    """Read GitHub while the outcome is open: the request itself where it has a name, then both sides."""
    merge = turn.record.merge
    if merge.id != signal.reservation or not turn.record.in_flight:
        return Ignore("this reservation is over")
    unnamed = merge.uuid is None or merge.state == "confirming"
    request = "silent" if unnamed else _ask_request(turn, merge.uuid or "")
    if request == "settled":
        return None
    evidence = turn.ask(_both_sides_of(turn.record))
    if isinstance(evidence, Unknown):
        read = MergeRead(at=turn.now, merged=None, on_base=None, why=_status(evidence.why))
        turn.set_merge(reads=with_read(merge, read))
    else:
        _weigh(turn, evidence, may_be_dead=request != "pending")
    still = turn.record.merge
    if still.state in IN_FLIGHT and still.look_at is not None and still.look_at <= turn.now:
        turn.set_merge(look_at=next_look(still, turn.now, turn.facts.settle_window))
    return None


def _status(why: str) -> str | None:
    """The HTTP status in a failure's words, which is all that people are shown of it."""
    found = re.search(r"\b[45]\d\d\b", why)
    return found.group() if found else None


def _ask_request(turn: Turn, uuid: str) -> Literal["settled", "pending", "silent"]:
    """What the asynchronous request says of itself: it settles this look, it can still land, or it says nothing usable."""
    found = turn.ask(AsyncMergeOf(turn.record.pull_request or 0, uuid))
    if isinstance(found, Unknown):
        return "silent"
    merge = turn.record.merge
    if found.status == "merged":
        turn.set_merge(state="confirming", sha=found.sha or merge.sha, look_at=turn.now, confirming_since=turn.now)
        turn.say("GitHub says it is merged")
        return "settled"
    if found.status == "failed" and len(merge.live_attempts) <= 1:
        _refused(turn, found.message or "GitHub did not merge it")
        _apply_remembered(turn)
        return "settled"
    if found.status != "pending":
        return "silent"
    if merge.state == "requested" and merge.lease_ends is not None and turn.now >= merge.lease_ends:
        _ambiguous(turn, "GitHub has not carried the request out yet", uuid)
    return "pending"


def _weigh(turn: Turn, evidence: MergeEvidence, *, may_be_dead: bool) -> None:
    record = turn.record
    merge = record.merge
    read = MergeRead(
        at=evidence.began_at,
        merged=evidence.pull_merged,
        on_base=evidence.on_base,
        head=evidence.head,
        open=evidence.pull_open,
    )
    turn.set_merge(reads=with_read(merge, read))
    if both_sides(evidence):
        landed(turn, evidence)
    elif evidence.pull_merged or evidence.on_base:
        one_side_shows(turn, evidence)
    elif merge.state == "confirming":
        _not_confirmed(turn)
    elif merge.state == "ambiguous" and may_be_dead and proven_unmerged(turn.record.merge, turn.facts.settle_window):
        _refused(turn, f"proven unmerged by two reads until {clock(evidence.began_at)}")
        _apply_remembered(turn)


def _not_confirmed(turn: Turn) -> None:
    """A success that neither side shows for longer than the settle window is not known."""
    since = turn.record.merge.confirming_since or turn.now
    if turn.now - since >= timedelta(seconds=turn.facts.settle_window):
        _ambiguous(turn, "GitHub said it was merged, and neither side shows it", turn.record.merge.uuid)
