"""Whose word stands on a commit: one check run, and one record that says what it says (LIFECYCLE.md 4.1).

Two records can have one commit: a pull request for each of two branches, or one that took the place of another. GitHub shows
the newest run of a name, so two runs would hide each other. The order is total, so nobody contends: who judges the commit
speaks; then who merged it, then who has it, then who had it; among equals the older issue.
"""

from collections.abc import Iterable

from bot.domain.model.record import Record


def judges(record: Record, head: str) -> bool:
    """Whether this record judges the commit now: an open pull request of it is linked, and nothing is over."""
    linked = record.pull is not None and record.pull.open and record.pull.number == record.pull_request
    return record.head == head and linked and record.phase != "done" and not record.withdrawn


def is_silent(record: Record, head: str, others: Iterable[Record]) -> bool:
    """Whether one of the others speaks for the commit."""
    return any(_place(other, head) < _place(record, head) for other in others)


def is_contested(head: str, others: Iterable[Record]) -> bool:
    """Whether another record judges the commit, so that success of this one would be taken for its."""
    return any(judges(other, head) for other in others)


def _place(record: Record, head: str) -> tuple[int, int]:
    if judges(record, head):
        return 0, record.issue
    if record.phase == "done" and (record.merge.head or record.head) == head:
        return 1, record.issue
    return (2 if record.head == head else 3), record.issue
