"""The status comments: the full form on the pull request, the short one on the issue; without one, the issue has all."""

from bot.domain.explain.ended_rows import blocker, builders_resume, open_questions, way_out
from bot.domain.explain.offers import person, spelled, ways_back
from bot.domain.explain.tree import GLYPH, explain, step_rows
from bot.domain.gates.gate import plan_approved, seats
from bot.domain.model.explain import Explanation, Reason
from bot.domain.model.record import Phase, Record
from bot.domain.model.slot_name import SlotName
from bot.domain.model.text import code, link, listed, sha7, spanned, when
from bot.domain.model.traces import of_comment
from bot.domain.projections.headline import first_line, second_line
from bot.domain.projections.questions import shown_questions
from bot.domain.projections.show import DesiredComment, Show
from bot.domain.projections.shown import shown
from bot.domain.projections.wording import (
    as_of,
    evidence,
    footer,
    issue,
    issue_is_gone,
    page,
    pull,
    table,
    why_and_history,
)

MAX_ROWS = 9
#: Phases that are judged in the issue: their commands name no head.
IN_THE_ISSUE = frozenset({"planning", "plan_ready", "plan_rejected"})
_NEXT: dict[Phase, str] = {
    "planning": "plan_ready",
    "plan_ready": "building",
    "plan_rejected": "plan_ready",
    "building": "testing",
    "testing": "submit",
    "submit": "the merge",
}


def marker(record: Record, thread: str) -> str:
    """Hidden last line of a status comment. `thread`: issue or pull."""
    return f"<!-- signalbox:status:{record.repository_id}:{record.issue}:{thread} -->"


def status_comments(show: Show) -> tuple[DesiredComment, ...]:
    record = show.record
    linked = record.pull_request
    if issue_is_gone(record):
        comments = [] if linked is None else [_comment(show, "pull", full(show), linked)]
    elif linked is None:
        comments = [_comment(show, "issue", full(show))]
    elif record.phase in IN_THE_ISSUE and not record.withdrawn:
        comments = [_comment(show, "issue", full(show)), _comment(show, "pull", _judged_in_the_issue(show), linked)]
    else:
        comments = [_comment(show, "issue", short(show)), _comment(show, "pull", full(show), linked)]
    left = (number for number in show.watched_pulls if number != linked)
    return (*comments, *(_comment(show, "pull", _not_linked(show), number) for number in left))


def full(show: Show) -> str:
    """The whole text without its marker."""
    record = show.record
    explanation = explain(record, show.policy, show.as_of)
    blocks = [f"{first_line(show)}\n{second_line(show, explanation)}"]
    blocks += _questions(show)
    blocks += ["\n".join(rows)] if (rows := needs_table(show, explanation)) else []
    if record.phase == "testing" and not record.withdrawn and record.frozen is None:
        blocks.append(_fold(show))
    blocks.append("\n".join([*_last_refused(show), f"{_where_operators_are_called(show)}{_end(show)}"]))
    return "\n\n".join(blocks)


def short(show: Show) -> str:
    """The issue's comment while the pull request has the full form: lines 1 and 2, plan, open questions, a link."""
    record = show.record
    explanation = explain(record, show.policy, show.as_of)
    blocks = [f"{first_line(show)}\n{second_line(show, explanation)}"]
    blocks += [*_questions(show), *_plan(show)]
    more = f"Everything else is on {pull(show, record.pull_request)}." if record.pull_request else ""
    blocks.append(f"{more} {footer(show)}".strip())
    return "\n\n".join(blocks)


def needs_table(show: Show, explanation: Explanation) -> list[str]:
    """The table below the two lines, as lines; empty where there is nothing to list."""
    record = show.record
    if record.phase == "done":
        rows = [(_authorised(row, record), row.how) for row in explanation.reasons if _authorises(row)]
        return table(("Authorised by", "Who"), rows) if rows else []
    if record.withdrawn or record.frozen is not None:
        return []
    if record.phase == "blocked":
        return table(("What", ""), _blocked_rows(show))
    rows = [
        (f"{GLYPH[row.state]} {row.what}: {row.brief or row.text}", _who_and_how(row)) for row in step_rows(explanation)
    ]
    if len(rows) > MAX_ROWS:
        rows = [*rows[: MAX_ROWS - 1], (f"{len(rows) - MAX_ROWS + 1} more on the page", why_and_history(show))]
    return table((f"Needed for {_NEXT[record.phase]}", "Who and how"), rows)


def _comment(show: Show, thread: str, body: str, number: int | None = None) -> DesiredComment:
    record = show.record
    hidden = marker(record, thread)
    present = number in {None, record.pull_request}
    showing = next((str(each.sense()) for each in shown(record) if each.thread == thread and present), "")
    return DesiredComment(
        slot=SlotName.status(number),
        number=number or record.issue,
        body=f"{body}\n\n{of_comment(show.trace, show.seal)}\n{hidden}",
        marker=hidden,
        sense=f"{showing}\n{body.replace(as_of(show), '')}",
    )


def _who_and_how(row: Reason) -> str:
    who = listed(row.who_could, "or")
    return f"{who}: {row.how}" if who and row.how else who or row.how


def _authorises(row: Reason) -> bool:
    return row.state == "ok" and row.what not in {"done", "missing"}


def _authorised(row: Reason, record: Record) -> str:
    return (
        f"{row.what.capitalize()}, {spanned(record.head and sha7(record.head))}"
        if row.what in {"testing", "submit"}
        else row.what
    )


def _is_blocked(record: Record) -> bool:
    return record.phase == "blocked" and not record.withdrawn and record.frozen is None


def _questions(show: Show) -> list[str]:
    """Also those with which an operator let the work go on: they can be answered still."""
    record = show.record
    questions = open_questions(record)
    if not questions or record.withdrawn or record.frozen is not None or record.phase == "done":
        return []
    shown = shown_questions(questions)
    if record.phase == "blocked":
        return [shown]
    lead = (
        "A question is open, and the work goes on"
        if len(questions) == 1
        else "Questions are open, and the work goes on"
    )
    return [f"{lead}. {_how_to_answer(show)}.", shown]


def _how_to_answer(show: Show) -> str:
    questions = open_questions(show.record)
    each = "" if len(questions) == 1 else f" {questions[0].id}"
    return f"An operator answers with `{spelled(show.policy, f'answer{each}')}` and the text"


def _blocked_rows(show: Show) -> list[tuple[str, str]]:
    record, blocked = show.record, show.record.blocked
    if blocked is None:
        return []
    rows = [("Blocker", blocker(record))]
    rows.append(("Evidence", evidence(show, "the history of that moment")))
    questions = open_questions(record)
    if questions:
        answer = spelled(show.policy, "answer")
        which = "" if len(questions) == 1 else ", the question's id"
        rows.append(("To answer", f"an operator: comment `{answer}`{which} and the text"))
    how, _ = way_out(record, show.policy)
    who = "a builder or an operator" if builders_resume(show.record, show.policy) else "an operator"
    rows.append(("To go on", f"{who}: {how}{_still_holds(show)}"))
    return rows


def _still_holds(show: Show) -> str:
    """Said only where the record proves it: plan approved, and no head read since the work stopped."""
    record, blocked = show.record, show.record.blocked
    if blocked is None or blocked.cause not in {"question", "checks"} or not plan_approved(record, show.policy):
        return ""
    moved = record.pull is not None and (record.pull.head_since is None or record.pull.head_since > blocked.since)
    return "" if moved else " (head and plan unchanged: evidence would still hold)"


def _plan(show: Show) -> list[str]:
    plan = show.record.plan
    if plan is None:
        return []
    approvals = seats(show.record, show.policy, "plan", "review")
    by = f", approved by {listed([person(d.by.login) for d in approvals])}" if approvals else ""
    return [f"Plan {link(f'r{plan.revision}', plan.url)} by {person(plan.author.login)}{by}."]


def _fold(show: Show) -> str:
    record, policy = show.record, show.policy
    verbs = {verb: f"`{spelled(policy, verb)}`" for verb in ("approve", "gate", "help")}
    digest = record.plan.digest.removeprefix("sha256:")[:8] if record.plan else ""
    plan = f"plan r{record.plan.revision} `{digest}`" if record.plan else "no plan"
    bare = (
        f"- A bare {verbs['approve']} or {verbs['gate']} means the gate and head shown above. "
        "If either moves first, nothing is stored and you are told."
    )
    ways = "\n".join(f"- {way}." for way in ways_back(record, policy))
    ways += f" To see what *you* can do: comment {verbs['help']}."
    bound = (
        f"- Bound to head {spanned(record.head)} (epoch {record.head_epoch}), base {code(record.base or 'none')}, {plan}, "
        f"round {record.gates_opened.testing.round}, policy `{sha7(policy.sha)}`."
    )
    title = "<details><summary>Other commands, and what a decision is bound to</summary>"
    return f"{title}\n\n{bare}\n{ways}\n{bound}\n\n</details>"


def _last_refused(show: Show) -> list[str]:
    refused = show.refused
    if refused is None or show.record.phase == "done":
        return []
    what = f"{code(refused.command, limit=80)} by" if refused.command else "a comment by"
    first = refused.message.strip().split("\n", 1)[0]
    why = first if len(first) <= 500 else "The answer below it says why."
    return [f"Last refused: {what} {person(refused.by)}, {when(refused.at, refused.at)}. {why}".rstrip()]


def _where_operators_are_called(show: Show) -> str:
    """On the pull request; the notice itself is in the issue."""
    record = show.record
    if not _is_blocked(record) or record.pull_request is None or issue_is_gone(record):
        return ""
    return f"Operators are called in {issue(show)}. "


def _end(show: Show) -> str:
    return link("History", page(show)) if show.record.phase == "done" else footer(show)


def _judged_in_the_issue(show: Show) -> str:
    explanation = explain(show.record, show.policy, show.as_of)
    lines = f"{first_line(show)}\n{second_line(show, explanation)}"
    return f"{lines}\n\nPlans are judged in {issue(show)}. {footer(show)}"


def _not_linked(show: Show) -> str:
    record = show.record
    instead = f"; {pull(show, record.pull_request)} is" if record.pull_request else ""
    link_, hold = (f"`{spelled(show.policy, words)}`" for words in (f"link #{record.issue}", "hold"))
    bare = f" Until then no other command is heard here without `signalbox` in it: {hold} stops nothing."
    back = f" To judge it after all, a builder comments {link_} on it.{bare if 'signalbox' not in hold else ''}"
    over = record.phase == "done" or record.withdrawn
    return (
        f"**not linked** · this pull request is not the one of {issue(show)} any more{instead}\n"
        f"Nothing is awaited here.{'' if over else back}\n\n{why_and_history(show)}"
    )
