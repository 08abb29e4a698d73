"""Gates: which decisions count, and what is still needed. Fails closed: what does not fit exactly does not count.

A plan decision is bound to (revision, digest, plan.round); a testing or submit decision to (pull request, base, head,
epoch, revision, digest, that gate's round). The first binding that differs is the reason it does not count.
"""

from collections.abc import Iterable

from bot.domain.gates.separation import excluded
from bot.domain.gates.unverified import waits_for_a_word
from bot.domain.model.explain import GateView, Need
from bot.domain.model.policy import GateRule, Policy
from bot.domain.model.record import Decision, GateName, Record

GATES: tuple[GateName, ...] = ("plan", "testing", "submit")
#: The phase that a gate leads out of.
PHASE_OF_GATE = {"plan": "plan_ready", "testing": "testing", "submit": "submit"}


def void_because(record: Record, decision: Decision) -> str | None:
    """Why this decision does not count now, in words that finish "does not count, …"; None when it counts."""
    if decision.void is not None:
        return decision.void
    plan = record.plan
    if plan is None or decision.revision != plan.revision or decision.digest != plan.digest:
        return "the plan moved"
    if decision.gate != "plan":
        if decision.pull_request != record.pull_request:
            return "the pull request was replaced"
        if decision.base != record.base:
            return "the base moved"
        if decision.head != record.head:
            return "the head moved"
        if decision.epoch != record.head_epoch:
            return "the head was pushed again"
    if decision.round != record.gates_opened.of(decision.gate).round:
        return "a new round began"
    return None


def counting(record: Record, gate: GateName) -> tuple[Decision, ...]:
    """Decisions of a gate whose bindings equal the record's present ones, oldest first."""
    return tuple(d for d in record.decisions if d.gate == gate and void_because(record, d) is None)


def seats(record: Record, policy: Policy, gate: GateName, kind: str) -> tuple[Decision, ...]:
    """Approvals that fill seats: one per person, none by an excluded one, and nobody in two seats of the gate."""
    barred = excluded(record, policy, gate, kind)
    taken: set[int] = set()
    if kind == "operator" and policy.separation.distinct_people:
        taken = {d.by.id for d in seats(record, policy, gate, "review")}
    if kind == "operator" and gate == "submit" and policy.separation.distinct_gates:
        taken |= {d.by.id for d in counting(record, "testing") if d.kind == "operator"}
    filled: dict[int, Decision] = {}
    for decision in counting(record, gate):
        if _seat_kind(decision) != kind or decision.by.id in barred or decision.by.id in taken:
            continue
        if decision.verdict == "approve":
            filled.setdefault(decision.by.id, decision)
        else:
            filled.pop(decision.by.id, None)
    return tuple(filled.values())


def _seat_kind(decision: Decision) -> str:
    return "operator" if decision.kind == "operator" else "review"


def gate_view(record: Record, policy: Policy, gate: GateName) -> GateView:
    rule = policy.gates.of(gate)
    needs = [_seat_need(record, policy, gate, "review", rule.judges)]
    if gate != "plan":
        if rule.operators:
            needs.append(_seat_need(record, policy, gate, "operator", rule.operators))
        if rule.verification != "contract":
            needs.append(_checks_need(record))
        if rule.verification != "checks":
            needs.append(_verification_need(record))
    return GateView(name=gate, open=record.phase == PHASE_OF_GATE[gate], needs=tuple(n for n in needs if n.need != 0))


def gate_views(record: Record, policy: Policy) -> tuple[GateView, ...]:
    return tuple(gate_view(record, policy, gate) for gate in GATES)


def complete(record: Record, policy: Policy, gate: GateName) -> bool:
    """Whether a gate has all that it needs, by the record alone."""
    return gate_view(record, policy, gate).complete


def plan_approved(record: Record, policy: Policy) -> bool:
    """A current approval of exactly the stored revision, digest and plan round, by enough reviewers (I10)."""
    return record.plan is not None and complete(record, policy, "plan")


def authority_complete(record: Record, policy: Policy) -> bool:
    """Everything that the record itself must hold before a merge: plan, consumed testing decisions, submit, checks (I1)."""
    return (
        plan_approved(record, policy)
        and complete(record, policy, "testing")
        and complete(record, policy, "submit")
        and record.verification.head == record.head
    )


def authority_of(record: Record, policy: Policy) -> tuple[int, ...]:
    """The decisions that fill the seats of all gates now."""
    return tuple(d.id for gate in GATES for kind in ("review", "operator") for d in seats(record, policy, gate, kind))


def authority_stands(record: Record) -> bool:
    """Whether what GitHub was asked by still counts, whatever the rules ask for since."""
    given = record.merge.authority
    count = {d.id for gate in GATES for d in counting(record, gate)}
    return bool(given) and count >= set(given) and record.verification.head == record.head


def submit_is_complete(record: Record, policy: Policy) -> bool:
    """Whether it stands in line for its base: its authority is complete; no hold, draft or unverified word keeps it back."""
    kept_back = record.withdrawn or record.frozen is not None or record.held is not None or waits_for_a_word(record)
    ready = record.pull is not None and record.pull.open and not record.pull.draft
    return record.phase == "submit" and not kept_back and ready and authority_complete(record, policy)


def _seat_need(record: Record, policy: Policy, gate: GateName, kind: str, need: int) -> Need:
    have = filled_seats(record, policy, gate, kind)
    waiting_on = "operators" if kind == "operator" else "reviewers"
    return Need(
        what="operator" if kind == "operator" else "review",
        have=have,
        need=need,
        waiting_on=waiting_on if have < need else None,
    )


def filled_seats(record: Record, policy: Policy, gate: GateName, kind: str) -> int:
    """How many seats of this kind are filled."""
    return filled_by(seats(record, policy, gate, kind), policy.gates.of(gate), kind)


def filled_by(given: tuple[Decision, ...], rule: GateRule, kind: str) -> int:
    """How many seats these decisions fill; where people and agents are counted apart, neither fills the other's."""
    if kind == "operator" or isinstance(rule.reviews, int):
        return min(len(given), rule.operators if kind == "operator" else rule.judges)
    agents = sum(decision.by_agent for decision in given)
    return min(len(given) - agents, rule.reviews.people) + min(agents, rule.reviews.agents)


def _checks_need(record: Record) -> Need:
    verification = record.verification
    if verification.head is None or verification.head != record.head:
        return Need(what="checks", state="none", waiting_on="checks")
    missing = tuple(_names(record))
    met = verification.state == "passed"
    return Need(what="checks", state=verification.state, missing=missing, waiting_on=None if met else "checks")


def _verification_need(record: Record) -> Need:
    """Delegated verification of exactly the present head: some result, and none that failed."""
    found = [each for each in record.delegated if each.head == record.head]
    failed = tuple(each.name for each in found if not each.passed)
    state = "failed" if failed else "passed" if found else "none"
    return Need(
        what="verification", state=state, missing=failed, waiting_on=None if state == "passed" else "verification"
    )


def _names(record: Record) -> Iterable[str]:
    return dict.fromkeys(item.name for item in record.verification.checks if item.state != "success")
