"""Rows of the explain tree in `building`: the plan, the pull request, the task, and the head that is missing."""

from datetime import datetime

from bot.domain.explain.check_rows import checks_row
from bot.domain.explain.need_rows import plan_row
from bot.domain.explain.offers import ROLE, name, person, spelled
from bot.domain.model.explain import Reason, ReasonState, WaitingOn
from bot.domain.model.linked import LinkedPull
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.domain.model.text import link, sha12, when

_TASK = {
    "pending": "waiting for an agent",
    "executing": "being built",
    "addressing": "addressing the rejection",
    "reviewing": "in review",
    "consultation": "consulting",
    "awaiting_human": "waiting for an answer",
    "failed": "failed",
}


def building_rows(record: Record, policy: Policy, as_of: datetime | None) -> tuple[Reason, ...]:
    """What a builder has to do before one commit can be judged."""
    plan = plan_row(record, policy, as_of)
    pull = _pull_row(record, policy)
    tasks = _task_rows(record)
    if record.pull is None or not record.pull.open or pull.waiting_on is not None:
        return (plan, pull, *tasks)
    red = (checks_row(record, policy, as_of),) if is_red(record) else ()
    return (plan, pull, *tasks, *red, _head_row(record, record.pull, policy, as_of))


def is_red(record: Record) -> bool:
    """Whether the present head was sent back by checks."""
    verification = record.verification
    return record.head is not None and verification.state == "failed" and verification.head == record.head


def _pull_row(record: Record, policy: Policy) -> Reason:
    pull = record.pull
    linking = spelled(policy, f"link #{record.issue}")
    if pull is None:
        how = f"open one from a branch `signalbox/{record.issue}-…`, or comment `{linking}` on it"
        return _row("Pull request", "later", "none linked", how=how, command=linking, waiting_on="builders")
    number = link(f"#{pull.number}", pull.url)
    if not pull.open:
        how = f"reopen {number}, or comment `{linking}` on another one"
        return _row("Pull request", "failed", "closed", how=how, command=linking, waiting_on="builders")
    into = f"into {name(record.base)}" if record.base else "open"
    if pull.draft:
        candidate = spelled(policy, f"candidate {sha12(record.head or '')}")
        how = f"mark {number} as ready for review, or comment `{candidate}` on it"
        return _row("Pull request", "waiting", f"a draft, {into}", how=how, command=candidate, waiting_on="builders")
    return Reason(what="Pull request", state="ok", text=into, how=number)


def _task_rows(record: Record) -> tuple[Reason, ...]:
    """The agent's task, if an agent builds this."""
    task = record.work.task
    if not task:
        return ()
    status, holder = str(task.get("status", "")), task.get("holder")
    used, allowed = record.budgets.review_cycles
    cycles = f", {used} of {allowed} review cycles used" if used else ""
    how = person(str(holder)) if holder else "an agent"
    return (Reason(what="Task", state="waiting", text=f"{_TASK.get(status, 'open')}{cycles}", how=how),)


def _head_row(record: Record, pull: LinkedPull, policy: Policy, as_of: datetime | None) -> Reason:
    branch = name(pull.head_ref) if pull.head_ref else "the branch"
    how = f"push to {branch}"
    command = None
    if record.head is not None and not record.is_rejected and not is_red(record):
        command = spelled(policy, f"candidate {sha12(record.head)}")
        how += f", or comment `{command}` on {link(f'#{pull.number}', pull.url)}"
    text = f"none since {when(record.phase_since, as_of)}"
    return _row("New head", "later", text, how=how, command=command, waiting_on="builders")


def _row(what: str, state: ReasonState, text: str, *, how: str, command: str | None, waiting_on: WaitingOn) -> Reason:
    return Reason(
        what=what,
        state=state,
        text=text,
        waiting_on=waiting_on,
        who_could=(ROLE[waiting_on],),
        how=how,
        command=command,
    )
