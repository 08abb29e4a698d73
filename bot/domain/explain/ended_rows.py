"""Rows of the explain tree where no gate is open: done, withdrawn, frozen, blocked."""

from collections.abc import Iterator

from bot.domain.explain.offers import ROLE, name, person, spelled
from bot.domain.gates.gate import seats
from bot.domain.model.explain import Reason
from bot.domain.model.policy import Policy
from bot.domain.model.record import Frozen, GateName, Question, Record
from bot.domain.model.resuming import furthest, given_up
from bot.domain.model.text import code, counted, listed, moment, plain, sha7, spanned

MAX_QUESTIONS = 3
FROZEN: dict[Frozen, str] = {
    "suspended": "the installation of Signalbox is suspended here, or the repository is archived",
    "database_behind": "the database is older than what GitHub shows",
    "instance_conflict": "another installation of Signalbox writes here",
}


def changed_history(record: Record) -> str:
    """Of a record whose stored history is not what was written."""
    return (
        f"its stored history is not what was written, and nothing of it merges; {how_to_look(record)} says what differs"
    )


def how_to_look(record: Record) -> str:
    return code(f"signalbox verify-history {record.repository}#{record.issue}")


def done_rows(record: Record, policy: Policy) -> Iterator[Reason]:
    """What authorised the merge: only what really existed, and was said of the head that was merged."""
    approvals = seats(record, policy, "plan", "review")
    if record.plan is not None and approvals:
        who = listed([person(d.by.login) for d in approvals])
        yield Reason(
            what=f"Plan r{record.plan.revision}", state="ok", text=f"approved by {who}", brief="approved", how=who
        )
    judged = record.merge.head in {None, record.head}
    for gate in ("testing", "submit"):
        parts = authority(record, policy, gate) if judged else []
        if parts:
            how = ", ".join(parts)
            yield Reason(what=gate, state="ok", text=f"{spanned(record.head and sha7(record.head))}: {how}", how=how)
    for missing in record.merge.missing:
        yield Reason(what="missing", state="failed", text=missing_words(missing))
    yield _merged_row(record)


def missing_words(missing: str) -> str:
    """An entry of `merge.missing`: our own words, and the name of a check in a code span."""
    kind, _, rest = missing.partition(" ")
    spanned = rest.startswith("`") and rest.endswith("`")
    return f"check {name(rest)}" if kind == "check" and rest and not spanned else plain(missing)


def merged_words(record: Record) -> str:
    """How it was merged, without the time."""
    merge = record.merge
    sha = f" as `{sha7(merge.sha)}`" if merge.sha else ""
    if not merge.external:
        return f"merged{sha}"
    by = f" by {person(merge.merged_by.login)}" if merge.merged_by else ""
    return f"merged outside Signalbox{by}{sha}"


def anew(policy: Policy) -> str:
    """How a withdrawn record starts again. `/cancel` leaves the issue open and its label on: what is there cannot be added."""
    label = name(policy.start_label)
    return f"a builder reopens the issue, or adds the label {label} again (taking it off first where it is still on)"


def withdrawn_row(record: Record, policy: Policy) -> Reason:
    by = f" by {person(record.withdrawn_by.login)}" if record.withdrawn_by else ""
    text = f"in {record.phase}{by}. To start again, {anew(policy)}"
    return Reason(what="withdrawn", state="later", text=text)


def thaw(record: Record, policy: Policy) -> str:
    """What an operator does about it."""
    match record.frozen:
        case "database_behind":
            again = spelled(policy, "resume planning" if record.phase == "blocked" else "replan")
            words = f"`{again}`" if record.phase == "blocked" else f"`{again}` and why"
            return f"put the newest database back; or, if it is lost, comment {words}, and everything is decided anew"
        case "instance_conflict":
            return "stop one of the two; an hour later it goes on by itself"
        case _:
            return "lift the suspension on GitHub, or unarchive the repository"


def frozen_row(record: Record, policy: Policy) -> Reason:
    why = FROZEN[record.frozen or "suspended"]
    return Reason(
        what="frozen",
        state="failed",
        text=why,
        waiting_on="operators",
        who_could=(ROLE["operators"],),
        how=thaw(record, policy),
    )


def blocked_row(record: Record, policy: Policy) -> Reason:
    """An operator is awaited, whatever the cause; a builder too where the policy lets builders resume."""
    blocked = record.blocked
    if blocked is None:
        return Reason(what="blocked", state="failed", text="", waiting_on="operators", who_could=(ROLE["operators"],))
    how, command = way_out(record, policy)
    also = (ROLE["builders"],) if builders_resume(record, policy) else ()
    return Reason(
        what="blocked",
        state="failed",
        text=f"in {blocked.from_} since {moment(blocked.since)}: {blocker(record)}",
        waiting_on="operators",
        who_could=(*also, ROLE["operators"]),
        children=question_rows(record, policy),
        how=how,
        command=command,
    )


def open_questions(record: Record) -> tuple[Question, ...]:
    return tuple(question for question in record.questions if question.answer is None)


def blocker(record: Record) -> str:
    """Why it is blocked, as it is now: questions are asked and answered after it was stopped."""
    assert record.blocked is not None
    asked = {f"question {each.id} needs an answer" for each in record.questions}
    if record.blocked.cause != "question" or record.blocked.reason not in asked:
        return plain(record.blocked.reason)
    ids = [each.id for each in open_questions(record)]
    if not ids:
        return "every question is answered, and nobody has let it go on yet"
    return f"question {ids[0]} needs an answer" if len(ids) == 1 else f"questions {listed(ids)} need answers"


def builders_resume(record: Record, policy: Policy) -> bool:
    """Whether the word that lets it go on is `/resume`, and the policy lets builders say that."""
    resumes = record.blocked is not None and record.blocked.cause not in {"budget", "issue_gone", "external_merge"}
    return policy.blocked_recovery == "builder" and resumes


def way_out(record: Record, policy: Policy) -> tuple[str, str | None]:
    """How a blocked record goes on, and the command for it."""
    assert record.blocked is not None
    settle, retry = spelled(policy, "settle merged"), spelled(policy, "retry")
    resume = spelled(policy, f"resume {furthest(record.blocked.from_)}")
    match record.blocked.cause:
        case "budget":
            return f"comment `{retry}`", retry
        case "issue_gone":
            return "start again on another issue; this one is gone", None
        case "external_merge":
            return f"comment `{settle}` and the 40-digit merge commit", f"{settle} "
        case _:
            costs = given_up(record)
            return f"comment `{resume}`{f'; {costs}' if costs else ''}", resume


def authority(record: Record, policy: Policy, gate: GateName) -> list[str]:
    """Who and what authorised this gate, as far as it counts: "review `grace`", "gate `omar`", "4 checks"."""
    reviews = seats(record, policy, gate, "review")
    operators = seats(record, policy, gate, "operator")
    parts = []
    if reviews:
        parts.append(f"review {listed([person(d.by.login) for d in reviews])}")
    if operators:
        parts.append(f"gate {listed([person(d.by.login) for d in operators])}")
    green = sum(item.state == "success" for item in record.verification.checks)
    if green and record.verification.head == record.head and (parts or not record.merge.external):
        parts.append(counted(green, "check"))
    return parts


def _merged_row(record: Record) -> Reason:
    at = f", {moment(record.merge.merged_at)}" if record.merge.merged_at else ""
    words = merged_words(record)
    return Reason(what="done", state="ok", text=f"{words}{at}", how=words)


def question_rows(record: Record, policy: Policy) -> tuple[Reason, ...]:
    questions = open_questions(record)
    return tuple(_question_row(each, policy, only=len(questions) == 1) for each in questions[:MAX_QUESTIONS])


def _question_row(question: Question, policy: Policy, *, only: bool) -> Reason:
    command = spelled(policy, "answer" if only else f"answer {question.id}")
    return Reason(
        what="question",
        state="waiting",
        text=f"{code(question.id, in_table=True)} by {person(question.asked_by.login)}: {code(question.text, in_table=True)}",
        how=f"comment `{command}` and the text",
        command=f"{command} ",
    )
