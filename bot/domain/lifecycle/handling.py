"""What each signal does to a record: one row for every signal there is.

A row says who handles it, and how it stands to what goes on: most are followed by what follows by itself; some wait while
GitHub may be merging; the steps of a merge end the turn; some only make the projections look again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.domain.lifecycle import (
    blocking,
    checking,
    evaluating,
    freezing,
    issues,
    judging,
    looking,
    merging,
    planning,
    pulls,
    rewritten,
    settlement,
    stopping,
    twins,
    unheard,
    urging,
    watching,
)
from bot.domain.lifecycle.results import Ignore, Refuse, Remember
from bot.domain.lifecycle.turn import Turn

Handled = Refuse | Ignore | Remember | None
Handler = Callable[[Turn, Any], Handled]


@dataclass(frozen=True, slots=True)
class Row:
    """`waits`: while GitHub may be merging it is stored, and applied in order if the merge did not happen. `last`: nothing
    follows by itself in the same turn, since a refused or uncertain merge waits for a new fact."""

    handler: Handler
    waits: bool = False
    last: bool = False


def _plain(handler: Handler) -> Row:
    return Row(handler)


def _waits(handler: Handler) -> Row:
    return Row(handler, waits=True)


def _last(handler: Handler) -> Row:
    return Row(handler, last=True)


#: It changes no record: the projections look again, or the shell turns it into other signals.
_NOTHING = _last(lambda _turn, _signal: Ignore("it changes no record"))

ROWS: dict[str, Row] = {
    # What GitHub tells.
    "comment_created": _NOTHING,
    "labels_touched": _NOTHING,
    "rerun_requested": _NOTHING,
    "merge_group_formed": _NOTHING,
    "start_label_added": _plain(issues.start_label_added),
    "label_removed": _plain(issues.label_removed),
    "issue_closed": _waits(issues.issue_closed),
    "issue_reopened": _plain(issues.issue_reopened),
    "issue_gone": _waits(issues.issue_gone),
    "words_changed": _last(rewritten.words_changed),
    "pull_opened": _plain(pulls.pull_opened),
    "head_pushed": _waits(pulls.pull_changed),
    "pull_retargeted": _waits(pulls.pull_changed),
    "pull_closed": _waits(pulls.pull_changed),
    "pull_reopened": _waits(pulls.pull_changed),
    "draft_changed": _waits(pulls.pull_changed),
    "auto_merge_switched": _waits(pulls.pull_changed),
    "review_submitted": _waits(judging.review_submitted),
    "review_dismissed": _plain(judging.review_dismissed),
    "checks_changed": _waits(checking.checks_changed),
    "roles_changed": _waits(evaluating.roles_changed),
    "branch_pushed": _plain(looking.branch_pushed),
    "installation_changed": _plain(freezing.installation_changed),
    "repository_renamed": _plain(freezing.repository_renamed),
    # What people command.
    "submit_plan": _plain(planning.submit_plan),
    "approve": _plain(judging.approve),
    "reject": _plain(judging.reject),
    "open_gate": _plain(judging.open_gate),
    "declare_candidate": _plain(judging.declare_candidate),
    "link": _plain(pulls.link_command),
    "unlink": _plain(stopping.unlink),
    "block_work": _plain(blocking.block_work),
    "answer_question": _plain(blocking.answer_question),
    "resume": _plain(blocking.resume),
    "retry": _plain(blocking.retry),
    "hold": _plain(stopping.hold),
    "unhold": _plain(stopping.unhold),
    "rework": _plain(stopping.rework),
    "replan": _plain(stopping.replan),
    "cancel": _plain(stopping.cancel),
    "revoke": _plain(stopping.revoke),
    "merge_now": _plain(urging.merge_now),
    "set_priority": _plain(urging.set_priority),
    "settle_merged": _plain(settlement.settle_merged),
    "settle_unmerged": _plain(settlement.settle_unmerged),
    "ask_status": _NOTHING,
    "ask_help": _NOTHING,
    # What we tell ourselves.
    "policy_changed": _waits(evaluating.policy_changed),
    "verification_reported": _waits(evaluating.verification_reported),
    "head_shared": _plain(twins.head_shared),
    "doubt_found": _plain(freezing.doubt_found),
    "doubt_over": _plain(freezing.doubt_over),
    "pull_taken": _last(stopping.pull_taken),
    "time_came": _plain(looking.time_came),
    "news_waits": _last(unheard.news_waits),
    "ask_merge": _last(merging.ask_merge),
    "release_reservation": _last(merging.release),
    "merge_not_sent": _last(merging.not_sent),
    "merge_answered": _last(merging.answered),
    "merge_lease_expired": _last(merging.lease_expired),
    "merge_looked": _last(watching.looked),
}
