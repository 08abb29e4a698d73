"""Times as the tables keep them: microseconds since 1970-01-01 UTC, exact, as integers."""

from datetime import UTC, datetime, timedelta
from typing import overload

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@overload
def micros(at: datetime) -> int: ...
@overload
def micros(at: None) -> None: ...
@overload
def micros(at: datetime | None) -> int | None: ...
def micros(at: datetime | None) -> int | None:
    """Raises ValueError for a naive time: it could mean anything."""
    if at is None:
        return None
    if at.tzinfo is None:
        raise ValueError(f"a time without a zone cannot be stored: {at.isoformat()}")
    return (at - _EPOCH) // _MICROSECOND


@overload
def moment(value: int) -> datetime: ...
@overload
def moment(value: None) -> None: ...
@overload
def moment(value: int | None) -> datetime | None: ...
def moment(value: int | None) -> datetime | None:
    return None if value is None else _EPOCH + timedelta(microseconds=value)
