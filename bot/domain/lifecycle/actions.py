"""Actions of the delivery machine: what entering a phase does to the record. Pure but for the turn they change."""

from bot.domain.lifecycle.results import Unread
from bot.domain.lifecycle.turn import Turn
from bot.domain.machine.engine import Action
from bot.domain.merging.reservation import ended
from bot.domain.model.record import Decision, GateName, OpenedGate, Verification

EVERYTHING: frozenset[GateName] = frozenset({"plan", "testing", "submit"})
OF_THE_HEAD: frozenset[GateName] = frozenset({"testing", "submit"})
SENT_BACK = "the head was sent back"
#: Signals by which a person sends a head back.
SENDING_BACK = frozenset({"reject", "rework", "review_submitted"})


def open_plan_gate(turn: Turn) -> None:
    _open(turn, "plan")


def open_testing_gate(turn: Turn) -> None:
    record = turn.record
    turn.set(tried=(*record.tried, record.candidate), feedback=None, feedback_by=None, feedback_url=None)
    _open(turn, "testing")


def open_submit_gate(turn: Turn) -> None:
    """Testing's decisions are consumed: they stay part of the authority and void with it."""
    consumed = tuple(
        d.model_copy(update={"consumed": True}) if d.gate == "testing" and d.void is None else d
        for d in turn.record.decisions
    )
    turn.set(decisions=consumed)
    _open(turn, "submit")


def void_plan_decisions(turn: Turn) -> None:
    _void(turn, frozenset({"plan"}), "the plan was rejected")


def void_everything(turn: Turn) -> None:
    """Back to planning: plan approval and all later evidence are void, and a new revision is required. A head that was
    rejected stays so under every plan: it comes back by a push or a word."""
    _void(turn, EVERYTHING, "it went back to planning")
    turn.set(verification=Verification(), tried=(), red_head=None, feedback=None)


#: Why the evidence of a head is void where what led back to building says more than that it did.
_LED_BACK = {
    "unlink": "the pull request was unlinked",
    "link": "another pull request was linked",
    "pull_closed": "the pull request was closed",
}
_BACK = "it went back to building"


def begin_building(turn: Turn) -> None:
    """A newly approved plan starts the count of candidates anew."""
    _void(turn, OF_THE_HEAD, "a plan was approved since")
    turn.set(tried=(), feedback=None, feedback_by=None, feedback_url=None)


def void_head_evidence(turn: Turn) -> None:
    # Only a person sends a head back; a check, a push or a revocation leads there too.
    _void(turn, OF_THE_HEAD, SENT_BACK if turn.signal.kind in SENDING_BACK else _LED_BACK.get(turn.signal.kind, _BACK))


def start_candidates_anew(turn: Turn) -> None:
    turn.set(tried=())


def release_reservation(turn: Turn) -> None:
    """Only ever of a reservation that has asked nothing; the edge is guarded by nothing_in_flight. What merged stays, and what
    was remembered and could not be read yet."""
    if turn.record.merge.state in {"reserved", "refused"}:
        merge = turn.record.merge
        over = ended(merge, reason=merge.reason, code=merge.reason_code, now=turn.now)
        turn.put_merge(over.model_copy(update={"refused_since": None, "remembered": merge.remembered}))


def _open(turn: Turn, gate: GateName) -> None:
    """A gate opens in a new round, at GitHub's clock of the last read: no decision written before counts for it."""
    opened_at = turn.facts.github_time()
    if opened_at is None:
        raise Unread("GitHub's clock was not read, so a gate cannot be opened")
    number = turn.record.review_round + 1
    gates = turn.record.gates_opened.model_copy(update={gate: OpenedGate(round=number, opened_at=opened_at)})
    turn.set(review_round=number, gates_opened=gates)
    if gate == "plan" and turn.record.plan is not None:
        turn.set(plan=turn.record.plan.model_copy(update={"round": number}))


def _void(turn: Turn, gates: frozenset[GateName], why: str) -> None:
    def voided(decision: Decision) -> Decision:
        gone = decision.gate in gates and decision.void is None
        return decision.model_copy(update={"void": why}) if gone else decision

    turn.set(decisions=tuple(voided(d) for d in turn.record.decisions))


ACTIONS: dict[str, Action[Turn]] = {
    action.__name__: action
    for action in (
        open_plan_gate,
        open_testing_gate,
        open_submit_gate,
        void_plan_decisions,
        void_everything,
        begin_building,
        void_head_evidence,
        start_candidates_anew,
        release_reservation,
    )
}
