"""The first two lines of comment and check run: what is true now, and who is awaited."""

from bot.domain.explain.building_rows import is_red
from bot.domain.explain.check_rows import open_names
from bot.domain.explain.ended_rows import FROZEN, anew, builders_resume, missing_words, open_questions
from bot.domain.explain.merge_row import held_meanwhile, held_words, obstacle
from bot.domain.explain.offers import name, person, spelled
from bot.domain.explain.tree import awaited, step_rows
from bot.domain.merging.unmerged import unmerged_clause
from bot.domain.model.explain import Explanation, Reason, WaitingOn
from bot.domain.model.record import Record
from bot.domain.model.text import in_words, link, moment, when
from bot.domain.projections.show import Show
from bot.domain.projections.wording import awaited_words, bold, commit, judged, page

_MERGING = frozenset({"requested", "confirming"})


def first_line(show: Show) -> str:
    """The phase, and what is judged."""
    record = show.record
    if record.phase == "done":
        return f"**done** · {_merged(show)}"
    if record.withdrawn:
        by = f" by {person(record.withdrawn_by.login)}" if record.withdrawn_by else ""
        return f"**withdrawn** in {record.phase}{by}"
    return f"**{record.phase}**{_about(show)}"


def second_line(show: Show, explanation: Explanation) -> str:
    """Who is awaited, and for what; and a hold, wherever the record is."""
    return f"{_awaits(show, explanation)}{_held_meanwhile(show)}"


def _held_meanwhile(show: Show) -> str:
    """A hold stops the merge only. Before submit, too, whoever set it sees that it stands, and for what reason."""
    record = show.record
    if (
        record.held is None
        or record.phase == "done"
        or (record.phase == "submit" and not (record.withdrawn or record.frozen))
    ):
        return ""
    return f" {held_meanwhile(record, show.policy, show.as_of)}."


def _awaits(show: Show, explanation: Explanation) -> str:
    record = show.record
    if record.phase == "done":
        missing = ", ".join(missing_words(each) for each in record.merge.missing)
        return f"Missing at that moment: {missing}." if missing else "Nothing is awaited."
    if record.withdrawn:
        return f"Nothing is awaited. To start again, {anew(show.policy)}."
    if record.frozen is not None:
        return f"Waiting for **an operator**: {FROZEN[record.frozen]}."
    if record.phase == "blocked":
        builders = builders_resume(record, show.policy) and not open_questions(record)
        return f"Waiting for **{'a builder or an operator' if builders else 'an operator'}** to {_to_unblock(record)}."
    if record.merge.one_sided_since is not None:
        return (
            "Nobody needs to do anything yet: the pull request shows a merge outside Signalbox, and its base does not. "
            "It is read again; if that stays so, an operator settles it."
        )
    if record.phase == "submit":
        return _submit(show, explanation)
    return _waiting(show, explanation)


def _about(show: Show) -> str:
    record = show.record
    match record.phase:
        case "planning":
            return " · no plan yet" if record.plan is None else f" · plan r{record.plan.revision} was given up"
        case "plan_ready":
            return f" · {_plan(show)}"
        case "plan_rejected":
            by = f" by {person(record.feedback_by.login)}" if record.feedback_by else ""
            return f" · plan r{record.plan.revision if record.plan else 1} was rejected{by}{_reason(record)}"
        case "building":
            return f"{_plan_number(record)}{_last_head(show)}"
        case "blocked":
            return _blocked(record)
        case _:
            return _under_judgement(show)


def _plan(show: Show) -> str:
    plan = show.record.plan
    if plan is None:
        return "no plan"
    before = plan.revision - 1
    changed = link(f"changed since r{before}", page(show, f"#plan-r{before}..r{plan.revision}"))
    since = f", {changed}" if before else ""
    return f"plan {link(f'r{plan.revision}', plan.url)} by {person(plan.author.login)}{since}"


def _plan_number(record: Record) -> str:
    return f" · plan r{record.plan.revision}" if record.plan else ""


def _reason(record: Record) -> str:
    linked = link("reason", record.feedback_url)
    return f" ({linked})" if linked != "reason" else ""


def _last_head(show: Show) -> str:
    record = show.record
    if record.head is None:
        return ""
    if record.is_rejected:
        by = f" by {person(record.feedback_by.login)}" if record.feedback_by else ""
        return f" · last head {commit(show, record.head)} was rejected{by}{_reason(record)}"
    if is_red(record):
        names = open_names(record)
        failed = f"check {name(names[0])}" if names else "a check"
        return f" · last head {commit(show, record.head)} failed {failed}"
    return f" · last head {commit(show, record.head)}"


def _under_judgement(show: Show) -> str:
    record = show.record
    merge = record.merge
    if merge.state in _MERGING and record.phase == "submit" and merge.head is not None:
        since = f" since {when(merge.requested_at, show.as_of)}" if merge.requested_at else ""
        return f" · merging {commit(show, merge.head)} into {name(record.base or 'the base')}{since}"
    head = judged(show, record.head) if record.head else "not known"
    gate = record.gates_opened.testing if record.phase == "testing" else record.gates_opened.submit
    return f" · head {head}{_plan_number(record)} · round {gate.round}"


def _blocked(record: Record) -> str:
    blocked = record.blocked
    if blocked is None:
        return ""
    asking = next((q.asked_by for q in open_questions(record)), blocked.by)
    by = f" · asked by {person(asking.login)}" if asking and blocked.cause == "question" else ""
    return f" in {blocked.from_} since {moment(blocked.since)}{by}"


def _merged(show: Show) -> str:
    record = show.record
    merge = record.merge
    sha = f" as {commit(show, merge.sha)}" if merge.sha else ""
    if merge.external:
        by = f" by {person(merge.merged_by.login)}" if merge.merged_by else ""
        return f"merged outside Signalbox{by}{sha}"
    into = f" into {name(record.base)}" if record.base else ""
    return f"merged{sha}{into}{f', {moment(merge.merged_at)}' if merge.merged_at else ''}"


def _to_unblock(record: Record) -> str:
    match record.blocked.cause if record.blocked else "question":
        case "budget":
            return "allow more tries"
        case "checks":
            return "decide about checks that do not finish"
        case "issue_gone":
            return "decide, because the issue is gone"
        case "external_merge":
            return "settle a merge outside Signalbox"
        case "merge_refused":
            return f"decide about a merge that {unmerged_clause(record.merge)}"
        case _:
            number = len(open_questions(record))
            return f"answer {in_words(number)} question{'' if number == 1 else 's'}" if number else "let it go on"


def _submit(show: Show, explanation: Explanation) -> str:
    record, policy = show.record, show.policy
    match record.merge.state:
        case "requested" | "confirming":
            return "Nobody needs to do anything. Commands that would change the outcome are refused until GitHub has answered."
        case "reserved":
            hold = spelled(policy, "hold")
            return f"Nobody needs to do anything: Signalbox is about to ask GitHub to merge. To stop that, comment `{hold}`."
        case "ambiguous":
            evidence = link("evidence", f"{show.web.public_url}/merges#{record.merge.id or ''}")
            return f"Waiting for **an operator**: it is not known whether GitHub merged this ({evidence})."
    if record.held is not None:
        return _held(show, explanation)
    return _waiting(show, explanation)


def _held(show: Show, explanation: Explanation) -> str:
    held = show.record.held
    assert held is not None
    who = person(held.by.login)
    unhold = spelled(show.policy, "unhold")
    line = f"Held{held_words(show.record, show.as_of).removeprefix('held')}. To go on, {who} or an operator comments `{unhold}`."
    rows = tuple(row for row in step_rows(explanation) if row.what != "Merge")
    others = awaited_words(show.record, explanation.model_copy(update={"reasons": rows}))
    return f"{line} Also waiting for {bold(others)}." if others else line


def _waiting(show: Show, explanation: Explanation) -> str:
    record = show.record
    who = awaited(explanation)
    if not who:
        return "Nobody needs to do anything."
    if who == ("github",):
        return f"Nobody needs to do anything. {_turn(show)}"
    return f"Waiting for {bold(awaited_words(record, explanation))}{_purpose(show, who, step_rows(explanation))}"


def _turn(show: Show) -> str:
    record = show.record
    stands = obstacle(record, show.as_of)
    if stands is not None:
        return f"Waiting for GitHub: {stands.why.rstrip('.')}."
    return f"Signalbox merges when it is its turn on {name(record.base or 'the base')}."


def _purpose(show: Show, who: tuple[WaitingOn, ...], rows: tuple[Reason, ...]) -> str:
    """The end of the sentence, from "Waiting for …" on."""
    record = show.record
    if who == ("builders",):
        return f" {_to_build(record)}."
    merge = next((row for row in rows if row.what == "Merge" and row.waiting_on is not None), None)
    if merge is not None and who == ("operators",):
        return f" to {merge.how}." if merge.command else f": {merge.text.rstrip('.')}."
    if record.phase == "testing" and record.verification.state == "passed" and "checks" not in who:
        return ". Checks are green."
    if record.phase == "submit" and show.policy.merge.trigger == "auto":
        return ". Signalbox merges when every row is done."
    return "."


def _to_build(record: Record) -> str:
    plan, pull = record.plan, record.pull
    if record.phase in {"planning", "plan_rejected"}:
        return f"to submit plan r{plan.revision + 1}" if plan else "to submit a plan"
    if pull is None:
        return "to open a pull request"
    if not pull.open:
        return "to reopen the pull request"
    if pull.auto_merge and record.phase == "submit" and not pull.draft:
        return "to switch GitHub's auto-merge off on the pull request"
    return "to mark the pull request as ready for review" if pull.draft else "to push a new commit"
