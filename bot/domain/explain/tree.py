"""Why it is not merging now: one tree, from which check run, comments, page, API and command line are printed.

Top level: the approved plan, then the present step (its `what` is the phase, its children are the needs), then what
comes later, then whether anything else is in the way.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime

from bot.domain.explain.building_rows import building_rows
from bot.domain.explain.check_rows import checks_row
from bot.domain.explain.ended_rows import authority, blocked_row, done_rows, frozen_row, withdrawn_row
from bot.domain.explain.merge_row import (
    AUTO_MERGE,
    UNTIL_VERIFIED,
    held_meanwhile,
    merge_row,
    obstacle,
    stopped_words,
    unverified_words,
)
from bot.domain.explain.need_rows import missing_plan_row, plan_row, seat_rows, verification_rows
from bot.domain.explain.offers import name
from bot.domain.explain.verdict import verdict
from bot.domain.gates.gate import complete as gate_complete
from bot.domain.gates.unverified import standing_no
from bot.domain.model.explain import Explanation, Reason, ReasonState, WaitingOn
from bot.domain.model.policy import Policy
from bot.domain.model.record import GateName, Phase, Record
from bot.domain.model.text import in_words, listed

GLYPH: dict[ReasonState, str] = {"ok": "✅", "waiting": "⏳", "failed": "❌", "later": "⬜"}
#: Rows that are notes, not needs: their `what` is for programs and is not shown.
NOTES = frozenset({"check", "decision", "question", "rest"})
#: In this order people read who is awaited.
_ORDER: tuple[WaitingOn, ...] = ("builders", "reviewers", "operators", "agents", "verification", "checks", "github")
_LATER: dict[Phase, tuple[Phase, ...]] = {
    "planning": ("building", "testing", "submit"),
    "plan_ready": ("building", "testing", "submit"),
    "plan_rejected": ("building", "testing", "submit"),
    "building": ("testing", "submit"),
    "testing": ("submit",),
}


def explain(record: Record, policy: Policy, as_of: datetime | None = None) -> Explanation:
    """`as_of` is the time of the text this goes into (the record's `updated_at`): times of that day lose their date."""
    reasons = tuple(_reasons(record, policy, as_of))
    return Explanation(
        verdict=verdict(record, reasons, as_of), phase=record.phase, version=record.version, reasons=reasons
    )


def waiting_on(record: Record, policy: Policy) -> tuple[WaitingOn, ...]:
    """Who is awaited for the next step, people first; empty when nothing is."""
    return awaited(explain(record, policy))


def awaited(explanation: Explanation) -> tuple[WaitingOn, ...]:
    who = {row.waiting_on for row in flat(explanation.reasons)}
    return tuple(each for each in _ORDER if each in who)


def step_rows(explanation: Explanation) -> tuple[Reason, ...]:
    """The needs of the next step, with everything else that somebody is awaited for in front of them."""
    step = next((row for row in explanation.reasons if row.what == explanation.phase), None)
    if step is None:
        return tuple(row for row in explanation.reasons if row.what != "rest")
    others = (row for row in explanation.reasons if row is not step and row.waiting_on is not None)
    return (*others, *step.children)


def flat(rows: Iterable[Reason]) -> Iterator[Reason]:
    for row in rows:
        yield row
        yield from flat(row.children)


def sentence(row: Reason) -> str:
    """One row as a sentence of Markdown, without its glyph: "**Review** 0 of 1. Waiting for a reviewer"."""
    text = row.text if row.what in NOTES else f"**{row.what}** {row.text}".rstrip()
    if row.waiting_on is not None and row.who_could:
        return f"{text}. Waiting for {listed(row.who_could, 'or')}"
    return text


def _reasons(record: Record, policy: Policy, as_of: datetime | None) -> Iterator[Reason]:
    if record.phase == "done":
        yield from done_rows(record, policy)
    elif record.withdrawn or record.frozen is not None or record.phase == "blocked":
        yield _standstill(record, policy)
        yield from _hold(record, policy, as_of)
    else:
        yield from _steps(record, policy, as_of)


def _standstill(record: Record, policy: Policy) -> Reason:
    if record.withdrawn:
        return withdrawn_row(record, policy)
    return blocked_row(record, policy) if record.frozen is None else frozen_row(record, policy)


def _hold(record: Record, policy: Policy, as_of: datetime | None) -> Iterator[Reason]:
    """It outlives every detour, so that nobody is surprised by it later."""
    if record.held is not None:
        yield Reason(what="rest", state="later", text=held_meanwhile(record, policy, as_of))


def _steps(record: Record, policy: Policy, as_of: datetime | None) -> Iterator[Reason]:
    under_way = record.phase == "submit" and (record.in_flight or record.merge.state == "reserved")
    if record.is_judged:
        plan = plan_row(record, policy, as_of)
        yield _unasked(plan) if under_way else plan
    if record.phase == "submit":
        yield _testing(record, policy)
    children = _needs(record, policy, as_of)
    if under_way:
        children = (*(_unasked(row) for row in children[:-1]), children[-1])
    state: ReasonState = "waiting" if any(row.waiting_on for row in children) else "later"
    if children and all(row.state == "ok" for row in children):
        state = "ok"
    yield Reason(what=record.phase, state=state, text="", children=children)
    for phase in _LATER.get(record.phase, ()):
        yield Reason(what=phase, state="later", text=_later(record, policy, phase))
    yield from _rest(record, policy, as_of)


def _needs(record: Record, policy: Policy, as_of: datetime | None) -> tuple[Reason, ...]:
    match record.phase:
        case "planning" | "plan_rejected":
            return (missing_plan_row(record, policy),)
        case "plan_ready":
            return (plan_row(record, policy, as_of),)
        case "building":
            return building_rows(record, policy, as_of)
        case "testing":
            return _of_the_head(record, policy, "testing", as_of)
        case _:
            needs = _of_the_head(record, policy, "submit", as_of)
            plan = plan_row(record, policy, as_of)
            complete = all(row.state == "ok" for row in (plan, _testing(record, policy), *needs))
            return (*needs, merge_row(record, policy, complete, as_of))


def _of_the_head(record: Record, policy: Policy, gate: GateName, as_of: datetime | None) -> tuple[Reason, ...]:
    checks = checks_row(record, policy, as_of)
    return (checks, *verification_rows(record, policy, gate), *seat_rows(record, policy, gate, as_of))


def _unasked(row: Reason) -> Reason:
    """While a merge is under way nobody is asked for anything but the merge itself."""
    return row.model_copy(
        update={"waiting_on": None, "who_could": (), "how": "" if row.waiting_on else row.how, "command": None}
    )


def _testing(record: Record, policy: Policy) -> Reason:
    """The authority that was consumed on the way into submit."""
    if gate_complete(record, policy, "testing"):
        return Reason(what="testing", state="ok", text=", ".join(authority(record, policy, "testing")))
    return Reason(what="testing", state="failed", text="is not complete any more, so this head is judged again")


def _later(record: Record, policy: Policy, phase: Phase) -> str:
    if phase == "building":
        return "a pull request for the approved plan"
    gate: GateName = "testing" if phase == "testing" else "submit"
    rule = policy.gates.of(gate)
    parts = [_of_people(rule.judges, "review"), _of_people(rule.operators, "human gate")]
    seats = [part for part in parts if part]
    if gate == "testing":
        return listed([*seats, "green checks"])
    method = policy.merge.method
    into = f" into {name(record.base)}" if record.base else ""
    return f"{', '.join([*seats, ''])}then the merge ({method}{into})" if seats else f"the merge ({method}{into})"


def _of_people(number: int, noun: str) -> str:
    if number == 0:
        return ""
    return f"{in_words(number)} {noun}{'' if number == 1 else 's'}"


def _rest(record: Record, policy: Policy, as_of: datetime | None) -> Iterator[Reason]:
    """What else stands in the way. In submit the row about the merge says it, so only its absence is told."""
    draft = record.pull is not None and record.pull.draft
    if record.phase != "submit":
        yield from _hold(record, policy, as_of)
    if record.phase == "testing" and draft:
        yield Reason(what="rest", state="later", text="A draft: Signalbox marks it as ready for review after testing")
    if record.phase in {"building", "testing"} and record.pull is not None and record.pull.auto_merge:
        text = f"{AUTO_MERGE}, and it stops the merge: whoever may write to the repository switches it off there"
        yield Reason(what="rest", state="failed", text=text)
    no = standing_no(record)
    if record.phase != "submit" and no is not None:
        text = f"{unverified_words(no, as_of)}: {UNTIL_VERIFIED}"
        yield Reason(what="rest", state="waiting", text=text, waiting_on="github")
    if record.phase != "submit" and record.unverified_stop is not None:
        text = stopped_words(record.unverified_stop)
        yield Reason(what="rest", state="waiting", text=text, waiting_on="github")
    clear = record.held is None and not draft and obstacle(record) is None and record.merge.state != "ambiguous"
    if clear and record.is_judged:
        yield Reason(
            what="rest",
            state="ok",
            text="Nothing else is in the way: not held, not a draft, not stacked, no foreign queue, base unchanged",
        )
