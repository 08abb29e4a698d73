"""What follows by itself once a signal is booked: gates that are complete open the next phase, complete authority reserves."""

from bot.domain.gates.gate import authority_complete, complete, gate_view, plan_approved
from bot.domain.gates.unverified import waits_for_a_word
from bot.domain.lifecycle import prerequisites
from bot.domain.lifecycle.asking_again import may_try
from bot.domain.lifecycle.before_merge import look_before_merge
from bot.domain.lifecycle.candidates import offer
from bot.domain.lifecycle.checking import check_overdue
from bot.domain.lifecycle.evidence import of_the_merge
from bot.domain.lifecycle.pulls import look
from bot.domain.lifecycle.results import Unread
from bot.domain.lifecycle.stops import enter_blocked, give_back
from bot.domain.lifecycle.turn import Turn
from bot.domain.lifecycle.unverified import ask_again
from bot.domain.lifecycle.waking import REFUSED_TOO_LONG, UNREAD_TOO_LONG
from bot.domain.merging.reservation import is_commanded, reserve
from bot.domain.merging.unmerged import tells_of_the_request, unmerged_for_long
from bot.domain.model.effects import Effect, MarkReady
from bot.domain.model.merge import Commanded
from bot.domain.model.record import Record
from bot.domain.model.refusals import Refusal
from bot.domain.model.text import moment

#: Edges that follow each other at most this often in one turn (plan approved, candidate, gate complete, reserve).
MOST_STEPS = 6


def follow(turn: Turn) -> None:
    """Fire what is complete, in order, until nothing follows."""
    for _ in range(MOST_STEPS):
        version = turn.record
        _one(turn)
        if turn.record == version:
            return


def _one(turn: Turn) -> None:
    record = turn.record
    if record.withdrawn or record.frozen:
        return
    match record.phase:
        case "plan_ready" if plan_approved(record, turn.policy):
            if turn.fire("plan_approved"):
                offer(turn)
        case "testing":
            check_overdue(turn)
            if _testing_complete(turn):
                look(turn)  # the gate is judged on the pull request as it is now, and opens at GitHub's clock
            if _testing_complete(turn):
                _enter_submit(turn)
        case "submit" if not record.in_flight:
            _consider_merge(turn)
            _use_the_pause(turn)
        case _:
            pass


def _testing_complete(turn: Turn) -> bool:
    return turn.record.phase == "testing" and complete(turn.record, turn.policy, "testing")


def _enter_submit(turn: Turn) -> None:
    if not turn.fire("gate_complete"):
        return
    pull = turn.record.pull
    if pull is not None and pull.draft:
        once = f"ready:{turn.record.key}:{turn.record.review_round}"
        write = MarkReady(pull=pull.number, node_id=pull.node_id)
        turn.effect(Effect(kind="ready", target=f"pull:{pull.number}", once=once, write=write))


def _consider_merge(turn: Turn) -> None:
    """Reserve when everything holds, release when it no longer does, or say on the record why not."""
    if _sent_back_by_the_rules(turn):
        return
    record = turn.record
    if record.merge.state == "reserved":
        if not authority_complete(record, turn.policy) or record.held or waits_for_a_word(record):
            give_back(turn, "the authority is no longer complete")
        return
    check_overdue(turn)
    _refused_too_long(turn)
    if turn.began.merge.state == "reserved":
        return  # what released the reservation is not undone in the same turn
    if turn.record.phase != "submit" or not authority_complete(record, turn.policy) or not may_try(turn):
        return
    if (no := prerequisites.unheard(turn)) is not None:
        wait(turn, no.code, no.message)
        return
    ask_again(turn)
    if waits_for_a_word(turn.record) or not authority_complete(turn.record, turn.policy):
        return
    _reserve_if_nothing_stands(turn)


def _reserve_if_nothing_stands(turn: Turn) -> None:
    try:
        with turn.whole():
            look_before_merge(turn)
            standing = _standing(turn)
    except Unread:  # which fact and why stands in the log; people are told what it means
        wait(turn, "could_not_verify", "GitHub did not show all that is needed")
        return
    if standing is None:
        return
    if standing:
        wait(turn, standing[0].code, standing[0].message)
    elif turn.policy.merge.trigger == "command" and not is_commanded(turn.record):
        _wait_for_the_command(turn)
    elif not turn.facts.base_is_free:
        wait(turn, "base_taken", f"another merge into {turn.record.base} is under way")
    else:
        reserve_now(turn)


def _use_the_pause(turn: Turn) -> None:
    """A pause that is over leads to one look. What that found in the way ends by an event, or is looked at on its own clock."""
    merge = turn.record.merge
    if merge.state == "refused" and merge.look_at is not None and merge.look_at <= turn.now:
        turn.set_merge(look_at=None)


def _sent_back_by_the_rules(turn: Turn) -> bool:
    """In submit nobody can fill a seat of the plan or of testing any more. So where they lack one, as when the rules ask for
    more by now, that gate opens again."""
    if not plan_approved(turn.record, turn.policy):
        return turn.fire("plan_approval_revoked", "the approval of the plan is not complete any more")
    needs = gate_view(turn.record, turn.policy, "testing").needs
    if all(need.met for need in needs if need.what in {"review", "operator"}):
        return False
    if not turn.fire("testing_decision_revoked", "testing is not complete any more"):
        return False
    offer(turn)
    return True


def _standing(turn: Turn) -> list[Refusal] | None:
    """What is in the way now; None where the look left nothing to merge."""
    over = turn.record.phase != "submit" or turn.record.merge.state == "merged"
    return None if over else prerequisites.blockers(turn)


def reserve_now(turn: Turn, commanded: Commanded | None = None) -> None:
    """A version of its own, whose number names the reservation. `commanded`: by whose word, where somebody asked for it now."""
    turn.book(turn.signal.kind)
    record = turn.record
    turn.put_merge(reserve(record, turn.policy, _name(record), turn.now))
    if commanded is not None:
        turn.set_merge(commanded=commanded)
    turn.say("the right to merge is reserved")
    turn.book("reserved")


def _name(record: Record) -> str:
    """Attempts are stored under it, so it names one reservation in all repositories."""
    return f"r-{record.repository_id}-{record.issue}-{record.version + 1}"


def _refused_too_long(turn: Turn) -> None:
    since = turn.record.merge.refused_since
    if turn.record.phase == "submit" and since is not None and turn.now - since >= REFUSED_TOO_LONG:
        enter_blocked(
            turn,
            "merge_refused",
            "merge_refused",
            unmerged_for_long(turn.record.merge),
            proofs=of_the_merge(turn.record),
        )


def _wait_for_the_command(turn: Turn) -> None:
    """What stood in the way of it does no more. What GitHub said of the last request stays said."""
    merge = turn.record.merge
    if merge.state != "refused" or not tells_of_the_request(merge):
        turn.set_merge(reason=None, reason_code=None)


def wait(turn: Turn, code: str, reason: str) -> None:
    """Say on the record why nothing is reserved."""
    if code == "could_not_verify":
        turn.look_again()
        since = turn.record.unread_since or turn.now
        if turn.now - since >= UNREAD_TOO_LONG:
            code, reason = "unread_for_long", f"{reason}; this is so since {moment(since)}"
    if (turn.record.merge.reason, turn.record.merge.reason_code) != (reason, code):
        turn.set_merge(reason=reason, reason_code=code)
