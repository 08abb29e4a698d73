"""Budgets of a record: what was used since they were fresh, of what the rules of that moment allow (INTERFACE.md section 5)."""

from bot.domain.model.policy import Policy
from bot.domain.model.record import Budgets


def fresh_budgets(policy: Policy) -> Budgets:
    allowed = policy.budgets
    return Budgets(
        check_retries=(0, allowed.check_retries),
        review_cycles=(0, allowed.review_cycles),
        dispatches=(0, allowed.dispatches),
    )
