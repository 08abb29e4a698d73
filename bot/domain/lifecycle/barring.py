"""Who turns out to have pushed what is judged: before a seat is filled, and before a merge (LIFECYCLE.md 2.5, I15)."""

from bot.domain.gates.gate import authority_complete
from bot.domain.gates.separation import excluded, nobody_may_guess
from bot.domain.lifecycle.pushers import base_went_back, may_be_learned, read_pushers
from bot.domain.lifecycle.stopping import take_back
from bot.domain.lifecycle.stops import give_back
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.policy import Policy
from bot.domain.model.questions import Contains
from bot.domain.model.record import Decision, Record


def will_ask_who_pushed(turn: Turn) -> None:
    """What `learn_who_pushed` asks first where nothing has moved: whether the base still has what was read against."""
    pull = turn.record.pull
    if pull is not None and pull.read_against and turn.record.base:
        turn.will_need(Contains(turn.record.base, pull.read_against))


def learn_who_pushed(turn: Turn, tip: str = "") -> None:
    """Who pushed is read once more while it is not known, or where the base has been set back: what it had there is the pull
    request's own now. Whoever turns out to have pushed keeps no seat. `tip`: the base's newest commit, where it is read anyway.
    Raises Unread."""
    went_back = base_went_back(turn, tip)
    if not went_back and not may_be_learned(turn.record):
        return
    sat = _sitting(turn.record, turn.policy)
    read_pushers(turn)
    turn.say("the base was set back, so who pushed was read anew" if went_back else "who pushed was read")
    left = {each.id for each in _sitting(turn.record, turn.policy)}
    gone = [each for each in sat if each.id not in left]
    if gone:
        take_back(turn, gone, f"{gone[0].by.login} may have pushed it")
    elif turn.record.merge.state == "reserved" and not authority_complete(turn.record, turn.policy):
        give_back(turn, "the authority is no longer complete")
    turn.book("pushes_read")


def _sitting(record: Record, policy: Policy) -> list[Decision]:
    """Approvals of the head by people who may judge it, as far as is known."""
    if nobody_may_guess(record, policy):
        return []
    given = (each for each in record.decisions if each.gate != "plan" and each.verdict == "approve" and not each.void)
    return [each for each in given if each.by.id not in excluded(record, policy, each.gate, each.kind)]
