"""A person's stops: hold, rework, replan, cancel, revoke, unlink. Stops are never stale (LIFECYCLE.md 2.5): they act on what
is true now, unless the head they were written for is gone already. From `requested` on nothing may stop a merge.
"""

from datetime import datetime

from bot.domain.gates.gate import plan_approved
from bot.domain.lifecycle import refusing, revoked_early
from bot.domain.lifecycle.binding import already_void
from bot.domain.lifecycle.candidates import offer
from bot.domain.lifecycle.former import former_pulls
from bot.domain.lifecycle.freezing import accept_loss
from bot.domain.lifecycle.issue_order import withdrawn_again
from bot.domain.lifecycle.issues import withdraw
from bot.domain.lifecycle.last_word import revoked_before, said_at
from bot.domain.lifecycle.outdated import stopped_at, written_before
from bot.domain.lifecycle.people import lacks_role
from bot.domain.lifecycle.results import Ignore, Refuse, Remember
from bot.domain.lifecycle.seen_first import observe_if_possible
from bot.domain.lifecycle.spoken_on import said_by_its_review
from bot.domain.lifecycle.stops import enter_blocked, give_back, take_back_the_command
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.command_signals import Cancel, Hold, Replan, Revoke, Rework, Unhold, Unlink
from bot.domain.model.own_signals import PullTaken
from bot.domain.model.record import Decision, Held, Proof, Record, Verification
from bot.domain.model.text import code, moment


def hold(turn: Turn, signal: Hold) -> Refuse | None:
    """No merge while held; survives every move. It is about the work, whatever its head is."""
    record = turn.record
    if record.phase == "done":
        return refusing.nothing_to_judge(record)
    if record.in_flight:
        return refusing.merge_in_flight(record)
    if refusal := lacks_role(turn, "reviewer", "operator"):
        return refusal
    if record.held is not None:
        return _held_already(turn, record.held)
    give_back(turn, "held")
    take_back_the_command(turn)
    turn.set(held=Held(by=turn.actor.as_person(), since=stopped_at(turn), why=signal.why))
    turn.say("held")
    return None


def _held_already(turn: Turn, held: Held) -> Refuse:
    """There is one hold, and it has one owner: somebody else's does not join it, and they are told whose it is."""
    if held.by.id == turn.actor.id:
        return refusing.already_recorded("Your hold")
    who = code(held.by.login)
    why = f" ({code(held.why)})" if held.why else ""
    return refusing.refuse(
        "held",
        f"It is held already, by {who} since {moment(held.since)}{why}, and there is one hold at a time.\n"
        f"{who} or an operator lifts it. Nothing changed.",
    )


def unhold(turn: Turn, signal: Unhold) -> Refuse | None:
    """Lifted by its owner or an operator."""
    held = turn.record.held
    if held is None:
        return refusing.already_recorded("That nothing is held")
    if signal.actor.id != held.by.id and (refusal := lacks_role(turn, "operator")):
        return refusal
    if refusal := written_before(signal, "this hold", held.since):
        return refusal
    turn.set(held=None)
    turn.say(f"no longer held; it was by {held.by.login} since {moment(held.since)}")
    return None


def rework(turn: Turn, signal: Rework) -> Refuse | None:
    record = turn.record
    if refusal := said_by_its_review(record, signal.source) or _nothing_to_rework(turn):
        return refusal
    observe_if_possible(turn)
    if refusal := _nothing_to_rework(turn) or already_void(turn, signal.source):
        return refusal
    if refusal := lacks_role(turn, "reviewer", "operator"):
        return refusal
    send_back(turn, "rework", signal.why, signal.source.url)
    return None


def _nothing_to_rework(turn: Turn) -> Refuse | None:
    record = turn.record
    if refusal := _stopped_already(turn):
        return refusal
    if not record.is_judged:
        return refusing.nothing_to_judge(record, stops=True)
    return refusing.merge_in_flight(record) if record.in_flight else None


def send_back(turn: Turn, event: str, why: str, url: str) -> None:
    """The head goes back to building and needs a push or `/candidate`. It is a review cycle; an agent's task may use them up."""
    record = turn.record
    used, allowed = record.budgets.review_cycles[0], turn.policy.budgets.review_cycles
    head = record.head or ""
    turn.set(
        feedback=why,
        feedback_by=turn.actor.as_person(),
        feedback_url=url or None,
        rejected_heads=record.rejecting(head),
        rejected_at=stopped_at(turn),
        budgets=record.budgets.model_copy(update={"review_cycles": (min(used + 1, allowed), allowed)}),
    )
    turn.fire(event, "sent back")
    if record.work.task is not None and used + 1 >= allowed:
        reason = f"the review cycles of this task are used up ({allowed} of {allowed})"
        enter_blocked(
            turn, "budget_exhausted", "budget", reason, proofs=(Proof(what="the last rejection", url=url or None),)
        )


def replan(turn: Turn, signal: Replan) -> Refuse | Ignore | None:
    record = turn.record
    if refusal := _stopped_already(turn):
        return refusal
    if record.phase == "done":
        return refusing.nothing_to_judge(record)
    if record.in_flight:
        return refusing.merge_in_flight(record)
    behind = record.frozen == "database_behind"
    if refusal := lacks_role(turn, "operator") if behind else lacks_role(turn, "builder", "operator"):
        return refusal
    if record.plan is not None:  # before the first one there is nothing to plan anew
        written = signal.source.created_at
        turn.set(replanned_at=max(record.replanned_at or written, written))
    if record.phase != "planning":
        turn.fire("replan", "to be planned anew")
    elif not behind:
        return Ignore("it is in planning already")
    turn.set(feedback=signal.why, feedback_by=turn.actor.as_person(), feedback_url=signal.source.url or None)
    accept_loss(turn)
    return None


def cancel(turn: Turn, signal: Cancel) -> Refuse | Ignore | None:
    record = turn.record
    if record.phase == "done":
        return Ignore("the record is done, which is final")
    if record.in_flight:
        return refusing.merge_in_flight(record)
    if refusal := lacks_role(turn, "builder", "operator"):
        return Ignore("the record is withdrawn already") if record.withdrawn else refusal
    if record.withdrawn:
        return withdrawn_again(turn)
    withdraw(turn, "cancelled")
    turn.set(feedback=signal.why, feedback_by=turn.actor.as_person(), feedback_url=signal.source.url or None)
    return None


def revoke(turn: Turn, signal: Revoke) -> Refuse | Remember | None:
    """The writer's own current decisions: on the issue those about the plan, on the pull request those about the head."""
    record = turn.record
    if record.phase == "done":
        return refusing.nothing_to_judge(record)
    about_plan = signal.source.thread == "issue"
    mine = [
        d
        for d in record.decisions
        if d.by.id == signal.actor.id and (d.gate == "plan") is about_plan and d.void is None
    ]
    approvals = [d for d in mine if d.verdict == "approve"]
    if refusal := revoked_before(signal, approvals):
        return refusal
    current = [d for d in approvals if said_at(d) <= signal.source.created_at]
    if not current or (
        not about_plan and record.phase not in {"testing", "submit", "blocked"} and not record.withdrawn
    ):
        return _nothing_of_theirs(turn, signal, about_plan=about_plan)
    if record.in_flight:
        turn.refusal = refusing.kept_for_later(record).refusal
        return Remember()
    revoked_early.book_word(turn, signal)
    take_back_the_command(turn)
    take_back(turn, current, f"revoked by {signal.actor.login}")
    return None


def _nothing_of_theirs(turn: Turn, signal: Revoke, *, about_plan: bool) -> Refuse | None:
    revoked_early.book_word(turn, signal)
    none = f"{code(signal.actor.login)} has no current decision about {'the plan' if about_plan else 'this head'}."
    if not turn.changed:
        stop = (
            "" if turn.record.in_flight else " To stop the merge, a reviewer or an operator comments `/hold` and why."
        )
        own = f"Everybody revokes their own decisions only.{stop}"
        return refusing.refuse("nothing_to_revoke", f"{none} Nothing changed.\n{own}")
    kept = "That it was said is kept: an approval written before it does not count, should it be heard only now."
    turn.refusal = refusing.refuse("nothing_to_revoke", f"{none}\n{kept}").refusal
    again = any(
        d.by.id == signal.actor.id and (d.gate == "plan") is about_plan and d.void for d in turn.record.decisions
    )
    turn.say(
        "revoked, and nothing of theirs counts any more" if again else "revoked, before anything to revoke was heard"
    )
    return None


def take_back(turn: Turn, gone: list[Decision], why: str) -> None:
    """Void these decisions; what stood on them falls with them. Whatever GitHub does not say of what comes then."""
    ids = {d.id for d in gone}
    turn.set(decisions=tuple(d.model_copy(update={"void": why}) if d.id in ids else d for d in turn.record.decisions))
    give_back(turn, why)
    turn.say(why)
    record = turn.record
    if record.withdrawn or record.phase not in {"building", "testing", "submit"}:
        return
    if not plan_approved(record, turn.policy):
        turn.fire("plan_approval_revoked", why)
    elif record.phase == "submit" and any(d.consumed and d.gate == "testing" for d in gone):
        turn.fire("testing_decision_revoked", why)
        offer(turn)


def unlink(turn: Turn, signal: Unlink) -> Refuse | None:
    record = turn.record
    if record.withdrawn:
        return refusing.withdrawn_with_pull(record)
    if record.phase == "done":
        return refusing.nothing_to_judge(record)
    if record.in_flight:
        return refusing.merge_in_flight(record)
    if record.pull_request is None or record.pull_request != signal.source.number:
        return refusing.not_linked()
    if refusal := lacks_role(turn, "builder"):
        return refusal
    _unlink(turn, signal.source.created_at, "unlinked")
    return None


def pull_taken(turn: Turn, signal: PullTaken) -> Ignore | None:
    """What is withdrawn holds no pull request that is wanted elsewhere."""
    if turn.record.pull_request != signal.pull or not gives_up_its_pull(turn.record):
        return Ignore("it keeps its pull request")
    _unlink(turn, signal.at, f"linked to issue #{signal.issue}")
    return None


def gives_up_its_pull(record: Record) -> bool:
    """Nothing can be judged in it before somebody revives it, and GitHub merges nothing for it."""
    if only_said_to_be_over(record):
        return False
    return record.withdrawn and record.phase != "done" and not record.in_flight and record.frozen is None


def only_said_to_be_over(record: Record) -> bool:
    """Whether a request to merge may still land, since nothing but a person's word says that it does not. It would be ours,
    and in another record it would be a merge by somebody else."""
    return bool(record.merge.live_attempts) or record.merge.needs_gate_after is not None


def _unlink(turn: Turn, at: datetime | None, what: str) -> None:
    record = turn.record
    *before, present = former_pulls(record)
    turn.set(former_pulls=(*before, present.model_copy(update={"unlinked_at": at})))
    turn.set(pull_request=None, pull=None, head=None, base=None, unexplained_head=None, verification=Verification())
    detail = f"pull request #{record.pull_request} {what}"
    if record.is_judged:
        turn.fire("pull_request_unlinked", detail)
    else:
        turn.say(detail)


def _stopped_already(turn: Turn) -> Refuse | None:
    record = turn.record
    if record.withdrawn:
        return refusing.withdrawn(record)
    return refusing.blocked(record, turn.policy) if record.phase == "blocked" else None
