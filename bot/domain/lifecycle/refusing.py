"""Every "no" of the lifecycle as a sentence: what was not done and why, what is true now, what would work and who can."""

from bot.domain.explain.ended_rows import FROZEN, blocker
from bot.domain.lifecycle.leading_on import leads_on, let_go_on, thawed
from bot.domain.lifecycle.results import Refuse
from bot.domain.lifecycle.wanted_head import ways_to_a_candidate
from bot.domain.model.policy import Policy
from bot.domain.model.record import GateName, Record
from bot.domain.model.refusals import Refusal, RefusalCode
from bot.domain.model.shown import ShownRow
from bot.domain.model.text import clock, code, listed, moment, seconds_clock, sha7, sha12


def refuse(reason: RefusalCode, message: str) -> Refuse:
    return Refuse(Refusal(code=reason, message=message))


def web(record: Record) -> str:
    """The repository's address in the browser, also on an Enterprise host."""
    url = record.pull.url if record.pull else ""
    return url.rsplit("/pull/", 1)[0] if "/pull/" in url else f"https://github.com/{record.repository}"


def commit_link(record: Record, sha: str) -> str:
    return f"[`{sha7(sha)}`]({web(record)}/commit/{sha})"


def unreadable(what: str) -> Refuse:
    return refuse("could_not_verify", f"GitHub did not show {what}, so it was not counted. Repeat it in a few minutes.")


def withdrawn(record: Record) -> Refuse:
    by = f" by {code(record.withdrawn_by.login)}" if record.withdrawn_by else ""
    since = f" since {moment(record.withdrawn_at)}" if record.withdrawn_at else ""
    return refuse(
        "withdrawn",
        f"The record is withdrawn{by}{since}, so nothing is judged. A builder starts it again by reopening the issue, "
        "or by adding the label again (taking it off first where it is still on).",
    )


def withdrawn_with_pull(record: Record) -> Refuse:
    """It may be that nobody can revive it: its issue is gone."""
    said = withdrawn(record).refusal
    return refuse(
        "withdrawn",
        f"{said.message}\nTo use this pull request for another issue, a builder comments `/link` and its number on it.",
    )


def blocked(record: Record, policy: Policy) -> Refuse:
    """Who stopped it, since when and why; and the way out of this very blocker, since `/resume` is none of some."""
    by = f" by {code(record.blocked.by.login)}" if record.blocked and record.blocked.by else ""
    since = record.blocked.since if record.blocked else record.phase_since
    why = f": {blocker(record)}" if record.blocked else ""
    return refuse(
        "blocked",
        f"The record is **blocked**{by} since {moment(since)}{why}. Nothing changed.\n{let_go_on(record, policy)}",
    )


def merge_in_flight(record: Record) -> Refuse:
    asked = record.merge.requested_at or record.merge.reserved_at or record.phase_since
    return refuse(
        "merge_in_flight",
        f"GitHub was asked at {seconds_clock(asked)} to merge `{sha12(record.merge.head or '')}`, and the outcome is "
        "not confirmed yet.\nUntil then nothing may change what was authorised. Your command is not kept; repeat it if the "
        "merge did not happen.",
    )


def kept_for_later(record: Record) -> Refuse:
    """A revocation while GitHub may be merging."""
    asked = record.merge.requested_at or record.phase_since
    return refuse(
        "merge_in_flight",
        f"GitHub was asked at {seconds_clock(asked)} to merge `{sha12(record.merge.head or '')}`, and the outcome is not "
        "confirmed yet. It is kept, and applied if the merge did not happen. Nobody needs to do anything until then.",
    )


def reserved(record: Record) -> Refuse:
    return refuse(
        "merge_in_flight",
        f"Signalbox is about to ask GitHub to merge `{sha12(record.merge.head or '')}`. "
        "To stop that, a reviewer or an operator comments `/hold` or `/rework` and why.",
    )


def wrong_phase(record: Record, why: str) -> Refuse:
    return refuse("wrong_phase", f"The record is in **{record.phase}**, {why}")


def nothing_to_do(record: Record, policy: Policy, why: str) -> Refuse:
    """Of what helps in another phase only. `why` follows "The record is in **testing**, "."""
    return wrong_phase(record, f"{why}\n{leads_on(record, policy)}")


def nothing_to_judge(record: Record, *, stops: bool = False) -> Refuse:
    """`stops`: whoever wanted to send it back is not shown how to let it go on."""
    match record.phase:
        case "planning" | "plan_rejected":
            return wrong_phase(record, "so there is nothing to judge; that changes when a builder submits a plan.")
        case "plan_ready":
            revision = f"r{record.plan.revision if record.plan else 1}"
            how = f"sends the plan back in the issue, with `/reject {revision}` and why"
            how = how if stops else f"decides the plan in the issue, with `/approve {revision}`"
            return wrong_phase(record, f"so there is no head to judge yet; a reviewer {how}.")
        case "building":
            ways = ways_to_a_candidate(record)
            return wrong_phase(record, f"so there is nothing to judge; that changes when {ways}.")
        case "done":
            return wrong_phase(record, "which is final. For more work a builder opens a new issue.")
        case "testing" | "submit" if record.pull_request is not None:
            copied = f"`/approve {record.phase} {sha12(record.head or '')}`"
            return wrong_phase(
                record,
                f"where its head is judged on pull request #{record.pull_request}; a reviewer comments {copied} there.",
            )
        case _:
            return wrong_phase(record, "where this gate is not open.")


def head_moved(record: Record, named: str, verb: str = "approve") -> Refuse:
    now = record.head or ""
    pull = record.pull
    pushed = ""
    if pull is not None and pull.head_since is not None:
        by = f" by {code(pull.pushers[-1].login)}" if pull.pushers else ""
        pushed = f", pushed{by} at {clock(pull.head_since)}" if by else f", first seen at {clock(pull.head_since)}"
    then = "Nothing was stored."
    if not any(head.startswith(named.lower()) for head in known_heads(record)):
        return refuse(
            "head_moved",
            f"The head does not begin like that, and no head that was judged here does.\nYou named `{named}`; the head is "
            f"{commit_link(record, now)}{pushed}. {then}{_to_copy(record, verb)}",
        )
    if record.is_judged and verb != "candidate":
        then += (
            f"\nLook at [what changed]({web(record)}/compare/{sha12(named)}...{sha12(now)}); "
            f"if it is right, comment `/{verb} {record.phase} {sha12(now)}`."
        )
    return refuse(
        "head_moved",
        f"The head moved before it arrived.\nYou named `{named}`; the head is now {commit_link(record, now)}{pushed}. {then}",
    )


def known_heads(record: Record) -> set[str]:
    """Every head that this record still knows: the present one, and what was judged, asked for, rejected or decided on."""
    decided = (decision.head for decision in record.decisions)
    known = {*record.rejected_heads, *record.asked_heads, *(each.head for each in record.tried), *decided}
    return {head for head in (record.head, *known) if head}


def _to_copy(record: Record, verb: str) -> str:
    if not record.is_judged or verb == "candidate":
        return ""
    return f"\nIf that head is right, comment `/{verb} {record.phase} {sha12(record.head or '')}`."


def ambiguous_sha(record: Record, named: str, verb: str = "approve") -> Refuse:
    head = record.head or ""
    explicit = f"/{verb} {head}" if verb == "candidate" else f"/{verb} {record.phase} {head}"
    return refuse(
        "ambiguous_sha",
        f"More than one head of this pull request begins with `{named}`, so it is not clear which was judged. "
        f"Nothing was stored.\nName it in full: `{explicit}`.",
    )


def already_void(record: Record, written_for: str) -> Refuse:
    return refuse(
        "head_moved",
        f"It was written for `{sha12(written_for)}`; the head is now {commit_link(record, record.head or '')}, so every "
        "decision about the old head is void already. Repeat it if it is about the new head.",
    )


def revision_moved(record: Record, named: int) -> Refuse:
    now = record.plan.revision if record.plan else 0
    then = f"Read it; if it is right, comment `/approve r{now}`."
    if record.phase in {"building", "testing", "submit"}:
        then = (
            "It is approved, and being carried out. To plan anew, a builder or an operator comments `/replan` and why."
        )
    if named > now or named < 1:
        return refuse(
            "revision_moved",
            f"There is no plan r{named}; the plan is r{now}. Nothing was stored.\n{then}",
        )
    return refuse(
        "revision_moved",
        f"The plan moved before it arrived.\nYou named r{named}; the plan is now r{now}. Nothing was stored.\n{then}",
    )


def stale(record: Record, row: ShownRow, gate: GateName) -> Refuse:
    """The comment was written while another gate, round or head was shown."""
    now = record.gates_opened.of(gate)
    then = f"{row.gate or 'no gate'}{_of_head(row.head)}, round {row.round}"
    present = f"{gate}{_of_head(record.head if gate != 'plan' else None)}, round {now.round}"
    return refuse(
        "stale_comment",
        f"It was written for {then}; now {present} is open. Nothing was stored. Repeat it if it still fits.",
    )


def written_too_early(record: Record, gate: GateName) -> Refuse:
    opened = record.gates_opened.of(gate)
    at = seconds_clock(opened.opened_at) if opened.opened_at else "just now"
    return refuse(
        "stale_comment",
        f"It was written before the gate *{gate}*, round {opened.round}, opened at {at}, so it cannot speak about it. "
        "Nothing was stored. Repeat it if it still fits.",
    )


def other_gate(record: Record, named: GateName, present: GateName, verb: str) -> Refuse:
    return refuse(
        "stale_comment",
        f"It was written for the gate *{named}*; now *{present}* of `{sha12(record.head or '')}`, round "
        f"{record.gates_opened.of(present).round}, is open. Nothing was stored.\n"
        f"To judge what is open, comment `/{verb} {present} {sha12(record.head or '')}`.",
    )


def nothing_shown(record: Record, gate: GateName, verb: str) -> Refuse:
    explicit = (
        f"/{verb} r{record.plan.revision if record.plan else 1}"
        if gate == "plan"
        else f"/{verb} {gate} {sha12(record.head or '')}"
    )
    return refuse(
        "stale_comment",
        f"No status comment had shown the gate *{gate}* when this was written, so it is not clear what was judged. "
        f"Nothing was stored. Name it: `{explicit}`.",
    )


def already_recorded(what: str) -> Refuse:
    return refuse("already_recorded", f"{what} is recorded already. Nothing changed.")


def not_linked() -> Refuse:
    return refuse(
        "not_linked",
        "No pull request is linked to this record. A builder opens one, or comments `/link` and the issue's number on it.",
    )


def missing_pull(number: int, why: str) -> Refuse:
    return refuse("bad_argument", f"Pull request #{number} {why}. Nothing changed.")


def linked_elsewhere(number: int, issue: int, *, may_land: bool) -> Refuse:
    if may_land:
        return refuse(
            "bad_argument",
            f"Pull request #{number} belongs to issue #{issue}, which is withdrawn, and GitHub was asked to merge it there. That "
            "it is not merged is a person's word so far, and it may still land. Nothing changed.\n"
            "Its author closes it, so that nothing can land, and opens another one with a new commit for this issue.",
        )
    return refuse(
        "bad_argument",
        f"Pull request #{number} belongs to issue #{issue} already, and it can be judged for one issue only. "
        f"Nothing changed.\nA builder comments `/unlink` on it first.",
    )


def frozen(record: Record, policy: Policy) -> Refuse:
    why = FROZEN[record.frozen or "suspended"]
    return refuse("frozen", f"The record is frozen: {why}. Nothing changed.\n{thawed(record, policy)}")


def missing_checks(names: tuple[str, ...]) -> str:
    return listed([code(name) for name in names])


def _of_head(head: str | None) -> str:
    return f" of `{sha12(head)}`" if head else ""
