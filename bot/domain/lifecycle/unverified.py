"""Words of somebody of whom GitHub did not say whether they may. Requested changes stand in the way until it does.

Nobody answers a native review, so its writer cannot be asked to repeat it, and a no that is given up gives way to whatever
waits behind it. So it is kept with the record, whatever GitHub does: nothing is reserved or asked for that commit until the
writer is verified, the review is dismissed, or a push moves the head (LIFECYCLE.md 2.5: unknown is not yes).

A command is answered, and its writer can repeat it. But a merge may leave before anybody can read the answer: so a stop that was
refused for this stops the merge for long enough to repeat it, and no longer.
"""

from datetime import timedelta

from bot.domain.gates.unverified import standing_no
from bot.domain.lifecycle.roles import standing
from bot.domain.lifecycle.seen_first import observe_if_possible, shows_its_head
from bot.domain.lifecycle.stops import give_back
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.refusals import Refusal
from bot.domain.model.sightings import ReviewSubmitted
from bot.domain.model.text import until
from bot.domain.model.unverified import UnverifiedNo, UnverifiedStop

#: What takes authority away when somebody says it.
STOPS = frozenset({"reject", "rework", "hold", "block_work", "revoke", "cancel", "replan", "link", "unlink"})
#: Phases that may lead on to a merge before anybody can read an answer.
AT_STAKE = frozenset({"building", "testing", "submit", "blocked"})
#: So long nothing merges after a stop whose writer could not be verified, and so long in a row, however often it is repeated.
TIME_TO_REPEAT, LONGEST = timedelta(minutes=10), timedelta(hours=1)
#: A pause that would end less than this later is left as it is, so that many words make no versions.
NEWS = timedelta(minutes=1)


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


def time_to_repeat(turn: Turn, refusal: Refusal) -> Refusal:
    """Where it was a stop of a commit that may be merged: nothing merges for a while, and the answer says so."""
    record = turn.record
    at_stake = record.pull_request is not None and record.phase in AT_STAKE and not record.withdrawn
    if refusal.code != "could_not_verify" or turn.signal.kind not in STOPS or not at_stake or record.in_flight:
        return refusal
    standing = record.unverified_stop
    since = standing.since if standing is not None else turn.now
    end = min(turn.now + TIME_TO_REPEAT, since + LONGEST)
    if standing is None or end - standing.until >= NEWS:
        stop = UnverifiedStop(by=turn.actor.as_person(), since=since, until=end)
        turn.set(unverified_stop=stop)
        give_back(turn, "a stop could not be verified")
        turn.say(
            f"{stop.by.login} wanted to stop it, and GitHub did not say whether they may: no merge before {until(end)}"
        )
    else:
        end = standing.until
    return refusal.model_copy(
        update={"message": f"{refusal.message}\nNothing merges before {until(end)}, so that there is time for it."}
    )


def end_pause(turn: Turn) -> None:
    """Nobody repeated it; what was repeated and counts stands by itself."""
    stop = turn.record.unverified_stop
    if stop is not None and stop.until <= turn.now:
        turn.set(unverified_stop=None)
        turn.say("the time to repeat a stop that could not be verified is over")
        turn.book("pause_over")


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
