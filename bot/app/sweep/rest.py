"""How long an installation is left alone after trouble; other installations never wait for it."""

from datetime import datetime, timedelta

from bot.ports.failures import ForgeFailure, RateLimited
from bot.ports.sweeps import Allowance

SHORTEST = timedelta(minutes=1)
LONGEST = timedelta(hours=1)


def after_failure(allowance: Allowance, failure: ForgeFailure, now: datetime) -> tuple[Allowance, datetime]:
    """One minute, doubled for each failure in a row, up to an hour; GitHub's own pause if that is longer."""
    failures = allowance.failures + 1
    rest = min(SHORTEST * 2 ** min(failures - 1, 10), LONGEST)
    until = now + rest
    if isinstance(failure, RateLimited):
        until = max(until, failure.until)
    return allowance.model_copy(update={"failures": failures, "problem": failure.for_operator()}), until


def after_success(allowance: Allowance) -> Allowance:
    return allowance.model_copy(update={"failures": 0, "problem": None})
