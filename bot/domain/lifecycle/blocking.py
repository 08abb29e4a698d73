"""Blocked: entered by a question, an exhausted budget, overdue checks …; left only by a person or a merge (LIFECYCLE.md 2.6).

Entering copies, restores and voids nothing. An answer alone never leaves blocked; the operator names the phase.
"""

from bot.domain.gates.gate import plan_approved
from bot.domain.lifecycle import refusing
from bot.domain.lifecycle.budgets import fresh_budgets
from bot.domain.lifecycle.candidates import offer
from bot.domain.lifecycle.checking import look_at_checks
from bot.domain.lifecycle.freezing import accept_loss
from bot.domain.lifecycle.outdated import written_before
from bot.domain.lifecycle.people import lacks_role
from bot.domain.lifecycle.pulls import look_at_pull
from bot.domain.lifecycle.results import Refuse
from bot.domain.lifecycle.stops import enter_blocked, take_back_the_command
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.command_signals import AnswerQuestion, BlockWork, Resume, ResumePhase, Retry
from bot.domain.model.facts import Unknown
from bot.domain.model.ids import Person
from bot.domain.model.linked import TriedCandidate
from bot.domain.model.questions import IssueOf
from bot.domain.model.record import Phase, Proof, Question, Record
from bot.domain.model.resuming import furthest, given_up, possible
from bot.domain.model.text import code, listed, sha7


def block_work(turn: Turn, signal: BlockWork) -> Refuse | None:
    record = turn.record
    if record.withdrawn:
        return refusing.withdrawn(record)
    if record.phase == "done":
        return refusing.nothing_to_judge(record)
    if record.in_flight:
        return refusing.merge_in_flight(record)
    if refusal := lacks_role(turn, "builder", "reviewer", "operator"):
        return refusal
    question = _next_question(record, signal.question, turn.actor.as_person())
    turn.set(questions=(*record.questions, question))
    if record.phase == "blocked":
        if record.blocked is not None:
            turn.set(blocked=record.blocked.model_copy(update={"state": "awaiting"}))
        turn.say(f"question {question.id} asked")
        return None
    take_back_the_command(turn)
    asked = Proof(what="where it was asked", url=signal.source.url or None)
    reason = f"question {question.id} needs an answer"
    enter_blocked(turn, "block", "question", reason, by=turn.actor.as_person(), proofs=(asked,))
    return None


def _next_question(record: Record, text: str, by: Person) -> Question:
    return Question(id=f"q{len(record.questions) + 1}", text=text, asked_by=by)


def answer_question(turn: Turn, signal: AnswerQuestion) -> Refuse | None:
    """Answers an open question in every phase; leaving blocked is another word."""
    record = turn.record
    open_ones = [q for q in record.questions if q.answer is None]
    if not open_ones:
        return refusing.refuse("no_question", "No question is open here. Nothing changed.")
    if refusal := lacks_role(turn, "operator"):
        return refusal
    if signal.question is None and len(open_ones) > 1:
        names = ", ".join(f"`{q.id}`" for q in open_ones)
        return refusing.refuse(
            "bad_argument",
            f"Several questions are open ({names}), so name one: `/answer {open_ones[0].id}` and the text.",
        )
    found = next((q for q in open_ones if signal.question in (None, q.id)), None)
    if found is None:
        names, first = ", ".join(f"`{q.id}`" for q in open_ones), open_ones[0].id
        return refusing.refuse(
            "no_question",
            f"Question {code(signal.question or '')} is not open; open is {names}. Nothing changed.\n"
            f"An operator answers it: `/answer {first}` and the text.",
        )
    answered = found.model_copy(update={"answer": signal.text, "answered_by": turn.actor.as_person()})
    turn.set(questions=tuple(answered if q.id == found.id else q for q in record.questions))
    if record.blocked is not None and len(open_ones) == 1:
        turn.set(blocked=record.blocked.model_copy(update={"state": "answered"}))
    turn.say(f"question {found.id} answered")
    return None


def resume(turn: Turn, signal: Resume) -> Refuse | None:
    record = turn.record
    if record.withdrawn:
        return refusing.withdrawn(record)
    if record.phase != "blocked" or record.blocked is None:
        return refusing.nothing_to_do(record, turn.policy, "so there is nothing to resume.")
    if refusal := _issue_is_gone(turn) or _not_by_resume(record):
        return refusal
    phases = possible(record.blocked.from_)
    roles = ("operator", "builder") if turn.policy.blocked_recovery == "builder" else ("operator",)
    if refusal := lacks_role(turn, *roles):
        return refusal
    if signal.phase is None:
        ways = ", ".join(f"`/resume {phase}`" for phase in phases)
        return refusing.refuse("bad_argument", f"Name the phase to go on in. Possible now: {ways}. Nothing changed.")
    if signal.phase not in phases:
        return refusing.refuse(
            "wrong_phase",
            f"It was blocked in **{record.blocked.from_}**, so it can go on in {phases[-1]} at most. Nothing changed.",
        )
    if refusal := written_before(signal, "it was blocked", record.blocked.since):
        return refusal
    look_at_pull(turn)
    if turn.record.phase == "blocked":
        _go_on(turn, signal.phase)
    if record.frozen == "database_behind" and lacks_role(turn, "operator") is None:
        accept_loss(turn)
    return None


def _issue_is_gone(turn: Turn) -> Refuse | None:
    """What was called gone is read: GitHub may have been wrong, and then it goes on as after any other stop."""
    record = turn.record
    if record.issue_gone is None and (record.blocked is None or record.blocked.cause != "issue_gone"):
        return None
    issue = turn.ask(IssueOf(record.issue))
    if isinstance(issue, Unknown):
        return refusing.unreadable("whether the issue is there again")
    if issue is None or issue.id != record.issue_id:
        return refusing.refuse(
            "issue_gone",
            "The issue is gone from here, so its record cannot go on. A builder starts anew where the issue is now.",
        )
    turn.set(issue_gone=None)
    return None


def _not_by_resume(record: Record) -> Refuse | None:
    """Some blockers have a way out of their own."""
    cause = record.blocked.cause if record.blocked else "question"
    if cause == "budget":
        return refusing.refuse(
            "budget_exhausted",
            "A budget is used up, so going on as before is not enough. Nothing changed.\n"
            "An operator grants a fresh one with `/retry`.",
        )
    if cause == "external_merge":
        return refusing.refuse(
            "blocked",
            "It was merged outside Signalbox. An operator settles it with `/settle merged` and the merge commit.",
        )
    return None


def _left_open(record: Record) -> str:
    """Questions are not withdrawn by going on: their answers are heard in every phase (LIFECYCLE.md 2.2)."""
    open_ones = listed([q.id for q in record.questions if q.answer is None])
    return f"; {open_ones} left open" if open_ones else ""


def _go_on(turn: Turn, target: ResumePhase) -> None:
    """To `from` with equal bindings the phase returns and nothing else; everything else has its normal entry effects."""
    came_from = turn.record.blocked.from_ if turn.record.blocked else "planning"
    left = _left_open(turn.record)
    costs = f": {given_up(turn.record)}" if given_up(turn.record) else ""
    if target == "planning":
        turn.fire(
            "resume_unchanged" if came_from == "planning" else "resume_planning", f"resumed in planning{costs}{left}"
        )
    elif not _less_far(turn, target):
        turn.fire("resume_unchanged" if target == came_from else f"resume_{target}", f"resumed in {target}{left}")
        _look_again(turn, came_from)


def _less_far(turn: Turn, target: ResumePhase) -> bool:
    """Where what was judged is not there any more, it goes on further back than was asked for, and says why."""
    record = turn.record
    came_from = record.blocked.from_ if record.blocked else "planning"
    if not plan_approved(record, turn.policy):
        return turn.fire("resume_planning", f"resumed in planning, not in {target}: the plan is no longer approved")
    if came_from in {"testing", "submit"} and (_moved(record) or not (record.pull and record.pull.open)):
        turn.fire("resume_building", f"resumed in building, not in {target}: {_what_moved(record)}")
        offer(turn)
        return True
    if came_from in {"testing", "submit"} and record.is_rejected:
        return turn.fire("resume_building", f"resumed in building, not in {target}: changes were requested meanwhile")
    if target == "submit" and _lost_testing(record):
        turn.fire("resume_building", "resumed in building: a testing decision was revoked meanwhile")
        turn.set(tried=())
        offer(turn)
        return True
    return False


def _look_again(turn: Turn, came_from: Phase) -> None:
    """What was booked of the head while nothing moved is judged now: also a green re-run of a head that was red."""
    if turn.record.is_judged or came_from == "building":
        look_at_checks(turn)
    if turn.record.phase == "building" and turn.record.head != turn.record.red_head:
        offer(turn)


def _moved(record: Record) -> bool:
    """Whether what was judged is no longer what is there: the head, epoch or base of the open gate's candidate."""
    if record.head is None or record.pull is None:
        return True
    return record.candidate != last_tried(record)


def last_tried(record: Record) -> TriedCandidate | None:
    """What the gate that was open last judged."""
    return record.tried[-1] if record.tried else None


def _what_moved(record: Record) -> str:
    last = last_tried(record)
    if last is not None and record.head is not None and last.head != record.head:
        return f"the head moved from `{sha7(last.head)}` to `{sha7(record.head)}` while it was blocked"
    return "what was judged moved while it was blocked"


def _lost_testing(record: Record) -> bool:
    """Whether a decision of the testing gate that led here was taken back; those of earlier rounds say nothing."""
    present = record.gates_opened.testing.round
    return any(
        d.gate == "testing" and d.consumed and d.round == present and d.void is not None for d in record.decisions
    )


def retry(turn: Turn, signal: Retry) -> Refuse | None:
    """Fresh budgets for exhausted work; it never grants an approval."""
    record = turn.record
    if record.withdrawn:
        return refusing.withdrawn(record)
    if record.in_flight:
        return refusing.merge_in_flight(record)
    if record.phase != "blocked" and not _task_failed(record):
        return refusing.nothing_to_do(record, turn.policy, "and no budget is used up.")
    if record.phase == "blocked" and (record.blocked is None or record.blocked.cause != "budget"):
        return refusing.blocked(record, turn.policy)
    since = record.blocked.since if record.blocked else None
    if refusal := lacks_role(turn, "operator") or written_before(signal, "it was blocked", since):
        return refusal
    turn.set(budgets=fresh_budgets(turn.policy))
    turn.say(f"budgets are fresh, by {signal.actor.login}")
    if record.phase == "blocked":
        look_at_pull(turn)
        _return(turn)
    return None


def _return(turn: Turn) -> None:
    """To `from`, unless what was judged there is gone meanwhile."""
    came_from = turn.record.blocked.from_ if turn.record.blocked else "planning"
    target = furthest(came_from)
    if turn.record.phase == "blocked" and not _less_far(turn, target):
        turn.fire("retry", "budgets are fresh")
        _look_again(turn, came_from)


def _task_failed(record: Record) -> bool:
    return record.work.task is not None and record.work.task.get("status") == "failed"
