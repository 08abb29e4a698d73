"""The way in: what does this signal do to this record?

`decide(record, signal, facts, policy, now)` is pure. It answers Advance (write these versions), Refuse (an expected no),
Ignore (nothing to do), Gather (these questions must be answered first) or NotYet (one could not be; keep the signal).
Each signal has one handler in HANDLERS; what follows by itself is in `following`; the kernel has the last word.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from bot.domain.lifecycle import (
    blocking,
    evaluating,
    freezing,
    issues,
    judging,
    looking,
    merging,
    planning,
    pulls,
    refusing,
    settlement,
    stopping,
    twins,
    urging,
    watching,
)
from bot.domain.lifecycle.builtin import DELIVERY
from bot.domain.lifecycle.checking import checks_changed
from bot.domain.lifecycle.facts import Facts
from bot.domain.lifecycle.following import follow
from bot.domain.lifecycle.results import Gather, Ignore, Lacking, NotYet, Refuse, Remember, Result, Unread
from bot.domain.lifecycle.spelling import respell
from bot.domain.lifecycle.starting import start
from bot.domain.lifecycle.turn import Rules, Turn
from bot.domain.model.ids import Repo
from bot.domain.model.merge import Remembered
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.domain.model.signals import ChecksChanged, ReviewSubmitted, RolesChanged, Signal, StartLabelAdded

Handler = Callable[[Turn, Any], Refuse | Ignore | Remember | None]

#: Facts that wait while GitHub may be merging: stored in order, applied if the merge did not happen.
REMEMBERED = frozenset(
    {
        "head_pushed",
        "pull_retargeted",
        "pull_closed",
        "pull_reopened",
        "draft_changed",
        "checks_changed",
        "issue_closed",
        "issue_gone",
        "policy_changed",
        "roles_changed",
        "verification_reported",
        "review_submitted",
    }
)


HANDLERS: dict[str, Handler] = {
    "start_label_added": issues.start_label_added,
    "label_removed": issues.label_removed,
    "issue_closed": issues.issue_closed,
    "issue_reopened": issues.issue_reopened,
    "issue_gone": issues.issue_gone,
    "pull_opened": pulls.pull_opened,
    "head_pushed": pulls.pull_changed,
    "pull_retargeted": pulls.pull_changed,
    "pull_closed": pulls.pull_changed,
    "pull_reopened": pulls.pull_changed,
    "draft_changed": pulls.pull_changed,
    "review_submitted": judging.review_submitted,
    "review_dismissed": judging.review_dismissed,
    "checks_changed": checks_changed,
    "installation_changed": freezing.installation_changed,
    "doubt_found": freezing.doubt_found,
    "doubt_over": freezing.doubt_over,
    "repository_renamed": freezing.repository_renamed,
    "submit_plan": planning.submit_plan,
    "approve": judging.approve,
    "reject": judging.reject,
    "open_gate": judging.open_gate,
    "declare_candidate": judging.declare_candidate,
    "link": pulls.link_command,
    "block_work": blocking.block_work,
    "answer_question": blocking.answer_question,
    "resume": blocking.resume,
    "retry": blocking.retry,
    "hold": stopping.hold,
    "unhold": stopping.unhold,
    "rework": stopping.rework,
    "replan": stopping.replan,
    "cancel": stopping.cancel,
    "revoke": stopping.revoke,
    "unlink": stopping.unlink,
    "merge_now": urging.merge_now,
    "settle_merged": settlement.settle_merged,
    "settle_unmerged": settlement.settle_unmerged,
    "set_priority": urging.set_priority,
    "head_shared": twins.head_shared,
    "policy_changed": evaluating.policy_changed,
    "roles_changed": evaluating.roles_changed,
    "verification_reported": evaluating.verification_reported,
    "time_came": looking.time_came,
    "branch_pushed": looking.branch_pushed,
    "ask_merge": merging.ask_merge,
    "release_reservation": merging.release,
    "merge_not_sent": merging.not_sent,
    "merge_answered": merging.answered,
    "merge_lease_expired": merging.lease_expired,
    "merge_looked": watching.looked,
}
#: Signals that only ask the projections to look again, or that the shell turns into others; they never change a record.
NO_CHANGE = frozenset({"comment_created", "labels_touched", "rerun_requested", "ask_status", "ask_help"})
#: After these nothing follows by itself in the same turn: a refused or uncertain merge waits for a new fact.
FINAL = frozenset(
    {"ask_merge", "release_reservation", "merge_answered", "merge_not_sent", "merge_lease_expired", "merge_looked"}
)


def decide(record: Record, signal: Signal, facts: Facts, policy: Policy, now: datetime) -> Result:
    """What this signal does to this record."""
    if signal.kind in NO_CHANGE or (isinstance(signal, ChecksChanged) and signal.mine):
        return Ignore("it changes no record")  # our own check run above all: its news would ask a refused merge anew
    turn = Turn(record, signal, facts, policy, now, RULES)
    try:
        if record.in_flight and signal.kind in REMEMBERED:
            return _remember(turn, signal)
        outcome = HANDLERS[signal.kind](turn, signal)
        if isinstance(outcome, Refuse):
            return _refused(turn, outcome)
        if isinstance(outcome, Remember):
            return _remember(turn, signal)
        if signal.kind not in FINAL:
            follow(turn)
        if not isinstance(outcome, Ignore):
            return turn.finish("nothing changed")
        return turn.finish(outcome.why, outcome.effects, outcome.look_at)
    except Lacking as lacking:
        return Gather(frozenset({lacking.question}))
    except Unread as unread:
        return NotYet(str(unread.args[0]))


def decide_start(repo: Repo, signal: StartLabelAdded, facts: Facts, policy: Policy, now: datetime) -> Result:
    """Where there is no record yet."""
    try:
        return start(repo, signal, facts, policy, now)
    except Lacking as lacking:
        return Gather(frozenset({lacking.question}))


def _refused(turn: Turn, outcome: Refuse) -> Result:
    """A refusal changes nothing; but a fact that was read on the way is booked, and what follows from it happens."""
    turn.drop_unbooked()
    if not turn.changed:
        return Refuse(respell(outcome.refusal, turn.policy))
    follow(turn)
    turn.refusal = respell(outcome.refusal, turn.policy)
    return turn.finish("refused")


def _remember(turn: Turn, signal: Signal) -> Result:
    merge = turn.record.merge
    stored = signal.model_dump(mode="json")
    if isinstance(signal, ChecksChanged):
        if signal.head != turn.record.head:
            return Ignore("not a check of the head that is being merged")
        if any(r.signal["kind"] == "checks_changed" for r in merge.remembered):
            return Ignore("a change of checks is remembered already")
    if isinstance(signal, RolesChanged) and any(r.signal["kind"] == signal.kind for r in merge.remembered):
        return Ignore("a change of roles is remembered already")
    if isinstance(signal, ReviewSubmitted):
        if signal.state.lower() != "changes_requested":
            return Ignore("an approval says nothing while GitHub may be merging")
        turn.refusal = refusing.kept_for_later(turn.record).refusal
    look = {"look_at": turn.now} if signal.kind in {"pull_closed", "issue_closed"} else {}
    turn.set_merge(remembered=(*merge.remembered, Remembered(signal=stored, at=turn.now)), **look)
    turn.say("remembered until the merge is settled")
    return turn.finish("remembered")


def _handle(turn: Turn, signal: Signal) -> None:
    """A remembered signal, applied inside the turn that ended the reservation."""
    outcome = HANDLERS[signal.kind](turn, signal)
    if isinstance(outcome, Refuse):
        turn.drop_unbooked()


RULES = Rules(DELIVERY, _handle)
