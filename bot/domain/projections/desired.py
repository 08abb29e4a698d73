"""All that GitHub should show for one record, from its projections."""

from bot.domain.projections.check_run import check_runs
from bot.domain.projections.labels import labels
from bot.domain.projections.notices import notices
from bot.domain.projections.show import (
    Desired,
    DesiredCheck,
    DesiredComment,
    DesiredLabels,
    LastRefusal,
    Show,
    WebAddress,
)
from bot.domain.projections.status_comment import status_comments

__all__ = [
    "Desired",
    "DesiredCheck",
    "DesiredComment",
    "DesiredLabels",
    "LastRefusal",
    "Show",
    "WebAddress",
    "desired",
]


def desired(show: Show) -> tuple[Desired, ...]:
    """Same record, same bytes: nothing here depends on when it is called."""
    return (*check_runs(show), *status_comments(show), *notices(show), *labels(show))
