"""Deliveries come in any order: an approval that was taken back does not count, though it is heard of only afterwards (I14)."""

from datetime import datetime

from bot.domain.lifecycle import refusing
from bot.domain.lifecycle.people import lacks_role
from bot.domain.lifecycle.results import Refuse
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.command_signals import Revoke
from bot.domain.model.record import TakenBack
from bot.domain.model.sightings import ReviewDismissed, ReviewSubmitted
from bot.domain.model.text import seconds_clock

#: Where an approval written before the revocation could still be counted.
OPEN_TO_THE_PLAN = frozenset({"plan_ready", "building", "testing", "submit", "blocked"})
OPEN_TO_THE_HEAD = frozenset({"testing", "submit", "blocked"})


def book_word(turn: Turn, signal: Revoke) -> None:
    """Kept even where nothing was to be taken back yet. Whoever provably decides nothing has nothing to come."""
    about_plan = signal.source.thread == "issue"
    if turn.record.phase not in (OPEN_TO_THE_PLAN if about_plan else OPEN_TO_THE_HEAD):
        return
    refusal = lacks_role(turn, "reviewer", "operator")
    if refusal is None or refusal.refusal.code == "could_not_verify":
        about = "plan" if about_plan else "head"
        _book(turn, TakenBack(by=signal.actor.id, about=about, at=signal.source.created_at))


def book_dismissal(turn: Turn, signal: ReviewDismissed) -> None:
    """Also where its verdict would not count: words in its body may still be heard."""
    if turn.record.phase in OPEN_TO_THE_HEAD:
        _book(turn, TakenBack(review_id=signal.review_id))


def taken_back(turn: Turn, about: str, written_at: datetime) -> Refuse | None:
    """None unless the actor revoked after writing this. In one second nobody can say which came first: it does not count."""
    later = [one.at for one in turn.record.taken_back if (one.by, one.about) == (turn.actor.id, about) and one.at]
    if not later or max(later) < written_at:
        return None
    return refusing.refuse(
        "stale_comment",
        f"Its writer revoked at {seconds_clock(max(later))}, and this was written no later. Nothing was stored. "
        "Repeat it if it is meant after all.",
    )


def dismissed(turn: Turn, signal: ReviewSubmitted) -> bool:
    known = any(one.review_id == signal.review_id for one in turn.record.taken_back)
    return known or taken_back(turn, "head", signal.submitted_at) is not None


def _book(turn: Turn, new: TakenBack) -> None:
    """The newest word of each person about each thing is enough."""
    if new.review_id is None:
        same = [one for one in turn.record.taken_back if (one.by, one.about) == (new.by, new.about)]
        if any(one.at and new.at and one.at >= new.at for one in same):
            return
        turn.set(taken_back=(*(one for one in turn.record.taken_back if one not in same), new))
    elif new not in turn.record.taken_back:
        turn.set(taken_back=(*turn.record.taken_back, new))
