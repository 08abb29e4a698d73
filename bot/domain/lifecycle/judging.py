"""Verdicts on a head: approve, reject, open the human gate, native reviews, dismissals (LIFECYCLE.md 2.2, 2.5)."""

from bot.domain.lifecycle import planning, refusing, revoked_early, unverified
from bot.domain.lifecycle.arriving import forget_ahead, keep_ahead, reject_ahead
from bot.domain.lifecycle.barring import learn_who_pushed, will_ask_who_pushed
from bot.domain.lifecycle.binding import already_void, other_head, shown_before, shows, unbound_head
from bot.domain.lifecycle.candidates import become
from bot.domain.lifecycle.last_word import barred
from bot.domain.lifecycle.outdated import stopped_at, written_before
from bot.domain.lifecycle.people import lacks_role
from bot.domain.lifecycle.pulls import observe
from bot.domain.lifecycle.recording import decided
from bot.domain.lifecycle.results import Ignore, Refuse, Remember, Unread
from bot.domain.lifecycle.seen_first import observe_if_possible, shows_its_head
from bot.domain.lifecycle.spoken_on import on_another_commit, said_by_its_review
from bot.domain.lifecycle.stopping import send_back, take_back
from bot.domain.lifecycle.stops import take_back_the_command
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.command_signals import Approve, DeclareCandidate, OpenGate, Reject
from bot.domain.model.record import GateName, Record
from bot.domain.model.sightings import ReviewDismissed, ReviewSubmitted

#: What is told of a head there would stand in the place of what is told of the plan.
PLANNING = frozenset({"planning", "plan_ready", "plan_rejected"})


def approve(turn: Turn, signal: Approve) -> Refuse | None:
    if signal.revision is not None or signal.source.thread == "issue":
        return planning.approve_plan(turn, signal)
    if refusal := _closed_gate(turn):
        return refusal
    will_ask_who_pushed(turn)
    observe(turn)
    if refusal := _closed_gate(turn):
        return refusal
    return _seat(turn, signal, "review")


def open_gate(turn: Turn, signal: OpenGate) -> Refuse | None:
    if refusal := _closed_gate(turn):
        return refusal
    if turn.record.merge.state == "reserved":
        return refusing.already_recorded("The gate")
    will_ask_who_pushed(turn)
    observe(turn)
    if refusal := _closed_gate(turn):
        return refusal
    return _seat(turn, signal, "operator")


def _seat(turn: Turn, signal: Approve | OpenGate, kind: str) -> Refuse | None:
    """Store an approval or the opening of the human gate for the gate that is open now."""
    gate = _present_gate(turn)
    operator = kind == "operator"
    verb = "gate" if operator else "approve"
    if refusal := unbound_head(turn, gate, (signal.gate, signal.sha), signal.source, verb):
        return refusal
    if refusal := revoked_early.taken_back(turn, "head", signal.source.created_at):
        return refusal
    settled_at = turn.record.merge.needs_gate_after
    if operator and settled_at is not None and signal.source.created_at <= settled_at:
        return refusing.written_too_early(turn.record, gate)
    if refusal := lacks_role(turn, "operator" if operator else "reviewer", seat=(gate, kind)):
        return refusal
    learn_who_pushed(turn)
    if _present_gate(turn) != gate:  # whoever turned out to have pushed had sat in the one before
        return unbound_head(turn, _present_gate(turn), (signal.gate, signal.sha), signal.source, verb)
    if refusal := barred(turn, gate, kind, signal.source.created_at):
        return refusal
    decision = decided(turn, signal, gate, "operator" if operator else "review", "approve")
    turn.set(decisions=(*turn.record.decisions, decision))
    turn.say(f"{'gate opened' if operator else 'approved'} at {gate}")
    return None


def reject(turn: Turn, signal: Reject) -> Refuse | None:
    record = turn.record
    if refusal := said_by_its_review(record, signal.source) or _nothing_to_stop(turn):
        return refusal
    if record.phase == "plan_ready":
        about_plan = signal.revision is not None or signal.source.thread == "issue"
        return planning.reject_plan(turn, signal) if about_plan else refusing.nothing_to_judge(record, stops=True)
    if signal.revision is not None and record.plan is not None and signal.revision != record.plan.revision:
        return refusing.revision_moved(record, signal.revision)
    observe_if_possible(turn)
    if refusal := _nothing_to_stop(turn) or already_void(turn, signal.source) or lacks_role(turn, "reviewer"):
        return refusal
    _send_back(turn, signal, signal.reason, signal.source.url)
    return None


def _send_back(turn: Turn, signal: Reject | ReviewSubmitted, reason: str, url: str) -> None:
    """A reviewer's no."""
    turn.set(decisions=(*turn.record.decisions, decided(turn, signal, _present_gate(turn), "review", "reject")))
    send_back(turn, "reject", reason, url)


def declare_candidate(turn: Turn, signal: DeclareCandidate) -> Refuse | None:
    """A builder declares the head ready: also a draft, also a head rejected before."""
    record = turn.record
    if record.withdrawn:
        return refusing.withdrawn(record)
    if record.frozen:
        return refusing.frozen(record, turn.policy)
    match record.phase:
        case "blocked":
            return refusing.blocked(record, turn.policy)
        case "testing" | "submit":
            return refusing.merge_in_flight(record) if record.in_flight else _candidate_already(record, signal)
        case "planning" | "plan_ready" | "plan_rejected" | "done":
            return refusing.nothing_to_judge(record)
        case _:
            pass
    if record.pull_request is None:
        return refusing.not_linked()
    if refusal := lacks_role(turn, "builder"):
        return refusal
    observe(turn)
    if turn.record.phase != "building":
        return None
    if refusal := _of_another_head(turn.record, signal):
        return refusal
    if turn.record.pull is not None and not turn.record.pull.open:
        return refusing.wrong_phase(turn.record, "and its pull request is closed; a builder reopens it first.")
    return _declare(turn)


def _candidate_already(record: Record, signal: DeclareCandidate) -> Refuse:
    """Only the head that is judged is one already."""
    another = other_head(record, signal.sha, "candidate") if signal.sha is not None else None
    return another or refusing.already_recorded("The candidate")


def _of_another_head(record: Record, signal: DeclareCandidate) -> Refuse | None:
    if signal.sha is not None and (refusal := other_head(record, signal.sha, "candidate")):
        return refusal
    if refusal := on_another_commit(record, signal.source, signal.sha, "candidate"):
        return refusal
    sent_back = record.rejected_at if record.is_rejected else None
    return written_before(signal, "its head was sent back", sent_back)


def _declare(turn: Turn) -> Refuse | None:
    head = turn.record.head
    turn.set(rejected_heads=tuple(h for h in turn.record.rejected_heads if h != head))
    if become(turn):
        return None
    red = tuple(item.name for item in turn.record.verification.checks if item.state == "failed")
    return refusing.refuse(
        "checks_missing",
        f"{refusing.missing_checks(red)} failed on it, so it cannot be judged. Nothing changed.\n"
        "A builder pushes a new head, or has the check run again.",
    )


def review_submitted(turn: Turn, signal: ReviewSubmitted) -> Refuse | Ignore | Remember | None:
    """A native review fills a reviewer's seat, bound to the commit it was submitted on. Never answered, only counted or not."""
    record = turn.record
    state = signal.state.lower()
    if (
        not turn.policy.reviews.native
        or signal.pull != record.pull_request
        or state not in {"approved", "changes_requested"}
    ):
        return Ignore("a review that changes no verdict")
    if record.phase == "done" or (state == "approved" and not _is_judged(record)):
        return Ignore("where no head is judged an approval is only noted")
    refusal = lacks_role(turn, "reviewer")
    if refusal is not None and refusal.refusal.code == "could_not_verify":
        if state == "approved":
            raise Unread(refusal.refusal.message)
        unverified.keep(turn, signal)
        return None
    unverified.forget(turn, signal.review_id)
    if refusal is not None:
        return Ignore("its writer is not a reviewer")
    if state == "changes_requested":
        return _changes_requested(turn, signal)
    will_ask_who_pushed(turn)
    observe(turn)
    record = turn.record
    if not record.is_judged or signal.commit != record.head:
        return Ignore("it was submitted on another head")
    gate = _present_gate(turn)
    row = shown_before(turn, "pull", signal.submitted_at)
    opened_at = record.gates_opened.of(gate).opened_at
    if row is None or not shows(row, record, gate) or opened_at is None or signal.submitted_at <= opened_at:
        return Ignore("it was written before this gate was shown")
    if revoked_early.dismissed(turn, signal):
        return Ignore("it was taken back before it was heard")
    learn_who_pushed(turn)
    if _present_gate(turn) != gate or barred(turn, gate, "review", signal.submitted_at) is not None:
        return Ignore("its writer fills no seat of this gate, or has one already")
    turn.set(decisions=(*record.decisions, decided(turn, signal, gate, "review", "approve")))
    turn.say(f"approved at {gate} by a review")
    return None


def says_nothing(turn: Turn, signal: ReviewSubmitted) -> Ignore | None:
    """Why requested changes need not be kept while GitHub may be merging. Whoever cannot be verified may be a reviewer."""
    if not turn.policy.reviews.native or signal.pull != turn.record.pull_request:
        return Ignore("a review that changes no verdict")
    refusal = lacks_role(turn, "reviewer")
    stranger = refusal is not None and refusal.refusal.code != "could_not_verify"
    return Ignore("its writer is not a reviewer") if stranger else None


def _is_judged(record: Record) -> bool:
    return record.is_judged and not record.withdrawn and record.frozen is None


def _is_stopped_by_a_no(record: Record) -> bool:
    return record.is_judged and not record.withdrawn


def _changes_requested(turn: Turn, signal: ReviewSubmitted) -> Ignore | Remember | None:
    """A no counts wherever it is said: of the head, and of a commit that may become it. Frozen or not, as stops of people do."""
    read = observe_if_possible(turn) if shows_its_head(turn.record) else None
    record = turn.record
    if record.in_flight or record.phase == "done":
        return Remember() if record.in_flight else Ignore("done already")
    if signal.commit not in {None, record.head}:
        return reject_ahead(turn, signal, signal.commit or "", may_be_back=read is False)
    if signal.commit is None and not read:
        keep_ahead(turn, signal, None)
    if _is_stopped_by_a_no(record):
        _send_back(turn, signal, signal.reason or "changes requested in a review", signal.url)
    else:
        _stop_for_later(turn, signal)
    return None


def _stop_for_later(turn: Turn, signal: ReviewSubmitted) -> None:
    """CHANGES_REQUESTED where no head is judged: nothing moves now, and nothing goes on from what was approved before."""
    record = turn.record
    gone = [d for d in record.decisions if d.gate != "plan" and d.void is None]
    head = record.head or ""
    why = f"{signal.actor.login} requested changes"
    turn.set(
        decisions=tuple(d.model_copy(update={"void": why}) if d in gone else d for d in record.decisions),
        rejected_heads=record.rejecting(head),
        rejected_at=stopped_at(turn),
    )
    if record.phase not in PLANNING:
        feedback = signal.reason or "changes requested in a review"
        turn.set(feedback=feedback, feedback_by=turn.actor.as_person(), feedback_url=signal.url or None)
    turn.say(why)


def review_dismissed(turn: Turn, signal: ReviewDismissed) -> Ignore | Remember | None:
    """A dismissal takes the decision of that review away; a consumed one takes submit with it."""
    gone = [d for d in turn.record.decisions if d.review_id == signal.review_id and d.void is None]
    if turn.record.phase == "done":
        return Ignore("done already")
    forget_ahead(turn, signal.review_id)
    unverified.forget(turn, signal.review_id)
    if not gone:
        revoked_early.book_dismissal(turn, signal)
        return Ignore("no decision came from this review")
    if turn.record.in_flight:
        turn.refusal = refusing.kept_for_later(turn.record).refusal
        return Remember()
    take_back_the_command(turn)
    take_back(turn, gone, "the review was dismissed")
    return None


def _present_gate(turn: Turn) -> GateName:
    return "submit" if turn.record.phase == "submit" else "testing"


def _closed_gate(turn: Turn) -> Refuse | None:
    record = turn.record
    return refusing.frozen(record, turn.policy) if record.frozen and not record.withdrawn else _nothing_judged(turn)


def _nothing_judged(turn: Turn) -> Refuse | None:
    record = turn.record
    if record.withdrawn:
        return refusing.withdrawn(record)
    if record.phase == "blocked":
        return refusing.blocked(record, turn.policy)
    if not record.is_judged:
        return refusing.nothing_to_judge(record)
    return refusing.merge_in_flight(record) if record.in_flight else None


def _nothing_to_stop(turn: Turn) -> Refuse | None:
    """Stops of people count while a record is frozen."""
    record = turn.record
    return None if record.phase == "plan_ready" and not record.withdrawn else _nothing_judged(turn)
