"""An operator urges: `/merge` asks for it now, `/priority` moves the work forward in the queue."""

from bot.domain.lifecycle import prerequisites, refusing
from bot.domain.lifecycle.before_merge import look_before_merge
from bot.domain.lifecycle.following import reserve_now
from bot.domain.lifecycle.outdated import written_before
from bot.domain.lifecycle.people import lacks_role
from bot.domain.lifecycle.results import Refuse, Unread
from bot.domain.lifecycle.spoken_on import on_another_commit
from bot.domain.lifecycle.turn import Turn
from bot.domain.merging.reservation import command_for
from bot.domain.model.command_signals import MergeNow, SetPriority
from bot.domain.model.text import code


def merge_now(turn: Turn, signal: MergeNow) -> Refuse | None:
    record = turn.record
    if record.withdrawn:
        return refusing.withdrawn(record)
    if record.phase == "blocked":
        return refusing.blocked(record, turn.policy)
    if record.phase != "submit":
        return refusing.nothing_to_do(
            record, turn.policy, f"so there is nothing to merge{'' if record.phase == 'done' else ' yet'}."
        )
    if record.in_flight:
        return refusing.merge_in_flight(record)
    if record.merge.state == "reserved":
        return refusing.already_recorded("The merge")
    opened = record.gates_opened.submit.opened_at
    if refusal := lacks_role(turn, "operator") or written_before(signal, "it came to **submit**", opened):
        return refusal
    if refusal := on_another_commit(record, signal.source, None, "merge"):
        return refusal
    try:
        with turn.whole():
            standing = prerequisites.blockers(turn)
            if standing:
                look_before_merge(turn)  # what is refused and only booked is dropped; what left submit stays
    except Unread:
        return refusing.unreadable("all that is needed for the merge")
    if turn.record.phase == "done":
        return None
    if standing:
        reasons = "; ".join(blocker.message for blocker in standing)
        return refusing.refuse(standing[0].code, f"Not merged: {reasons}. Nothing was asked of GitHub.")
    if not turn.facts.base_is_free:
        return refusing.refuse(
            "not_complete",
            f"Another merge into {code(record.base or '')} is under way. Nothing was asked. Repeat it when that one is done.",
        )
    reserve_now(turn, command_for(turn.record))
    return None


def set_priority(turn: Turn, signal: SetPriority) -> Refuse | None:
    if turn.record.phase == "done":
        return refusing.nothing_to_judge(turn.record)
    if refusal := lacks_role(turn, "operator"):
        return refusal
    if turn.record.priority == signal.priority:
        return refusing.already_recorded("That priority")
    turn.set(priority=signal.priority)
    turn.say(f"priority {signal.priority}")
    return None
