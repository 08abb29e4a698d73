"""All that GitHub should show for one record, from its projections."""

from collections.abc import Callable

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


#: All that we show, in the order in which it is wanted.
PROJECTIONS: tuple[Callable[[Show], tuple[Desired, ...]], ...] = (check_runs, status_comments, notices, labels)


def desired(show: Show) -> tuple[Desired, ...]:
    """Same record, same bytes: nothing here depends on when it is called."""
    return tuple(want for projection in PROJECTIONS for want in projection(show))
