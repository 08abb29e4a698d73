"""One row of the history as a sentence of Markdown: who did what to which artefact, and where that led."""

from dataclasses import dataclass
from typing import Literal

from bot.domain.explain.offers import person
from bot.domain.model.ids import Actor
from bot.domain.model.record import Decision, Plan
from bot.domain.model.text import code, link, plain, sha7, spanned

Mark = Literal["go", "stop", "none"]
_BACKWARD = frozenset({"plan_rejected", "blocked"})
#: Events that need no more words, after the name of whoever caused them.
_EVENTS = {"started": "started it", "revise": "revises the plan", "revived": "started it again"}
#: What follows from somebody's act, and is our own.
_OURS = frozenset({"reserved"})
_OUTCOMES = frozenset({"requested", "ambiguous", "merged", "refused"})
_ORDER = ("planning", "plan_ready", "building", "testing", "submit", "done")


@dataclass(frozen=True, slots=True)
class Step:
    """What one version changed. `decision` and `plan` were added by it, `pushed` = it brought this head and epoch,
    `checks` and `merge` = the states of checks and merge, where they became another one. `head`, `epoch` and `round` are
    those after it."""

    event: str
    actor: Actor
    before: str | None
    to: str
    detail: str | None = None
    decision: Decision | None = None
    plan: Plan | None = None
    head: str | None = None
    epoch: int = 0
    round: int = 0
    pushed: bool = False
    checks: str | None = None
    merge: str | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """`text` and `note` are Markdown without blocks. `matters`: a person decided or the phase changed; the rest is
    machinery, shown when it is asked for."""

    text: str
    note: str
    mark: Mark
    matters: bool


def told(step: Step) -> Told:
    by_somebody = step.actor.kind in {"person", "agent", "cli"} and bool(step.detail or step.pushed)
    outcome = step.merge in _OUTCOMES or _judged(step) is not None
    decided = step.decision is not None or step.plan is not None or step.before != step.to
    matters = decided or outcome or (by_somebody and step.event not in _OURS)
    return Told(f"{_what(step)}{_where(step)}", _note(step), _mark(step), matters)


def _what(step: Step) -> str:
    who = person(step.actor.login)
    if step.decision is not None:
        return _decided(step.decision)
    if step.plan is not None:
        return f"{who} submitted plan r{step.plan.revision}"
    if step.pushed and step.head is not None and not step.detail:
        return _brought(step, who)
    judged = _judged(step)
    if judged is not None:
        return f"Checks {judged} for {spanned(step.head and sha7(step.head))}"
    if step.event == "candidate" and not step.detail:
        return f"{spanned(step.head and sha7(step.head))} is judged"
    if step.event in _EVENTS:
        return f"{who} {_EVENTS[step.event]}"
    words = plain(step.detail) if step.detail else step.event.replace("_", " ")
    return f"{words[:1].upper()}{words[1:]}" if _is_ours(step) else f"{who}: {words}"


def _brought(step: Step, who: str) -> str:
    """Whose act it was is known of a push alone: any other word may be the one at which a head was found."""
    head = f"`{sha7(step.head or '')}`, epoch {step.epoch}"
    if step.event == "head_pushed":
        return f"{who} {'pushed' if step.actor.kind in {'person', 'agent'} else 'brought'} {head}"
    return f"The head is {head}"


def _decided(decision: Decision) -> str:
    who = person(decision.by.login)
    about = f"plan r{decision.revision}" if decision.gate == "plan" else spanned(decision.head and sha7(decision.head))
    if decision.verdict == "reject":
        return f"{who} rejected {about}"
    return f"{who} opened the gate for {about}" if decision.kind == "operator" else f"{who} approved {about}"


def _where(step: Step) -> str:
    if step.before == step.to:
        return ""
    back = step.to in _ORDER and step.before in _ORDER and _ORDER.index(step.to) < _ORDER.index(step.before)
    return f": back to **{step.to}**" if back else f": **{step.to}**"


def _note(step: Step) -> str:
    if step.decision is not None:
        return _bound(step.decision)
    if step.plan is not None:
        before = step.plan.revision - 1
        since = f"[What changed since r{before}](#plan-r{before}..r{before + 1})" if before else ""
        return since or f"[The plan](#plan-r{step.plan.revision})"
    if step.pushed:
        return f"Epoch {step.epoch}, round {step.round}. Everything decided about other heads does not count."
    said = _judged(step) is not None or step.event in _EVENTS
    return plain(step.detail) if said and step.detail else ""


def _bound(decision: Decision) -> str:
    reason = f"“{code(decision.reason)}”" if decision.reason else ""
    comment = link("comment", decision.url)
    parts = [reason] if reason else []
    if decision.gate == "plan":
        parts.append(f"Bound to r{decision.revision}, digest {code(decision.digest.removeprefix('sha256:')[:8])}")
    else:
        parts.append(f"At {decision.gate}, bound to epoch {decision.epoch} and round {decision.round}")
    return " · ".join([*parts, *([comment] if comment.startswith("[") else [])])


def _judged(step: Step) -> str | None:
    return step.checks if step.checks in {"passed", "failed"} else None


def _is_ours(step: Step) -> bool:
    return step.actor.kind == "bot" or step.event in _OURS


def _mark(step: Step) -> Mark:
    if step.decision is not None:
        return "stop" if step.decision.verdict == "reject" else "go"
    if step.to in _BACKWARD and step.before != step.to:
        return "stop"
    if _judged(step) == "failed" or step.merge in {"ambiguous", "refused"}:
        return "stop"
    return "go" if _judged(step) == "passed" or (step.to == "done" and step.before != "done") else "none"
