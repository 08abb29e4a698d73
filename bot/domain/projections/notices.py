"""Notices: new comments, hence e-mails, for the few moments in which a person must act or be told.

Each cause has a comment of its own, created once and edited while it stands. When its cause is over it says so in one
sentence and is hidden. One that is over, or that somebody deleted, never comes back.
"""

import re

from bot.domain.model.effects import Effect, MinimizeComment
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.domain.model.slot_name import SlotName
from bot.domain.projections.blocked_notice import blocked, issue_gone, merged_outside
from bot.domain.projections.causes import Cause, due, over, turn_of
from bot.domain.projections.last_words import last_words
from bot.domain.projections.notice_texts import ambiguous, external, frozen, permission, turn, unread
from bot.domain.projections.show import DesiredComment, Life, Show

MAX_MENTIONS = 5
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*(/[A-Za-z0-9_.-]+)?")


def notices(show: Show) -> tuple[DesiredComment, ...]:
    """The notice that this record calls for, and the last texts of those whose cause is over."""
    cause = due(show)
    wanted = [_comment(show, cause, f"{body(show, cause)}{_called(show, cause)}", "notice")] if cause else []
    standing = [Cause.read(text) for text, stands in show.told.items() if stands]
    ended = [each for each in standing if over(show.record, show.policy, each)]
    return (*wanted, *(_comment(show, each, last_words(show, each), "over") for each in ended))


def body(show: Show, cause: Cause) -> str:
    """The text of a notice while it stands."""
    match cause.kind:
        case "blocked":
            return blocked(show)
        case "outside":
            return merged_outside(show)
        case "gone":
            return issue_gone(show)
        case "frozen":
            return frozen(show)
        case "ambiguous":
            return ambiguous(show)
        case "permission":
            return permission(show)
        case "unread":
            return unread(show)
        case "turn":
            return turn(show, turn_of(cause)[0])
        case "external":
            return external(show)


def hidden(record: Record, comment_id: int) -> Effect:
    """Hide a notice that is over as resolved, once."""
    return Effect(
        kind="minimize",
        target=f"comment:{comment_id}",
        once=f"minimize:{record.repository_id}:{comment_id}",
        write=MinimizeComment(comment_id=comment_id),
    )


def mentions(policy: Policy) -> str:
    """The people or teams that the policy names: the only live mentions we ever write."""
    names = [who.removeprefix("@") for who in policy.notify]
    called = [f"@{who}" for who in names if _NAME.fullmatch(who)][:MAX_MENTIONS]
    return f" For {', '.join(called)}" if called else ""


def _called(show: Show, cause: Cause) -> str:
    """Nobody is called where nothing is asked."""
    return "" if cause.kind == "external" else mentions(show.policy)


def _comment(show: Show, cause: Cause, text: str, life: Life) -> DesiredComment:
    record = show.record
    marker = f"<!-- signalbox:notice:{record.repository_id}:{record.issue}:{cause} -->"
    return DesiredComment(
        slot=SlotName.notice(cause),
        number=cause.number,
        body=f"{text}\n\n{marker}",
        marker=marker,
        sense=text,
        life=life,
    )
