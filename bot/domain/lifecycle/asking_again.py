"""When a merge that was refused may be tried again: on a relevant fact, and not before GitHub's own pause is over."""

from typing import Any

from bot.domain.lifecycle.turn import Turn
from bot.domain.lifecycle.waking import WAITS_BY_ITSELF
from bot.domain.model.record import Record

#: News of what the record does not hold and GitHub may refuse for: its own rules and reviews, permissions, names.
TELLS: frozenset[str] = frozenset(
    {
        "head_pushed",
        "pull_retargeted",
        "pull_closed",
        "pull_reopened",
        "draft_changed",
        "auto_merge_switched",
        "review_submitted",
        "review_dismissed",
        "checks_changed",
        "roles_changed",
        "policy_changed",
        "verification_reported",
        "head_shared",
        "installation_changed",
        "repository_renamed",
    }
)


def may_try(turn: Turn) -> bool:
    """By time only when there was such a pause, when it waits for what no news tells, or when the look found a fact that no
    news had told. A word that changes no such fact is no reason."""
    merge = turn.record.merge
    if merge.state != "refused":
        return True
    if merge.look_at is not None:
        return merge.look_at <= turn.now
    if merge.reason_code in WAITS_BY_ITSELF:
        return True
    return turn.signal.kind in TELLS or _facts(turn.record) != _facts(turn.began)


def _facts(record: Record) -> tuple[Any, ...]:
    """What a merge stands on, as the record knows it."""
    return (
        record.phase,
        record.withdrawn,
        record.frozen,
        record.held,
        record.pull,
        record.head,
        record.head_epoch,
        record.base,
        record.twins,
        record.plan,
        record.decisions,
        record.verification.model_copy(update={"read_at": None}),
        record.delegated,
        record.unverified,
        record.unverified_stop,
    )
