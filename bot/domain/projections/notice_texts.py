"""What notices about a merge, a human gate or a frozen record say."""

import re
from collections.abc import Iterable

from bot.domain.explain.ended_rows import FROZEN, missing_words, thaw
from bot.domain.explain.offers import name, person, spelled
from bot.domain.explain.tree import explain, step_rows
from bot.domain.gates.gate import seats
from bot.domain.merging.permission import AND_IT_MAY_NOT, lacking
from bot.domain.merging.permission import spelled as permission_words
from bot.domain.model.merge import Merge, MergeRead
from bot.domain.model.record import GateName
from bot.domain.model.text import code, counted, link, listed, plain, seconds_clock, sha12, spanned, when
from bot.domain.projections.show import Show
from bot.domain.projections.wording import commit, on_github, why_and_history

MAX_READS = 4
#: Answers of our own making: GitHub said yes, or shows half of it, and no more comes.
_HALF: dict[str, str] = {
    "only the pull request shows it": "The pull request shows a merge, and the base does not.",
    "only the base shows it": "The base shows a merge, and the pull request does not.",
    "GitHub said it was merged, and neither side shows it": "GitHub said that it was merged, and neither side shows it.",
    "GitHub has not carried the request out yet": "GitHub took the request and has not carried it out yet.",
}


def external(show: Show) -> str:
    """Somebody else merged: nothing is asked of anybody."""
    return (
        f"**{who_merged(show)} merged this pull request outside Signalbox**{what_came_of_it(show)}.\n"
        f"{what_was_missing(show)} The record is done and marked as merged outside.\n"
        "Nothing has to be done here. If it was a mistake, revert it on GitHub."
    )


def who_merged(show: Show) -> str:
    merge = show.record.merge
    return person(merge.merged_by.login) if merge.merged_by else "Somebody"


def what_came_of_it(show: Show) -> str:
    merge = show.record.merge
    sha = f", as {commit(show, merge.sha)}" if merge.sha else ""
    return f"{sha}{f' at {when(merge.merged_at, show.as_of)}' if merge.merged_at else ''}"


def what_was_missing(show: Show) -> str:
    missing = ", ".join(missing_words(each) for each in show.record.merge.missing)
    if not missing:
        return "Nothing was missing."
    return f"Missing at that moment: {missing}. No approval was recorded for them."


def ambiguous(show: Show) -> str:
    """It is not known whether GitHub merged: what was asked, what was answered, what was read."""
    record, policy = show.record, show.policy
    merge = record.merge
    base = name(merge.base or record.base or "the base")
    at = f", at {seconds_clock(merge.requested_at)}," if merge.requested_at else ""
    times = "once" if merge.attempts <= 1 else "again"
    settle = spelled(policy, "settle")
    asked = (
        "**An operator is needed: it is not known whether this pull request was merged.**\n"
        f"Signalbox asked GitHub {times}{at} to {merge.method or policy.merge.method} "
        f"{spanned(merge.head and sha12(merge.head))} into {base}. {_answer(merge)} It has not asked again and will not."
    )
    warning = "> [!WARNING]\n> Until this is settled, do not merge, close or push here."
    heads = [f"| Read at (UTC) | Pull request | {base} contains it |", "|---|---|---|"]
    reads = [_row(read) for read in _telling(merge.reads)]
    evidence = link("All evidence", f"{show.web.public_url}/merges#{merge.id or ''}")
    settling = (
        f"If it was merged, an operator comments `{settle} merged` and the 40-digit merge commit; "
        f"if not, `{settle} unmerged` and why.\n"
        f"The answer is checked against GitHub before it counts. {evidence}"
    )
    blocks = [asked, warning, *(["\n".join([*heads, *reads])] if reads else []), settling]
    return "\n\n".join(blocks)


def turn(show: Show, gate: GateName) -> str:
    """Everything but the human gate is done."""
    record, policy = show.record, show.policy
    row = next(r for r in step_rows(explain(record, policy, show.as_of)) if r.what == "Human gate")
    reviews = seats(record, policy, gate, "review")
    green = sum(item.state == "success" for item in record.verification.checks)
    done = [f"plan r{record.plan.revision}"] if record.plan else []
    done += [counted(green, "check")] if green else []
    done += [f"review by {listed([person(d.by.login) for d in reviews])}"] if reviews else []
    who = listed(row.who_could, "or")
    files = link("looking at the change", on_github(show, f"pull/{record.pull_request}/files"))
    return (
        f"**Ready for the human gate:** everything else for {spanned(record.head and sha12(record.head))} is done "
        f"({', '.join(done)}).\n"
        f"{who[:1].upper()}{who[1:]} opens it with `{row.command}` after {files}."
    )


def permission(show: Show) -> str:
    """The App may not merge this: whoever owns the installation is asked, and what else would help."""
    record, policy = show.record, show.policy
    need = lacking(record)
    assert need is not None, "nothing lacks here"
    merge, cancel, rework = (spelled(policy, verb) for verb in ("merge", "cancel", "rework"))
    why = (
        f"GitHub said: {code(record.merge.reason or '')}"
        if record.merge.state == "refused"
        else f"{record.merge.reason}".partition(f", {AND_IT_MAY_NOT}")[0]
    )
    return (
        f"**An operator is needed: the App lacks the permission `{permission_words(need)}`, so it may not merge "
        f"{spanned(record.head and sha12(record.head))}.**\n"
        f"{why[:1].upper()}{why[1:]} ({why_and_history(show)}). Nothing was merged, and nothing that was approved is lost.\n"
        "Shall the App have it? An owner of the installation accepts the new permission in its settings on GitHub, then it goes "
        f"on by itself, or at once when an operator comments `{merge}`.\n"
        f"If not, an operator sends it back with `{rework}` and why, or withdraws it with `{cancel}` and why."
    )


def unread(show: Show) -> str:
    """It may be that GitHub never says it, and then somebody has to change something."""
    record, policy = show.record, show.policy
    cancel, rework = spelled(policy, "cancel"), spelled(policy, "rework")
    head = spanned(record.head and sha12(record.head))
    return (
        f"**An operator is needed: GitHub has not said for an hour what the merge of {head} needs.**\n"
        f"{plain(record.merge.reason or '')} ({why_and_history(show)}).\n"
        "Nothing was merged, and nothing that was approved is lost. It goes on by itself once GitHub says it.\n"
        "Does the App lack a permission to read it? An operator finds that out with `signalbox doctor`.\n"
        f"Or an operator sends it back with `{rework}` and why, or withdraws it with `{cancel}` and why."
    )


def frozen(show: Show) -> str:
    """We cannot trust ourselves here: nothing is decided until somebody has looked."""
    record = show.record
    why = FROZEN[record.frozen or "instance_conflict"]
    return (
        f"**An operator is needed: {why}.**\n"
        "Until that is over nothing that people decide here is counted, and nothing is merged.\n"
        f"An operator can {thaw(record, show.policy)}."
    )


def _telling(reads: Iterable[MergeRead]) -> list[MergeRead]:
    """The first of each run of reads that say the same, so that the table changes only when GitHub says something new."""
    telling: list[MergeRead] = []
    for read in reads:
        if not telling or _says(read) != _says(telling[-1]):
            telling.append(read)
    return telling[-MAX_READS:]


def _says(read: MergeRead) -> tuple[str, ...]:
    if read.merged is None:
        pull = f"read failed{f', {code(read.why, limit=60, in_table=True)}' if read.why else ''}"
        pull = f"read failed, {read.why}" if read.why and read.why.isdigit() else pull
    else:
        pull = "merged" if read.merged else "closed" if read.open is False else "open"
    return pull, {True: "yes", False: "no", None: "unknown"}[read.on_base]


def _row(read: MergeRead) -> str:
    return f"| {read.at:%H:%M:%S} | {' | '.join(_says(read))} |"


def _answer(merge: Merge) -> str:
    answer = merge.answer
    if answer is None or answer in {"no answer", "no answer was stored"}:
        return "There was no answer."
    if answer in _HALF:
        return _HALF[answer]
    status = re.fullmatch(r"(?:HTTP )?(\d{3})", answer.strip())
    return f"The answer was a {status[1]}." if status else f"The answer was {code(answer)}."
