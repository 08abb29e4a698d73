"""The pull request, read again around a merge: before it is reserved, before it is asked for, and when it did not happen."""

from bot.domain.lifecycle.barring import learn_who_pushed
from bot.domain.lifecycle.checking import look_at_checks
from bot.domain.lifecycle.pulls import look
from bot.domain.lifecycle.results import UNREAD_PAUSE, Ignore, Unread
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.policy_file import PolicyFileNow
from bot.domain.model.questions import CoAuthorsOf, OpenPullsAt, PullOf, RulesOf, WorkflowFilesIn


def look_before_merge(turn: Turn) -> Ignore | None:
    """What moved or turned red is booked, and leaves submit; a merge by somebody else is settled. Raises Unread."""
    number = turn.record.pull_request or 0
    base, head = turn.record.base or "", turn.record.head or ""
    turn.will_need(PullOf(number), OpenPullsAt(head), WorkflowFilesIn(number), RulesOf(base))
    _by_the_newest_rules(turn)
    seen = look(turn)
    if turn.record.phase == "submit" and turn.record.merge.state != "merged":
        look_at_checks(turn)
    if turn.record.phase == "submit" and turn.record.merge.state != "merged":
        learn_who_pushed(turn, turn.need(RulesOf(turn.record.base or "")).tip)
    if turn.record.phase == "submit" and turn.record.merge.state != "merged":
        _read_co_authors(turn)
    return seen


def _read_co_authors(turn: Turn) -> None:
    """A squash has one author: whom the commits credit is read once for each head, or they would be lost."""
    pull, head = turn.record.pull, turn.record.head or ""
    method = turn.record.merge.method or turn.policy.merge.method
    if pull is not None and method == "squash" and pull.co_authors_of != head:
        found = turn.need(CoAuthorsOf(pull.number))
        credited = {"co_authors": found.people, "trailers": found.trailers, "co_authors_of": head}
        turn.set(pull=pull.model_copy(update=credited))


def _by_the_newest_rules(turn: Turn) -> None:
    """A file that cannot be read now, or that nobody has judged yet, may ask for more than what is evaluated here."""
    if turn.need(PolicyFileNow()) != turn.facts.policy_file:
        raise Unread("the newest policy file is not judged yet")


def look_after_no_merge(turn: Turn) -> Ignore | None:
    """It did not happen because the head moved or the pull request was closed: that is booked now. What cannot be read is read
    soon; that there was no merge is certain all the same."""
    try:
        with turn.whole():
            return look(turn)
    except Unread:
        return Ignore("the pull request could not be read", look_at=turn.now + UNREAD_PAUSE)
