"""Requested changes of somebody of whom GitHub did not say whether they may: they stand in the way until it does.

Nobody answers a native review, so its writer cannot be asked to repeat it, and a no that is given up gives way to whatever
waits behind it. So it is kept with the record, whatever GitHub does: nothing is reserved or asked for that commit until the
writer is verified, the review is dismissed, or a push moves the head (LIFECYCLE.md 2.5: unknown is not yes).
"""

from bot.domain.gates.unverified import standing_no
from bot.domain.lifecycle.roles import standing
from bot.domain.lifecycle.seen_first import observe_if_possible, shows_its_head
from bot.domain.lifecycle.stops import give_back
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.linked import UnverifiedNo
from bot.domain.model.sightings import ReviewSubmitted


def keep(turn: Turn, signal: ReviewSubmitted) -> None:
    """It stands from now on, or still; what is reserved is given back. On no commit, it is about the head that GitHub shows;
    where it shows none, about whichever comes."""
    if any(no.review_id == signal.review_id for no in turn.record.unverified):
        return
    commit = signal.commit
    if commit is None and shows_its_head(turn.record) and observe_if_possible(turn):
        commit = turn.record.head
    record = turn.record
    if record.phase == "done":  # that is what the look found
        return
    no = UnverifiedNo(
        review_id=signal.review_id,
        commit=commit,
        epoch=record.head_epoch if commit in {None, record.head} else None,
        by=signal.actor.as_person(),
        since=turn.now,
        signal=signal.model_dump(mode="json") | {"commit": commit},
    )
    turn.set(unverified=(*record.unverified, no))
    if standing_no(turn.record) is not None:
        give_back(turn, "requested changes could not be verified", "could_not_verify")
    turn.say(f"{signal.actor.login} requested changes, and GitHub did not say whether they may")


def forget(turn: Turn, review_id: int) -> None:
    """It was verified, or dismissed."""
    left = tuple(no for no in turn.record.unverified if no.review_id != review_id)
    if left != turn.record.unverified:
        turn.set(unverified=left)


def ask_again(turn: Turn) -> None:
    """Whoever can be verified by now is heard anew: it counts, or never did. The others stand on. It is taken out first, since
    what is heard anew may mean nothing any more; and it is about its commit, whichever pull request has that by now."""
    pull = turn.record.pull_request
    if pull is None:
        return  # the commit may come back with another one
    for no in turn.record.unverified:
        if standing(turn.ask, turn.policy, no.by, "reviewer").holds is not None:
            turn.book(turn.signal.kind)
            forget(turn, no.review_id)
            turn.replay({**no.signal, "pull": pull})
