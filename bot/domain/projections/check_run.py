"""The check run `signalbox`: success only with complete authority for exactly that head (I24)."""

from collections.abc import Iterable
from typing import NamedTuple

from bot.domain.explain.building_rows import is_red
from bot.domain.explain.check_rows import open_names
from bot.domain.explain.merge_row import obstacle
from bot.domain.explain.tree import GLYPH, awaited, explain, sentence
from bot.domain.explain.verdict import blocked_words
from bot.domain.gates.gate import authority_complete, authority_stands
from bot.domain.merging.unmerged import unmerged_title
from bot.domain.model.effects import CheckConclusion, CheckStatus
from bot.domain.model.explain import Explanation, Reason
from bot.domain.model.policy import Policy
from bot.domain.model.record import Frozen, Record
from bot.domain.model.slot_name import SlotName
from bot.domain.model.text import link, sha7, visible
from bot.domain.model.traces import of_check
from bot.domain.projections.headline import first_line, second_line
from bot.domain.projections.show import DesiredCheck, Show
from bot.domain.projections.status_comment import needs_table
from bot.domain.projections.unwritten import unwritten
from bot.domain.projections.wording import awaited_plain, page

TITLE_LIMIT = 80
#: Below GitHub's 65,535, with room for the line that says what was left off.
TEXT_LIMIT = 60_000
_FROZEN: dict[Frozen, str] = {
    "suspended": "the installation is suspended",
    "database_behind": "the database is behind GitHub",
    "instance_conflict": "another Signalbox writes here",
}


class Verdict(NamedTuple):
    """What the check says; `conclusion` None while it is in progress."""

    conclusion: CheckConclusion | None
    title: str


def check_runs(show: Show) -> tuple[DesiredCheck, ...]:
    """The check of the head that is judged, and of every other head that carries one of ours."""
    record = show.record
    head = record.merge.head if record.phase == "done" and record.merge.head else record.head
    judged = head if record.pull_request is not None else None
    old = tuple(dict.fromkeys(watched for watched in show.watched_heads if watched != judged))
    checks = tuple(_replaced(show, watched, judged) for watched in old)
    return checks if judged is None else (*checks, _judged(show, judged))


def may_succeed(record: Record, policy: Policy) -> bool:
    """Whether success may stand on the present head: nothing but the merge itself is left to do, or it is done. What GitHub was
    asked keeps it by the rules of the request, as long as every decision that filled a seat then still counts."""
    merge = record.merge
    if record.phase == "done":
        return merge.state == "merged" and not merge.external and not merge.missing and not record.twins
    if record.phase != "submit" or record.withdrawn or record.frozen is not None or record.held is not None:
        return False
    if merge.state not in {"none", "reserved", "requested", "confirming"}:
        return False
    if merge.state != "none" and merge.head != record.head:
        return False
    if record.twins:
        return False
    linked = record.pull is not None and record.pull.open and record.pull.number == record.pull_request
    if record.in_flight:
        return linked and (authority_stands(record) or authority_complete(record, policy))
    return linked and authority_complete(record, policy) and obstacle(record) is None


def full_text(show: Show, explanation: Explanation) -> str:
    """Comments that GitHub refused, then the tree."""
    refused = unwritten(show)
    room = TEXT_LIMIT - sum(len(block) + 2 for block in refused)
    return "\n\n".join([*refused, tree(show, explanation, room)])


def tree(show: Show, explanation: Explanation, room: int = TEXT_LIMIT) -> str:
    """Verdict and explain tree as a Markdown list. What does not fit is cut by whole branches and counted."""
    lines = [explanation.verdict, ""]
    left = room - len(explanation.verdict)
    hidden = 0
    for row in explanation.reasons:
        branch = list(_branch(row, 0))
        size = sum(len(line) + 1 for line in branch)
        if size > left:
            hidden += 1
            continue
        lines += branch
        left -= size
    if hidden:
        lines += ["", f"{hidden} more on {link('the page', page(show, '#why'))}"]
    return "\n".join(lines)


def _branch(row: Reason, depth: int) -> Iterable[str]:
    yield f"{'  ' * depth}- {GLYPH[row.state]} {sentence(row)}"
    for child in row.children:
        yield from _branch(child, depth + 1)


def _judged(show: Show, head: str) -> DesiredCheck:
    record = show.record
    explanation = explain(record, show.policy, show.as_of)
    says = _verdict(record, show.policy, explanation)
    if head in show.contested and says.conclusion in {"success", "neutral"}:
        says = Verdict("action_required", f"{record.phase}: another record judges this head too")
    lines = f"{first_line(show)}\n{second_line(show, explanation)}"
    rows = "\n".join(needs_table(show, explanation))
    return DesiredCheck(
        slot=SlotName.check(head),
        head=head,
        status=_status(says),
        conclusion=says.conclusion,
        title=_cut(says.title),
        summary=f"{lines}\n\n{rows}" if rows else lines,
        text=full_text(show, explanation),
        details_url=page(show, "#why"),
        external_id=_external_id(show),
    )


def _replaced(show: Show, old: str, present: str | None) -> DesiredCheck:
    title = f"replaced by {sha7(present)}" if present else "not linked any more"
    return DesiredCheck(
        slot=SlotName.check(old),
        head=old,
        status="completed",
        conclusion="cancelled",
        title=title,
        summary=f"`{sha7(old)}` is not judged any more: {title}.",
        text="",
        details_url=page(show, "#why"),
        external_id=_external_id(show),
        final=True,
    )


def _verdict(record: Record, policy: Policy, explanation: Explanation) -> Verdict:
    phase = record.phase
    if phase == "done":
        return _done(record, policy)
    if record.withdrawn:
        return Verdict("cancelled", f"withdrawn in {phase}")
    if record.frozen is not None:
        return Verdict("action_required", f"{phase}: frozen, {_FROZEN[record.frozen]}")
    if phase == "blocked":
        return Verdict("action_required", f"blocked: {blocked_words(record)}")
    if phase == "building" and (failure := _failure(record)) is not None:
        return Verdict("failure", f"building: {failure}")
    if phase == "submit":
        return _submit(record, policy, explanation)
    if phase == "testing" and record.twins:
        return _twins(record)
    return Verdict(None, f"{phase}: {_waits(record, explanation)}")


def _submit(record: Record, policy: Policy, explanation: Explanation) -> Verdict:
    head = sha7(record.head or "")
    merge = record.merge
    if merge.state == "ambiguous":
        return Verdict("action_required", f"submit: it is not known whether GitHub merged {sha7(merge.head or head)}")
    if record.held is not None and not record.in_flight:
        return Verdict("action_required", f"submit: held by {visible(record.held.by.login)}")
    if record.twins:
        return _twins(record)
    if may_succeed(record, policy):
        asked = merge.state in {"requested", "confirming"}
        return Verdict("success", f"submit: merging {head}" if asked else f"submit: all gates complete for {head}")
    if merge.state == "refused" and awaited(explanation) == ("operators",):
        return Verdict("action_required", f"submit: {unmerged_title(merge)}")
    return Verdict(None, f"submit: {_waits(record, explanation)}")


def _twins(record: Record) -> Verdict:
    """One check run stands on the commit and would speak for both."""
    return Verdict("action_required", f"{record.phase}: another open pull request, #{record.twins[0]}, has this head")


def _done(record: Record, policy: Policy) -> Verdict:
    merge = record.merge
    if may_succeed(record, policy):
        return Verdict("success", f"done: merged as {sha7(merge.sha)}" if merge.sha else "done: merged")
    if merge.external:
        by = f" by {visible(merge.merged_by.login)}" if merge.merged_by else ""
        return Verdict("cancelled", f"done: merged outside{by}")
    if record.twins and not merge.missing:
        return _twins(record)
    return Verdict("cancelled", "done: merged while gates were open")


def _failure(record: Record) -> str | None:
    """Why this head was sent back, if it was."""
    if record.is_rejected:
        return f"rejected by {visible(record.feedback_by.login)}" if record.feedback_by else "rejected"
    if is_red(record):
        names = open_names(record)
        return f"check {visible(names[0])} failed" if names else "a check failed"
    return None


def _waits(record: Record, explanation: Explanation) -> str:
    return f"waiting for {awaited_plain(record, explanation) or 'Signalbox'}"


def _status(says: Verdict) -> CheckStatus:
    return "in_progress" if says.conclusion is None else "completed"


def _cut(title: str) -> str:
    return title if len(title) <= TITLE_LIMIT else f"{title[: TITLE_LIMIT - 1].rstrip()}…"


def _external_id(show: Show) -> str:
    """Whose check this is, and of which version: read back to see that nobody else writes here."""
    return of_check(show.trace, show.record.head_epoch)
