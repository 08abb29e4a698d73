"""What brings a record out of building: which of the ways to a candidate are open for it now (LIFECYCLE.md 2.3, 2.4)."""

from bot.domain.explain.building_rows import is_red
from bot.domain.model.linked import LinkedPull
from bot.domain.model.record import Record
from bot.domain.model.text import sha12


def ways_to_a_candidate(record: Record) -> str:
    """Finishes "that changes when …". Only what helps this very record is named."""
    pull = record.pull
    if pull is None or record.head is None:
        branch, linking = f"`signalbox/{record.issue}-…`", f"`/link #{record.issue}`"
        return f"a builder opens a pull request from a branch {branch}, or comments {linking} on one"
    if not pull.open:
        return f"a builder reopens #{pull.number}, or comments `/link #{record.issue}` on another pull request"
    declare = f"comments `/candidate {sha12(record.head)}` on #{pull.number}"
    if record.work.task is not None:
        return f"the agent that builds it submits its head, or a builder {declare}"
    if pull.draft and _is_fresh(record):
        return f"a builder marks #{pull.number} as ready for review, or {declare}"
    return f"a builder {', or '.join(_ways(record, pull, declare))}"


def _ways(record: Record, pull: LinkedPull, declare: str) -> tuple[str, ...]:
    push = f"pushes a new head{f' and marks #{pull.number} as ready for review' if pull.draft else ''}"
    if not is_red(record):
        return (push, declare)
    again = not pull.draft and not record.is_rejected
    return (push, "has the failed checks run again") if again else (push,)


def _is_fresh(record: Record) -> bool:
    """Whether nothing but the draft keeps this head from being judged."""
    return record.candidate not in record.tried and not record.is_rejected and not is_red(record)
