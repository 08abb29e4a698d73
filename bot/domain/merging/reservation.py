"""The exclusive right to merge one head: taken, asked with, given back.

A reservation is stored before GitHub is asked, and so is the request. `order` reads it from the `requested` record; the
right to send it is handed out by the write that stored it (`bot.app.attempts`).
"""

from datetime import datetime, timedelta

from bot.domain.model.merge import Commanded, Merge, MergeState
from bot.domain.model.permit import MergeOrder
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record

#: How often "base modified" is answered before the reservation is given up.
MAX_TRIES = 5
#: How long a reservation keeps its base while nothing can be sent for it: an unwritten check, a connection that does not stand.
PATIENCE = timedelta(seconds=120)
#: The longest pause between two tries to make the check stand.
LONGEST_PAUSE = timedelta(seconds=60)
#: States of a merge that is not over: somebody has to carry it on.
UNDER_WAY: tuple[MergeState, ...] = ("reserved", "requested", "ambiguous", "confirming")


def reserve(record: Record, policy: Policy, reservation: str, now: datetime) -> Merge:
    """The reservation of this record's head. Nothing has been asked yet, so a person's stop still wins."""
    return Merge(
        state="reserved",
        id=reservation,
        no_async=record.merge.no_async,
        method=policy.merge.method,
        reserved_at=now,
        head=record.head,
        base=record.base,
        attempts=record.merge.attempts,
        refused_since=record.merge.refused_since,
        needs_gate_after=record.merge.needs_gate_after,
        commanded=record.merge.commanded,
        locked=True,
        look_at=now,
    )


def command_for(record: Record) -> Commanded:
    """The word that asks for the merge of what is judged now."""
    return Commanded(round=record.gates_opened.submit.round, head=record.head or "")


def is_commanded(record: Record) -> bool:
    """Whether an operator asked for the merge of what is judged now, and nobody stopped it and GitHub did not refuse since."""
    return record.merge.commanded == command_for(record)


def ended(
    merge: Merge, *, reason: str | None = None, code: str | None = None, refused: bool = False, now: datetime
) -> Merge:
    """The reservation is over without a merge. What was asked and answered stays readable; remembered facts do not:
    whoever ends a reservation applies them in the same write."""
    return merge.model_copy(
        update={
            "state": "refused" if refused else "none",
            "locked": False,
            "reason": reason,
            "reason_code": code,
            "refused_since": merge.refused_since or (now if refused else None),
            "remembered": (),
            "live_attempts": (),
            "attempt": None,
            "look_at": None,
            "lease_ends": None,
            "confirming_since": None,
            "tries": 0,
        }
    )


def next_attempt(merge: Merge) -> str:
    """The name of the attempt that may be made next; names are never used twice."""
    return f"{merge.id}.{merge.attempts + 1}"


def abandoned(merge: Merge, now: datetime) -> bool:
    """Whether nobody answers any more for a request of which GitHub gave no number to ask about."""
    return merge.state == "requested" and merge.uuid is None and (merge.lease_ends is None or merge.lease_ends <= now)


def may_wait(merge: Merge, now: datetime) -> bool:
    """Whether a reservation may keep its base although nothing can be sent for it."""
    return _waited(merge, now) < PATIENCE


def pause(merge: Merge, now: datetime) -> timedelta:
    """1, 2, 4 … 60 s between tries, measured from what is stored, so that a restart goes on where it was."""
    return min(max(_waited(merge, now), timedelta(seconds=1)), LONGEST_PAUSE)


def _waited(merge: Merge, now: datetime) -> timedelta:
    """How long it could have been asked by now: since it was reserved, or since GitHub's last refusal for a moment is over.
    That one was an answer, so what was sent then was no waiting. There are `MAX_TRIES` of them, so the base is not kept for
    ever."""
    return now - (merge.ready_from or merge.reserved_at or now)


def asks(before: Record | None, after: Record) -> bool:
    """Whether this change is a request to GitHub that was not there before."""
    merge = after.merge
    return merge.state == "requested" and (before is None or before.merge.attempt != merge.attempt)


def goes_on(before: Record | None, after: Record) -> bool:
    """Whether this change leads on to a merge: it reserves, or it asks."""
    reserves = after.merge.state == "reserved" and (before is None or before.merge.id != after.merge.id)
    return reserves or asks(before, after)


def order(requested: Record, title: str, body: str) -> MergeOrder:
    """The request that this record stores. Raises when the record does not hold one: that is our bug."""
    merge = requested.merge
    complete = merge.id and merge.attempt and merge.head and merge.base and merge.method and merge.api
    if merge.state != "requested" or not complete or requested.pull_request is None or merge.head != requested.head:
        raise ValueError("a merge is asked for by a stored request for the present head")
    return MergeOrder(
        reservation=str(merge.id),
        attempt=str(merge.attempt),
        pull=requested.pull_request,
        head=str(merge.head),
        base=str(merge.base),
        method=merge.method or "squash",
        title=title,
        body=body,
        api=merge.api or "sync",
    )
