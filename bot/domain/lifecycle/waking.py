"""When a record wants to be looked at again by itself, if nothing happens."""

from datetime import datetime, timedelta

from bot.domain.lifecycle.checking import overdue_at
from bot.domain.lifecycle.results import as_long_again
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record

#: After this long without success a refused merge is put before a person.
REFUSED_TOO_LONG = timedelta(hours=24)
#: After this long an operator is told that GitHub does not say what a merge needs: it may be that it never will.
UNREAD_TOO_LONG = timedelta(hours=1)
#: Two looks by time alone are at least this far apart.
SOON = timedelta(seconds=1)
#: Kinds of `merge.reason` that end without any news: GitHub says what it did not say, another merge gives the base free.
UNREAD = frozenset({"could_not_verify", "unread_for_long"})
WAITS_BY_ITSELF = UNREAD | {"base_taken"}


def wake_at(record: Record, policy: Policy, now: datetime) -> datetime | None:
    """The earliest time at which time alone may change something; None = never. (Merges in flight have their own clock.)"""
    if (
        record.phase == "done"
        or record.withdrawn
        or record.frozen
        or record.in_flight
        or record.merge.state == "reserved"
    ):
        return None
    due = earliest(
        _settles_at(record),
        overdue_at(record, policy.checks.timeout_minutes),
        now + as_long_again(record.unread_since or now, now) if _waits_to_read(record) else None,
        *(now + as_long_again(no.since, now) for no in record.unverified),
        record.unverified_stop.until if record.unverified_stop is not None else None,
        *(_of_the_merge(record) if record.phase == "submit" else ()),
    )
    # A look that just happened and changed nothing must not ask for itself again at once.
    return None if due is None else max(due, now + SOON)


def _settles_at(record: Record) -> datetime | None:
    """When only time was missing for the checks of the present head; those of another one are not looked at again."""
    watched = record.phase in {"building", "testing", "submit"} and record.verification.head == record.head
    return record.verification.settles_at if watched else None


def earliest(*times: datetime | None) -> datetime | None:
    """None = never."""
    return min((time for time in times if time is not None), default=None)


def _of_the_merge(record: Record) -> tuple[datetime | None, ...]:
    merge = record.merge
    return (
        merge.look_at if merge.state == "refused" else None,
        merge.refused_since + REFUSED_TOO_LONG if merge.refused_since else None,
    )


def _waits_to_read(record: Record) -> bool:
    """GitHub did not say all that the last look needed, or what happened while it was merging: it is asked again."""
    return (
        record.unread_since is not None
        or bool(record.merge.remembered)
        or (record.phase == "submit" and _waits_for_facts(record))
    )


def _waits_for_facts(record: Record) -> bool:
    """Complete, but GitHub did not say all that is needed. Every other reason changes by an event."""
    merge = record.merge
    paused = merge.state == "refused" and merge.look_at is not None
    return merge.state in {"none", "refused"} and not paused and merge.reason_code in UNREAD
