"""Another open pull request at the judged head: our check must not speak for it, and neither may be merged (LIFECYCLE.md 4.1)."""

from bot.domain.lifecycle.results import Ignore, Unread
from bot.domain.lifecycle.stops import give_back
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.own_signals import HeadShared
from bot.domain.model.questions import OpenPullsAt
from bot.domain.model.record import Record


def head_shared(turn: Turn, signal: HeadShared) -> Ignore | None:
    """What a list shows is there, also where it lacks what should be on it; only a whole one says that a twin is gone. Without
    one the pull request that the news is of counts as there: our success must not wait for a list."""
    if signal.head != turn.record.head:
        return Ignore("not the head that is judged, or was merged")
    try:
        found = _listed(turn)
    except Unread:
        if signal.pull is None or signal.pull == turn.record.pull_request:
            raise
        turn.look_again()
        _book(turn, {*turn.record.twins, signal.pull})
        return None
    others = _others(turn.record, found)
    _book(turn, others if _is_whole(turn.record, found) else {*others, *turn.record.twins})
    return None


def look_for_twins(turn: Turn) -> tuple[int, ...]:
    """Book the other open pull requests at the present head; what was reserved is given back. Raises Unread for a list that
    lacks our own: it may lack others as well."""
    found = _listed(turn)
    if not _is_whole(turn.record, found):
        raise Unread("GitHub does not list the pull request among the open ones at its head")
    return _book(turn, _others(turn.record, found))


def _listed(turn: Turn) -> set[int]:
    return {pull.number for pull in turn.need(OpenPullsAt(turn.record.head or ""))}


def _others(record: Record, found: set[int]) -> set[int]:
    return found - {record.pull_request}


def _is_whole(record: Record, found: set[int]) -> bool:
    expected = record.phase != "done" and record.pull is not None and record.pull.open
    return record.pull_request in found or not expected


def _book(turn: Turn, others: set[int]) -> tuple[int, ...]:
    twins = tuple(sorted(others))
    if twins != turn.record.twins:
        turn.set(twins=twins)
        turn.say(f"the head is shared with #{twins[0]}" if twins else "the head is not shared any more")
    if twins:
        give_back(turn, f"#{twins[0]} has the same head")
    return twins
