"""The merge section: ask, judge the answer, try again, give back (LIFECYCLE.md section 3)."""

from datetime import timedelta

from bot.domain.gates.gate import authority_complete, authority_of
from bot.domain.lifecycle import prerequisites
from bot.domain.lifecycle.before_merge import look_after_no_merge, look_before_merge
from bot.domain.lifecycle.ending import ambiguous, apply_remembered, both_sides_of, refused
from bot.domain.lifecycle.landing import both_sides, landed, one_side_shows
from bot.domain.lifecycle.results import UNREAD_PAUSE, Ignore, Unread
from bot.domain.lifecycle.stops import give_back
from bot.domain.lifecycle.turn import Turn
from bot.domain.merging import reservation as reservations
from bot.domain.merging.outcome import Classified, classify
from bot.domain.model.facts import Unknown
from bot.domain.model.merge import MergeApi
from bot.domain.model.own_signals import AskMerge, MergeAnswered, MergeLeaseExpired, MergeNotSent, ReleaseReservation
from bot.domain.model.questions import RulesOf


def ask_merge(turn: Turn, signal: AskMerge) -> Ignore | None:
    """Store `requested` for a reservation that still holds, with every prerequisite read anew; or release it, and book what
    was read: a head that moved, a base, a red check leave submit in the same write."""
    merge = turn.record.merge
    if merge.state != "reserved" or merge.id != signal.reservation:
        return Ignore("this reservation is over")
    if signal.attempts != merge.attempts:
        return Ignore("another attempt of this reservation came between")
    if (no := prerequisites.unheard(turn)) is not None:
        _release(turn, no.message, no.code)
        return None
    if turn.facts.news_waits:
        raise Unread("what GitHub told is not worked on yet")
    try:
        with turn.whole():
            seen = look_before_merge(turn)
            standing = prerequisites.blockers(turn) if turn.record.merge.state == "reserved" else ()
    except Unread:  # which fact and why stands in the log; people are told what it means
        _release(turn, "GitHub did not show all that is needed", "could_not_verify")
        turn.look_again()
        return Ignore("what is needed could not be read")
    if standing:
        _release(turn, standing[0].message, standing[0].code)
    if turn.record.merge.state != "reserved":
        turn.book("reservation_released")
        return seen
    attempt = reservations.next_attempt(merge)
    turn.set_merge(
        state="requested",
        attempt=attempt,
        method=turn.policy.merge.method,
        api=_endpoint(turn, signal),
        requested_at=turn.now,
        lease_ends=signal.lease_ends,
        window_ends=signal.window_ends,
        attempts=merge.attempts + 1,
        base_tip=merge.base_tip or turn.need(RulesOf(turn.record.base or "")).tip or None,
        authority=authority_of(turn.record, turn.policy),
        live_attempts=(*merge.live_attempts, attempt),
        uuid=None,
        reason=None,
        answer=None,
        reads=(),
        look_at=signal.lease_ends,
    )
    turn.set(asked_heads=tuple(dict.fromkeys((*turn.record.asked_heads, turn.record.head or ""))))
    turn.say(f"GitHub is asked, attempt {merge.attempts + 1}")
    turn.book("merge_requested")
    return None


def _endpoint(turn: Turn, signal: AskMerge) -> MergeApi:
    """As the operator's setting says. What was learnt of GitHub counts where that leaves the choice."""
    learnt = turn.record.merge.no_async and not turn.facts.async_only
    return "sync" if learnt else signal.api


def release(turn: Turn, signal: ReleaseReservation) -> Ignore | None:
    merge = turn.record.merge
    if merge.state != "reserved" or merge.id != signal.reservation:
        return Ignore("this reservation is over")
    _release(turn, signal.why, "could_not_verify")
    return None


def _release(turn: Turn, why: str, code: str) -> None:
    """Nothing was asked, so the right is simply given back; a later look may take it again."""
    if turn.record.merge.state == "reserved":
        give_back(turn, why, code)
        turn.say(f"the reservation was released: {why}")
        turn.book("reservation_released")


def not_sent(turn: Turn, signal: MergeNotSent) -> Ignore | None:
    """The bytes of this attempt never left and never will: the reservation may make another attempt."""
    merge = turn.record.merge
    if merge.attempt != signal.attempt or merge.state not in {"requested", "ambiguous"}:
        return Ignore("this attempt is over")
    others = tuple(a for a in merge.live_attempts if a != signal.attempt)
    if others:
        turn.set_merge(live_attempts=others)
        turn.say("an attempt was never sent; another one may still land")
    else:
        _never_sent(turn, signal.why)
    return None


def _never_sent(turn: Turn, why: str) -> None:
    """It is no try of what GitHub refuses for a moment. But a base is not kept for long by what cannot be sent, and one that
    was given free meanwhile must be reserved anew."""
    merge = turn.record.merge
    if merge.state == "requested" and not merge.remembered and reservations.may_wait(merge, turn.now):
        _ask_again(turn, why, turn.facts.merge_retry)
        return
    refused(turn, f"the request was never sent: {why}", "not_sent", for_now=True)
    turn.set_merge(look_at=turn.now + UNREAD_PAUSE)
    apply_remembered(turn)


def answered(turn: Turn, signal: MergeAnswered) -> Ignore | None:
    """Judge GitHub's answer. A late one changes nothing by itself: both sides are read."""
    merge = turn.record.merge
    outcome = classify(signal.reply, merge.head or "", merge.method)
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
            ambiguous(turn, outcome.text, outcome.uuid)
        case "refused_unless_merged":
            return _refused_unless_merged(turn, signal.attempt, outcome)
        case _:
            return _definitive_no(turn, signal.attempt, outcome)
    return None


def _refused_unless_merged(turn: Turn, attempt: str, outcome: Classified) -> Ignore | None:
    """This request did nothing; but GitHub says the same of a pull request that is merged already, so it is read first."""
    evidence = turn.ask(both_sides_of(turn.record))
    if isinstance(evidence, Unknown) or evidence.pull_merged is None or evidence.on_base is None:
        ambiguous(turn, outcome.text, None)
    elif both_sides(evidence):
        landed(turn, evidence)
    elif evidence.pull_merged or evidence.on_base:
        one_side_shows(turn, evidence)
    else:
        return _definitive_no(turn, attempt, outcome)
    return None


def _definitive_no(turn: Turn, attempt: str, outcome: Classified) -> Ignore | None:
    """A no ends the reservation only if no other attempt of it can still land."""
    merge = turn.record.merge
    others = tuple(a for a in merge.live_attempts if a != attempt)
    if others:
        turn.set_merge(live_attempts=others, answer=outcome.text)
        turn.say("an attempt was refused; another one may still land")
        return None
    match outcome.kind:
        case "refused_head":
            refused(turn, "the head moved")
            apply_remembered(turn)
            seen = look_after_no_merge(turn)
            if turn.record.phase == "submit":
                turn.fire("head_moved", "GitHub says the head moved")
            return seen
        case "no_async" if merge.state == "requested" and not turn.facts.async_only and not merge.remembered:
            turn.set_merge(api="sync", no_async=True)
            _ask_again(turn, "this GitHub has no asynchronous merge", 0)
        case "refused_base" if merge.state == "requested":
            _try_again(turn, outcome.text, turn.facts.merge_retry * 2**merge.tries)
        case "not_executed":
            refused(turn, outcome.text, for_now=True)
            pause = outcome.not_before or turn.now + timedelta(
                seconds=turn.facts.merge_retry * 2 ** min(merge.tries, 6)
            )
            turn.set_merge(look_at=pause)
            apply_remembered(turn)
        case _:
            refused(turn, outcome.text)
            apply_remembered(turn)
    return None


def _try_again(turn: Turn, why: str, delay: float) -> None:
    """What GitHub refuses for a moment is tried a few times."""
    merge = turn.record.merge
    if merge.remembered or merge.tries + 1 >= reservations.MAX_TRIES:
        refused(turn, why)
        apply_remembered(turn)
        return
    turn.set_merge(tries=merge.tries + 1, ready_from=turn.now + timedelta(seconds=delay))
    _ask_again(turn, why, delay)


def _ask_again(turn: Turn, why: str, delay: float) -> None:
    """Back to reserved: the same reservation, the next attempt. A person's stop releases it meanwhile; rules that ask for
    more by now end it, and so does whatever froze the record meanwhile: nothing frozen is reserved."""
    if turn.record.frozen is not None or not authority_complete(turn.record, turn.policy):
        refused(turn, why, for_now=True)
        apply_remembered(turn)
        return
    turn.set_merge(
        state="reserved",
        attempt=None,
        live_attempts=(),
        answer=why,
        lease_ends=None,
        look_at=turn.now + timedelta(seconds=delay),
    )
    turn.say(f"to be asked again: {why}")


def lease_expired(turn: Turn, signal: MergeLeaseExpired) -> Ignore | None:
    merge = turn.record.merge
    if merge.state != "requested" or merge.attempt != signal.attempt:
        return Ignore("this attempt is over")
    if merge.lease_ends is not None and turn.now < merge.lease_ends:
        return Ignore("its owner may still be waiting for the answer")
    ambiguous(turn, merge.answer or "no answer was stored", merge.uuid)
    return None
