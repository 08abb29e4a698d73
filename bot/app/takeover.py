"""A pull request goes from a withdrawn record to another one: both change in one transaction, or neither does."""

from datetime import datetime

from bot.domain.lifecycle.decide import decide
from bot.domain.lifecycle.facts import Facts
from bot.domain.lifecycle.results import Advance
from bot.domain.model.command_signals import Link
from bot.domain.model.own_signals import PullTaken
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.domain.model.signals import Signal
from bot.ports.store import VersionConflict


def given_up(holder: Record, signal: Signal, policy: Policy, now: datetime) -> tuple[PullTaken, Advance]:
    """What the record that has the pull request becomes. VersionConflict where it keeps it: it was revived, or linked,
    meanwhile. Only a person's word takes it over."""
    pull = holder.pull_request
    if isinstance(signal, Link) and pull is not None:
        at = signal.source.created_at
        taken = PullTaken(key="", actor=signal.actor, delivery=signal.delivery, at=at, pull=pull, issue=signal.issue)
        result = decide(holder, taken, Facts(), policy, now)
        if isinstance(result, Advance):
            return taken, result
    raise VersionConflict(f"#{pull} is linked to issue #{holder.issue}")
