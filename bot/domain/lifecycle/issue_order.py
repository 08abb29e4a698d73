"""Closings, reopenings and labels are heard in any order: GitHub's clock and the issue as it is now say which was last.

What withdraws acts at once, and what revives waits for a read: nothing goes on by old news.
"""

from datetime import datetime

from bot.domain.lifecycle.results import Ignore
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.command_signals import CommandBase
from bot.domain.model.facts import IssueFacts
from bot.domain.model.questions import IssueOf
from bot.domain.model.sightings import IssueReopened, StartLabelAdded
from bot.domain.model.text import same_name


def happened_at(turn: Turn) -> datetime:
    """By GitHub's clock where it is known."""
    signal = turn.signal
    return signal.source.created_at if isinstance(signal, CommandBase) else signal.at or turn.now


def withdrawn_again(turn: Turn) -> Ignore | None:
    """Of a record that is withdrawn: a reopening from between the two withdrawals revives nothing."""
    since = turn.record.withdrawn_at
    if not turn.record.withdrawn or since is None or happened_at(turn) <= since:
        return Ignore("over already")
    turn.set(withdrawn_at=happened_at(turn))
    turn.say("withdrawn once more")
    return None


def not_revived(turn: Turn, signal: IssueReopened | StartLabelAdded) -> Ignore | None:
    """None where the news is newer than the withdrawal, and GitHub shows it still."""
    since = turn.record.withdrawn_at
    if since is not None and signal.at is not None and signal.at < since.replace(microsecond=0):
        return Ignore("it was withdrawn after that")
    issue = turn.need(IssueOf(turn.record.issue))
    if issue is None:
        return Ignore("the issue is not here any more")
    return None if _is_still_so(issue, signal) else Ignore("it is not so any more")


def _is_still_so(issue: IssueFacts, signal: IssueReopened | StartLabelAdded) -> bool:
    if isinstance(signal, IssueReopened):
        return issue.open
    return any(same_name(signal.label, one) for one in issue.labels)
