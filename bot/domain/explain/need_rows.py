"""Rows of the explain tree about people's judgement: the plan, reviews, the human gate."""

from datetime import datetime

from bot.domain.explain.offers import ROLE, name, person, seat_command, seat_takers, spelled
from bot.domain.gates.gate import counting, filled_seats, gate_view, seats, void_because
from bot.domain.merging.nobody import Empty, nobody_can
from bot.domain.model.explain import Reason
from bot.domain.model.policy import Policy
from bot.domain.model.record import Decision, GateName, Record
from bot.domain.model.text import listed, sha7, when

#: Decisions that do not count, shown under their need: the latest ones.
MAX_NOTES = 5


def missing_plan_row(record: Record, policy: Policy) -> Reason:
    """No plan that could be judged: none yet, or the last one was rejected or given up."""
    plan = record.plan
    whole = "the whole plan" if plan else "the plan"
    command = spelled(policy, "plan")
    return Reason(
        what=f"Plan r{plan.revision + 1}" if plan else "Plan",
        state="later",
        text="none",
        waiting_on="builders",
        who_could=(ROLE["builders"],),
        how=f"start a comment with `{command}` and write {whole} below it",
        command=command,
        children=_notes(record, policy, "plan", "review"),
    )


def plan_row(record: Record, policy: Policy, as_of: datetime | None) -> Reason:
    """The submitted plan: approved, or the seats that are still empty."""
    revision = record.plan.revision if record.plan else 0
    need = policy.gates.plan.judges
    approvals = seats(record, policy, "plan", "review")
    notes = _notes(record, policy, "plan", "review")
    have = filled_seats(record, policy, "plan", "review")
    if record.plan is not None and have >= need:
        return Reason(
            what=f"Plan r{revision}",
            state="ok",
            text=f"approved by {_by(approvals, as_of)}",
            brief="approved",
            how=listed([person(d.by.login) for d in approvals]),
            children=notes,
        )
    if (empty := nobody_can(record, policy, "plan")) is not None:
        return _empty_row(f"Plan r{revision}", f"{have} of {need} approved", empty, notes)
    approve, reject = seat_command(record, policy, "plan", "review"), spelled(policy, f"reject r{revision}")
    return Reason(
        what=f"Plan r{revision}",
        state="waiting",
        text=f"{have} of {need} approved",
        waiting_on="reviewers",
        who_could=(seat_takers(record, policy, "plan", "review"),),
        how=f"comment `{approve}`, or `{reject}` and why",
        command=approve,
        children=notes,
    )


def seat_rows(record: Record, policy: Policy, gate: GateName, as_of: datetime | None) -> tuple[Reason, ...]:
    """Review and human gate, where the policy asks for them."""
    rule = policy.gates.of(gate)
    rows = []
    if rule.judges:
        rows.append(_seat_row(record, policy, (gate, "review"), as_of))
    if rule.operators:
        rows.append(_seat_row(record, policy, (gate, "operator"), as_of))
    return tuple(rows)


def verification_rows(record: Record, policy: Policy, gate: GateName) -> tuple[Reason, ...]:
    """Delegated verification of this head, where the policy asks for it."""
    need = next((need for need in gate_view(record, policy, gate).needs if need.what == "verification"), None)
    if need is None:
        return ()
    if need.met:
        return (Reason(what="Verification", state="ok", text="passed for this head"),)
    if need.missing:
        text = f"{listed([name(each) for each in need.missing])} failed"
        row = Reason(what="Verification", state="failed", text=text, waiting_on="builders")
        return (row.model_copy(update={"who_could": (ROLE["builders"],), "how": "push a fix"}),)
    # Nothing in this version gives one, so whoever can change the rules is awaited.
    none = Empty("review", f"ask for `checks` alone under `gates.{gate}.verification` in `.github/signalbox.yml`")
    return (_empty_row("Verification", "no result for this head", none, ()),)


def _seat_row(record: Record, policy: Policy, seat: tuple[GateName, str], as_of: datetime | None) -> Reason:
    gate, kind = seat
    rule = policy.gates.of(gate)
    need = rule.operators if kind == "operator" else rule.judges
    filled = seats(record, policy, gate, kind)
    what = "Human gate" if kind == "operator" else "Review"
    notes = _notes(record, policy, gate, kind)
    have = filled_seats(record, policy, gate, kind)
    count = f"{have} of {need}"
    if have >= need:
        by = _by(filled, as_of)
        return Reason(what=what, state="ok", text=f"{count} by {by}", brief=count, how=by, children=notes)
    empty = nobody_can(record, policy, gate)
    if empty is not None and empty.kind == kind:
        return _empty_row(what, count, empty, notes)
    command = seat_command(record, policy, gate, kind)
    return Reason(
        what=what,
        state="waiting",
        text=count,
        waiting_on="operators" if kind == "operator" else "reviewers",
        who_could=(seat_takers(record, policy, gate, kind),),
        how=f"comment `{command}`",
        command=command,
        children=notes,
    )


def _empty_row(what: str, count: str, empty: Empty, notes: tuple[Reason, ...]) -> Reason:
    """Waiting would never end, so whoever can change the rules is awaited."""
    return Reason(
        what=what,
        state="failed",
        text=f"{count}, and nobody is left who may",
        waiting_on="operators",
        who_could=(ROLE["operators"],),
        how=empty.way,
        children=notes,
    )


def _by(decisions: tuple[Decision, ...], as_of: datetime | None) -> str:
    return listed([f"{person(d.by.login)}, {when(d.at, as_of)}" for d in decisions])


def _notes(record: Record, policy: Policy, gate: GateName, kind: str) -> tuple[Reason, ...]:
    """Decisions of this need that do not count, and why: nobody should wonder where an approval went."""
    seated = {d.id for each in ("review", "operator") for d in seats(record, policy, gate, each)}
    superseded = {d.id for d in counting(record, gate)} - seated
    notes = []
    for decision in record.decisions:
        if decision.gate != gate or (decision.kind == "operator") != (kind == "operator") or decision.id in seated:
            continue
        why = "it fills no seat" if decision.id in superseded else void_because(record, decision)
        notes.append(
            Reason(what="decision", state="failed", text=f"{_said(decision)}: does not count, {why}"),
        )
    return tuple(notes[-MAX_NOTES:])


def _said(decision: Decision) -> str:
    verb = {
        ("review", "approve"): "approved",
        ("plan", "approve"): "approved",
        ("operator", "approve"): "opened the gate for",
    }
    did = verb.get((decision.kind, decision.verdict), "rejected")
    about = f"r{decision.revision}" if decision.head is None else f"`{sha7(decision.head)}`"
    return f"{person(decision.by.login)} {did} {about}"
