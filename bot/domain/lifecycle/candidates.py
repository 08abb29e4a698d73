"""Which head becomes the candidate, and by itself at most once (LIFECYCLE.md 2.3)."""

from bot.domain.gates.checks import is_red
from bot.domain.gates.gate import plan_approved
from bot.domain.lifecycle.checking import checks_of_head
from bot.domain.lifecycle.results import Unread
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.record import Record


def is_offered(record: Record) -> bool:
    """Whether the record's head could be a candidate by itself, GitHub's checks aside."""
    if record.phase != "building" or record.withdrawn or record.frozen or record.head is None:
        return False
    return record.is_ready and record.candidate not in record.tried


def offer(turn: Turn) -> None:
    """At a moment that may make a candidate: go to testing if the head is offered and none of its checks is red. Where GitHub
    does not show them, what led here stands all the same, a push or a revocation above all, and it is looked at again."""
    if not is_offered(turn.record) or not plan_approved(turn.record, turn.policy):
        return
    try:
        with turn.whole():
            become(turn)
    except Unread:
        turn.look_again()


def become(turn: Turn) -> bool:
    """Judge this head's checks and enter testing unless one is red. Unreadable checks are not yet (raises Unread)."""
    verification = checks_of_head(turn)
    turn.set(verification=verification)
    if is_red(verification):
        turn.set(red_head=turn.record.head)
        return False
    turn.set(red_head=None)
    return turn.fire("candidate")
