"""Another open pull request at the judged head: our check must not speak for it, and neither may be merged (LIFECYCLE.md 4.1)."""

from bot.domain.lifecycle.results import Ignore
from bot.domain.lifecycle.stops import give_back
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.questions import OpenPullsAt
from bot.domain.model.signals import HeadShared


def head_shared(turn: Turn, signal: HeadShared) -> Ignore | None:
    if signal.head != turn.record.head:
        return Ignore("not the head that is judged, or was merged")
    look_for_twins(turn)
    return None


def look_for_twins(turn: Turn) -> tuple[int, ...]:
    """Book the other open pull requests at the present head; what was reserved is given back."""
    record = turn.record
    found = turn.need(OpenPullsAt(record.head or ""))
    twins = tuple(sorted(pull.number for pull in found if pull.number != record.pull_request))
    if twins != record.twins:
        turn.set(twins=twins)
        turn.say(f"the head is shared with #{twins[0]}" if twins else "the head is not shared any more")
    if twins:
        give_back(turn, f"#{twins[0]} has the same head")
    return twins
