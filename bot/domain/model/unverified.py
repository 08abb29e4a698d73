"""What the record keeps of words whose writer could not be verified."""

from datetime import datetime
from typing import Any

from bot.domain.model.ids import Person, Value


class UnverifiedNo(Value):
    """Changes were requested on `commit`, and since then GitHub does not say whether `by` may. None: on whichever head it shows
    next. `epoch`: of the head, where it was about the head of its time. `signal` is the review itself, to be heard again."""

    review_id: int
    commit: str | None
    epoch: int | None = None
    by: Person
    since: datetime
    signal: dict[str, Any]


class UnverifiedStop(Value):
    """Somebody's stop was refused since GitHub did not say whether they may: nothing merges before `until`, so that it can be
    repeated. `since`: of the first one in a row."""

    by: Person
    since: datetime
    until: datetime
