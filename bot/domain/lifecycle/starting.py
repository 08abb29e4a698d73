"""The first version of a record: the start label, added by a builder."""

from datetime import datetime

from bot.domain.lifecycle.budgets import fresh_budgets
from bot.domain.lifecycle.builtin import DELIVERY_REF
from bot.domain.lifecycle.denying import lacking
from bot.domain.lifecycle.facts import Facts
from bot.domain.lifecycle.results import Advance, Ignore, NotYet, Step
from bot.domain.lifecycle.roles import standing
from bot.domain.model.effects import CreateComment, Effect
from bot.domain.model.facts import Permission
from bot.domain.model.ids import Repo
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.domain.model.sightings import StartLabelAdded
from bot.domain.model.text import same_name


def start(
    repo: Repo, signal: StartLabelAdded, facts: Facts, policy: Policy, now: datetime
) -> Advance | Ignore | NotYet:
    """Version 1 in planning; or a comment that says why nothing started."""
    if not same_name(signal.label, policy.start_label):
        return Ignore("not the start label")
    actor = signal.actor
    if actor.kind != "person":
        return Ignore("only people start work")
    found = standing(facts.ask, policy, actor.as_person(), "builder")
    if found.holds is None or found.permission is None:
        return NotYet(found.why)
    if not found.holds:
        return Ignore("the labeller is not a builder", (_no_right(signal, found.permission, policy),))
    record = Record(
        repository=repo.full_name,
        repository_id=repo.id,
        installation_id=repo.installation_id,
        issue=signal.issue,
        issue_id=signal.issue_id,
        title=signal.title,
        version=1,
        phase="planning",
        requester=actor.as_person(),
        budgets=fresh_budgets(policy),
        policy_sha=policy.sha,
        machine=DELIVERY_REF,
        started_at=signal.at or now,
        phase_since=now,
    )
    return Advance((Step(record, None, "started", actor, f"label {policy.start_label} added"),))


def _no_right(signal: StartLabelAdded, permission: Permission, policy: Policy) -> Effect:
    marker = f"<!-- signalbox:no-right:{signal.issue}:{signal.actor.id} -->"
    body = (
        f"Not started: the label needs {lacking(policy, permission.login, permission.level, 'builder')}.\n"
        f"Nothing changed. A builder starts it by removing the label and adding it again.\n{marker}"
    )
    return Effect(
        kind="notice",
        target=f"issue:{signal.issue}",
        once=f"no-right:{signal.issue_id}:{signal.actor.id}",
        write=CreateComment(number=signal.issue, body=body, marker=marker),
    )
