"""A head arrives: whether it was rejected before anybody here knew of it, and whether a push brought a rejected one back.

A reviewer may request changes on a commit whose push is heard of afterwards, or never. And a read may show an older state
once, so that a head seems to go and to come back though nobody pushed (LIFECYCLE.md 2.3, 2.5).
"""

from bot.domain.lifecycle.results import Ignore
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.facts import Unknown
from bot.domain.model.linked import RejectedAhead
from bot.domain.model.questions import PushesTo
from bot.domain.model.record import Record
from bot.domain.model.sightings import HeadPushed, ReviewSubmitted


def reject_ahead(turn: Turn, signal: ReviewSubmitted, commit: str, *, may_be_back: bool) -> Ignore | None:
    """Keep requested changes on a commit that is not known yet. On one that was there before they are over, unless GitHub does
    not show whether it is the head again."""
    record = turn.record
    known = set() if may_be_back else _known(record) | {row.head for row in turn.facts.shown}
    if commit in known or signal.pull != record.pull_request:
        return Ignore("it was submitted on another head")
    keep_ahead(turn, signal, commit)
    turn.say(f"{signal.actor.login} requested changes on a commit that is not known yet")
    return None


def keep_ahead(turn: Turn, signal: ReviewSubmitted, commit: str | None) -> None:
    """For when this commit becomes the head. None: for the head that is shown next."""
    record = turn.record
    kept = RejectedAhead(
        commit=commit,
        by=turn.actor.as_person(),
        at=signal.submitted_at,
        why=signal.reason or "changes requested in a review",
        url=signal.url or None,
        review_id=signal.review_id,
    )
    turn.set(rejected_ahead=(*(one for one in record.rejected_ahead if one.review_id != signal.review_id), kept))


def _known(record: Record) -> set[str | None]:
    return {record.head, *record.rejected_heads, *record.asked_heads, *(each.head for each in record.tried)}


def forget_ahead(turn: Turn, review_id: int) -> None:
    """The review was dismissed."""
    left = tuple(one for one in turn.record.rejected_ahead if one.review_id != review_id)
    if left != turn.record.rejected_ahead:
        turn.set(rejected_ahead=left)


def arrive(turn: Turn, head: str, pushed: HeadPushed | None) -> None:
    """The head moved to this one. Only the news of a push to it, or the
    branch's activity, frees a head that was rejected; a read alone may have shown
    an older state meanwhile, so there the news that explains it is waited for."""
    record = turn.record
    told = next((one for one in record.rejected_ahead if one.commit in {None, head}), None)
    if told is not None:
        left = tuple(one for one in record.rejected_ahead if one.commit not in {None, head})
        others = tuple(each for each in record.rejected_heads if each != head)
        turn.set(rejected_ahead=left, rejected_heads=(*others, head), rejected_at=told.at)
        turn.set(feedback=told.why, feedback_by=told.by, feedback_url=told.url)
    elif (pushed is not None and pushed.after == head) or (head in record.rejected_heads and _came_back(turn, head)):
        free(turn, head)
    elif head in record.rejected_heads and turn.record.unexplained_head is not None:
        turn.set(unexplained_head=turn.record.unexplained_head.model_copy(update={"returned": True}))


def shown(turn: Turn) -> None:
    """GitHub shows this head: what was said on no commit, while it showed none, was about this one. Where it is the head of then,
    it was rejected at once."""
    record = turn.record
    left = tuple(one for one in record.rejected_ahead if one.commit is not None)
    if left != record.rejected_ahead:
        turn.set(rejected_ahead=left)
    if any(no.commit is None for no in record.unverified):
        bound = {"commit": record.head, "epoch": record.head_epoch}
        turn.set(
            unverified=tuple(
                no.model_copy(update={**bound, "signal": no.signal | {"commit": record.head}})
                if no.commit is None
                else no
                for no in record.unverified
            )
        )


def _came_back(turn: Turn, head: str) -> bool:
    """Whether the branch's activity shows that it was moved to this head more than once, and last."""
    pull = turn.record.pull
    if pull is None or not pull.same_repository or not pull.head_ref:
        return False
    pushes = turn.ask(PushesTo(pull.head_ref))
    if isinstance(pushes, Unknown) or not pushes or pushes[0].after != head:
        return False
    return sum(each.after == head for each in pushes) > 1


def explained(turn: Turn, pushed: HeadPushed) -> None:
    """The news of a push that was read before: a rejected head that it brought back is free."""
    question = turn.record.unexplained_head
    turn.set(unexplained_head=None)
    if question is not None and question.returned and pushed.after == turn.record.head:
        free(turn, pushed.after)


def free(turn: Turn, head: str) -> None:
    """Whatever was said against it before it was pushed again is over."""
    record = turn.record
    turn.set(
        rejected_heads=tuple(each for each in record.rejected_heads if each != head),
        unverified=tuple(no for no in record.unverified if no.commit != head or no.epoch is None),
    )
