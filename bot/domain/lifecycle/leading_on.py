"""What leads a record on from where it stands, and who can do that: the end of a refusal of what does not."""

from bot.domain.explain.ended_rows import FROZEN, builders_resume, thaw, way_out
from bot.domain.lifecycle.wanted_head import ways_to_a_candidate
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record


def leads_on(record: Record, policy: Policy) -> str:
    """One sentence, true in every phase but of a withdrawn record."""
    if record.frozen is not None and record.phase != "done":
        return f"It is frozen: {FROZEN[record.frozen]}. {thawed(record, policy)}"
    match record.phase:
        case "planning" | "plan_rejected":
            return "It goes on when a builder submits a plan in the issue, with `/plan` and the text."
        case "plan_ready":
            revision = record.plan.revision if record.plan else 1
            return f"It goes on when a reviewer decides the plan in the issue, with `/approve r{revision}`."
        case "building":
            return f"It goes on when {ways_to_a_candidate(record)}."
        case "testing" | "submit":
            return _while_judged(record)
        case "blocked":
            return let_go_on(record, policy)
        case "done":
            return "That is final. For more work a builder opens a new issue."


def _while_judged(record: Record) -> str:
    if record.in_flight:
        return "It is being found out whether GitHub merged it. Where that stays unknown, an operator is called to settle it."
    there = f"pull request #{record.pull_request}"
    return f"It goes on when all is there that the status comment of {there} lists, with who can give it."


def thawed(record: Record, policy: Policy) -> str:
    who = "an owner of the organisation" if (record.frozen or "suspended") == "suspended" else "an operator"
    return f"To let it go on, {who} can {thaw(record, policy)}."


def let_go_on(record: Record, policy: Policy) -> str:
    """The way out of this very blocker: `/resume` is none of some."""
    if record.blocked is None:
        return "An operator lets it go on with `/resume` and the phase."
    how, _ = way_out(record, policy)
    if record.blocked.cause == "issue_gone":
        return f"A builder can {how}."
    who = "a builder or an operator" if builders_resume(record, policy) else "an operator"
    return f"To let it go on, {who} can {how}."
