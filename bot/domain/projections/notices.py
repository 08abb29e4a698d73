"""Notices: new comments, hence e-mails, for the few moments in which a person must act or be told. Once per cause.

`due` lists those that the record itself calls for; planning one twice plans it once, by its `once`.
"""

import re

from bot.domain.merging.ended_rows import missing_words
from bot.domain.merging.explain import explain as explain_record
from bot.domain.merging.explain import step_rows, waiting_on
from bot.domain.merging.gate import plan_approved, seats
from bot.domain.merging.offers import name, person, spelled
from bot.domain.model.effects import CreateComment, Effect
from bot.domain.model.facts import Level
from bot.domain.model.policy import Policy
from bot.domain.model.record import GateName, MergeRead, Record
from bot.domain.model.text import code, counted, link, listed, seconds_clock, sha12, spanned, when
from bot.domain.projections.show import Show
from bot.domain.projections.wording import commit, on_github

MAX_MENTIONS = 5
MAX_READS = 4
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*(/[A-Za-z0-9_.-]+)?")


def due(show: Show) -> tuple[Effect, ...]:
    """Notices that this record calls for now, on its pull request."""
    record = show.record
    if record.pull_request is None or record.withdrawn or record.frozen is not None:
        return ()
    if record.phase == "done" and record.merge.external:
        return (notice(record, record.pull_request, "external", external(show)),)
    if record.phase == "submit" and record.merge.state == "ambiguous":
        return (notice(record, record.pull_request, f"ambiguous:{record.merge.attempt}", ambiguous(show)),)
    if (gate := _gate_whose_turn_it_is(record, show.policy)) is not None:
        cause = f"turn:{gate}:{record.head}:{record.head_epoch}"
        return (notice(record, record.pull_request, cause, turn(show, gate)),)
    return ()


def notice(record: Record, number: int, cause: str, body: str) -> Effect:
    """The one-shot effect that posts a notice on a thread; `cause` names what it is about, once for ever."""
    once = f"notice:{record.repository_id}:{record.issue}:{cause}"
    hidden = f"<!-- signalbox:{once} -->"
    write = CreateComment(number=number, body=f"{body}\n\n{hidden}", marker=hidden)
    return Effect(kind="notice", target=f"thread:{record.repository_id}:{number}", once=once, write=write)


def external(show: Show) -> str:
    """Somebody else merged: nothing is asked of anybody."""
    merge = show.record.merge
    who = person(merge.merged_by.login) if merge.merged_by else "Somebody"
    sha = f", as {commit(show, merge.sha)}" if merge.sha else ""
    at = f" at {when(merge.merged_at, show.as_of)}" if merge.merged_at else ""
    missing = ", ".join(missing_words(each) for each in merge.missing)
    told = (
        f"Missing at that moment: {missing}. No approval was recorded for them." if missing else "Nothing was missing."
    )
    return (
        f"**{who} merged this pull request outside Signalbox**{sha}{at}.\n"
        f"{told} The record is done and marked as merged outside.\n"
        "Nothing has to be done here. If it was a mistake, revert it on GitHub."
    )


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
        f"{spanned(merge.head and sha12(merge.head))} into {base}. {_answer(merge.answer)} It has not asked again and will not."
    )
    warning = "> [!WARNING]\n> Until this is settled, do not merge, close or push here."
    heads = [f"| Read at (UTC) | Pull request | {base} contains it |", "|---|---|---|"]
    reads = [_read(read) for read in merge.reads[-MAX_READS:]]
    evidence = link("All evidence", f"{show.web.public_url}/merges#{merge.id or ''}")
    settling = (
        f"If it was merged, an operator comments `{settle} merged` and the 40-digit merge commit; "
        f"if not, `{settle} unmerged` and why.\n"
        f"The answer is checked against GitHub before it counts. {evidence}{_called(policy)}"
    )
    blocks = [asked, warning, *(["\n".join([*heads, *reads])] if reads else []), settling]
    return "\n\n".join(blocks)


def turn(show: Show, gate: GateName) -> str:
    """Everything but the human gate is done."""
    record, policy = show.record, show.policy
    row = next(r for r in step_rows(explain_record(record, policy, show.as_of)) if r.what == "Human gate")
    reviews = seats(record, policy, gate, "review")
    green = sum(item.state == "success" for item in record.verification.checks)
    done = [f"plan r{record.plan.revision}"] if record.plan else []
    done += [counted(green, "check")] if green else []
    done += [f"review by {listed([person(d.by.login) for d in reviews])}"] if reviews else []
    who = listed(row.who_could, "or")
    head = spanned(record.head and sha12(record.head))
    files = link("looking at the change", on_github(show, f"pull/{record.pull_request}/files"))
    return (
        f"**Ready for the human gate:** everything else for {head} is done ({', '.join(done)}).\n"
        f"{who[:1].upper()}{who[1:]} opens it with `{row.command}` after {files}.{_called(policy)}"
    )


def labeller(policy: Policy, login: str, level: Level) -> str:
    """Somebody without the right added the start label: nothing started."""
    needed = policy.roles.builders.permission
    return (
        f"**Nothing started:** {person(login)} added the label {code(policy.start_label)}, but only a builder "
        f"(`{needed}` on this repository) starts a lifecycle, and {person(login)} has `{level}`.\n"
        "A builder starts it by removing the label and adding it again."
    )


def own_deadlock(show: Show, app: int | None) -> str:
    """The base requires a check named `signalbox` that our App cannot give. `app` is the App the rules name."""
    base = name(show.record.base or "the base")
    source = f"the App {app}" if app is not None else "another source"
    return (
        f"**An operator is needed: the rules of {base} wait for a check that never comes.**\n"
        f"They require the check `signalbox` from {source}, and this Signalbox is another one, so nothing can merge.\n"
        "An operator sets the expected source of `signalbox` to this App, or takes the check off the rules."
        f"{_called(show.policy)}"
    )


def _gate_whose_turn_it_is(record: Record, policy: Policy) -> GateName | None:
    """The gate at which only operators are awaited, and only for the human gate."""
    gate: GateName
    if record.phase == "testing":
        gate = "testing"
    elif record.phase == "submit" and record.merge.state in {"none", "refused"}:
        gate = "submit"
    else:
        return None
    if record.held is not None or waiting_on(record, policy) != ("operators",) or not plan_approved(record, policy):
        return None
    missing = len(seats(record, policy, gate, "operator")) < policy.gates.of(gate).operators
    return gate if missing and record.verification.state == "passed" else None


def _read(read: MergeRead) -> str:
    if read.merged is None:
        pull = f"read failed{f', {code(read.why, limit=60, in_table=True)}' if read.why else ''}"
        pull = f"read failed, {read.why}" if read.why and read.why.isdigit() else pull
    else:
        pull = "merged" if read.merged else "closed" if read.open is False else "open"
    contains = {True: "yes", False: "no", None: "unknown"}[read.on_base]
    return f"| {read.at:%H:%M:%S} | {pull} | {contains} |"


def _answer(answer: str | None) -> str:
    if answer is None or answer == "no answer":
        return "There was no answer."
    status = re.fullmatch(r"(?:HTTP )?(\d{3})", answer.strip())
    return f"The answer was a {status[1]}." if status else f"The answer was {code(answer)}."


def _called(policy: Policy) -> str:
    """The people or teams that the policy names for this: the only live mentions we ever write."""
    names = [who.removeprefix("@") for who in policy.notify]
    mentions = [f"@{who}" for who in names if _NAME.fullmatch(who)][:MAX_MENTIONS]
    return f" For {', '.join(mentions)}" if mentions else ""
