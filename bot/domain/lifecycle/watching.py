"""Looking at GitHub while the outcome of a merge is open: the request itself where it has a name, then both sides."""

import re
from datetime import timedelta
from typing import Literal

from bot.domain.lifecycle.before_merge import look_after_no_merge
from bot.domain.lifecycle.ending import ambiguous, apply_remembered, both_sides_of, refused
from bot.domain.lifecycle.landing import both_sides, landed, one_side_shows
from bot.domain.lifecycle.results import Ignore
from bot.domain.lifecycle.turn import Turn
from bot.domain.merging.proof import look_is_due, may_be_forgotten, next_look, proven_unmerged, with_read
from bot.domain.model.facts import MergeEvidence, Unknown
from bot.domain.model.merge import IN_FLIGHT, MergeRead
from bot.domain.model.own_signals import MergeLooked
from bot.domain.model.questions import AsyncMergeOf
from bot.domain.model.text import clock


def looked(turn: Turn, signal: MergeLooked) -> Ignore | None:
    """Read GitHub while the outcome is open: the request itself where it has a name, then both sides."""
    merge = turn.record.merge
    if merge.id != signal.reservation or not turn.record.in_flight:
        return Ignore("this reservation is over")
    unnamed = merge.uuid is None or merge.state == "confirming"
    request = "silent" if unnamed else _ask_request(turn, merge.uuid or "")
    if request == "known":
        return None
    evidence = turn.ask(both_sides_of(turn.record))
    if isinstance(evidence, Unknown):
        read = MergeRead(at=turn.now, merged=None, on_base=None, why=_status(evidence.why))
        turn.set_merge(reads=with_read(merge, read))
    elif seen := _weigh(turn, evidence, may_be_dead=request != "pending"):
        return seen
    still = turn.record.merge
    if still.state in IN_FLIGHT and still.look_at is not None and look_is_due(still, turn.now):
        turn.set_merge(look_at=next_look(still, turn.now, turn.facts.settle_window))
    if still.reads:
        turn.say_at_least(_in_words(still.reads[-1], still.base))
    return None


def _in_words(read: MergeRead, base: str | None) -> str:
    """One look, for the history."""
    unread = f"could not be read{f' ({read.why})' if read.why else ''}"
    pull = (
        unread
        if read.merged is None
        else "is merged"
        if read.merged
        else "is closed"
        if read.open is False
        else "is open"
    )
    has = {True: "contains it", False: "does not contain it", None: unread}[read.on_base]
    return f"the pull request {pull}, {base or 'the base'} {has}"


def _status(why: str) -> str | None:
    """The HTTP status in a failure's words, which is all that people are shown of it."""
    found = re.search(r"\b[45]\d\d\b", why)
    return found.group() if found else None


def _ask_request(turn: Turn, uuid: str) -> Literal["known", "pending", "silent"]:
    """What the asynchronous request says of itself: it settles this look, it can still land, or it says nothing usable."""
    found = turn.ask(AsyncMergeOf(turn.record.pull_request or 0, uuid))
    merge = turn.record.merge
    if isinstance(found, Unknown):
        _past_its_lease(turn, "what the request says of itself could not be read")
        return "pending"  # what could not be read is never dead
    if found.status == "merged":
        turn.set_merge(state="confirming", sha=found.sha or merge.sha, look_at=turn.now, confirming_since=turn.now)
        turn.say("GitHub says it is merged")
        return "known"
    if found.status == "failed" and len(merge.live_attempts) <= 1:
        refused(turn, found.message or "GitHub did not merge it")
        apply_remembered(turn)
        return "known"
    if found.status == "gone" and may_be_forgotten(merge, turn.now - turn.facts.clock_ahead):
        _past_its_lease(turn, "GitHub knows nothing of the request any more")
        return "silent"
    unseen = found.status == "gone"  # by an answer that proves nothing yet
    _past_its_lease(
        turn, "GitHub does not show the request" if unseen else "GitHub has not carried the request out yet"
    )
    return "pending"


def _past_its_lease(turn: Turn, why: str) -> None:
    """A request that is open for longer than its owner may wait is unknown, whatever it says of itself; so one such merge
    does not stop its base."""
    merge = turn.record.merge
    if merge.state == "requested" and merge.lease_ends is not None and turn.now >= merge.lease_ends:
        ambiguous(turn, why, merge.uuid)


def _weigh(turn: Turn, evidence: MergeEvidence, *, may_be_dead: bool) -> Ignore | None:
    record = turn.record
    merge = record.merge
    read = MergeRead(
        at=evidence.began_at - turn.facts.clock_ahead,  # in the time of the window it is compared with
        merged=evidence.pull_merged,
        on_base=evidence.on_base,
        head=evidence.head,
        open=evidence.pull_open,
        live=not may_be_dead,
    )
    turn.set_merge(reads=with_read(merge, read))
    if both_sides(evidence):
        landed(turn, evidence)
    elif evidence.pull_merged or evidence.on_base:
        one_side_shows(turn, evidence)
    elif merge.state == "confirming":
        _not_confirmed(turn)
    elif merge.state == "ambiguous" and proven_unmerged(turn.record.merge, turn.facts.settle_window):
        refused(turn, f"proven unmerged by two reads until {clock(evidence.began_at)}", "proven_unmerged")
        apply_remembered(turn)
        return look_after_no_merge(turn)
    return None


def _not_confirmed(turn: Turn) -> None:
    """A success that neither side shows for longer than the settle window is not known."""
    since = turn.record.merge.confirming_since or turn.now
    if turn.now - since >= timedelta(seconds=turn.facts.settle_window):
        ambiguous(turn, "GitHub said it was merged, and neither side shows it", None)
        turn.set_merge(uuid=None)  # the request has said all it can: asking it again would only lead back here
