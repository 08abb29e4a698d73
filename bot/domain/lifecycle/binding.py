"""What a decision was written for: the explicit form, or what the status comment showed when it was written.

A short command takes the newest row that was shown strictly before the comment (GitHub's clock has whole seconds, so the
same second does not count). No decision counts for a gate that opened after it was written (I31).
"""

from datetime import datetime

from bot.domain.lifecycle import refusing
from bot.domain.lifecycle.results import Refuse
from bot.domain.lifecycle.spoken_on import on_another_commit
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.record import GateName, Record
from bot.domain.model.shown import ShownRow
from bot.domain.model.signal_origin import Source


def shown_before(turn: Turn, thread: str, written_at: datetime) -> ShownRow | None:
    rows = [row for row in turn.facts.shown if row.thread == thread and row.updated_at < written_at]
    return max(rows, key=lambda row: (row.updated_at, row.version), default=None)


def shows(row: ShownRow, record: Record, gate: GateName) -> bool:
    """Whether this row showed this gate of the head as it is open now."""
    present = (gate, record.gates_opened.of(gate).round, record.head, record.head_epoch)
    return (row.gate, row.round, row.head, row.epoch) == present


def unbound_plan(turn: Turn, revision: int | None, thread: str, written_at: datetime) -> Refuse | None:
    """None when the comment speaks about the present plan revision and round; the refusal otherwise."""
    record = turn.record
    plan = record.plan
    if plan is None:
        return refusing.nothing_to_judge(record)
    if revision is not None:
        if revision != plan.revision:
            return refusing.revision_moved(record, revision)
        return _too_early(turn, "plan", written_at)
    row = shown_before(turn, thread, written_at)
    if row is None:
        return refusing.nothing_shown(record, "plan", "approve")
    if (row.gate, row.round, row.revision) != ("plan", record.gates_opened.plan.round, plan.revision):
        return refusing.stale(record, row, "plan")
    return _too_early(turn, "plan", written_at)


def unbound_head(
    turn: Turn, gate: GateName, named: tuple[GateName | None, str | None], source: Source, verb: str
) -> Refuse | None:
    """None when the comment speaks about this gate and the present head; the refusal otherwise."""
    record = turn.record
    word, sha = named
    written_at = source.created_at
    if sha is not None and (refusal := other_head(record, sha, verb)):
        return refusal
    if word is not None and word != gate:
        return refusing.other_gate(record, word, gate, verb)
    if refusal := on_another_commit(record, source, sha, verb):
        return refusal
    if word is None or sha is None:
        row = shown_before(turn, "pull", written_at)
        if row is None:
            return refusing.nothing_shown(record, gate, verb)
        if not shows(row, record, gate):
            return refusing.stale(record, row, gate)
    return _too_early(turn, gate, written_at)


def other_head(record: Record, named: str, verb: str = "approve") -> Refuse | None:
    """None when these digits name the present head and no other one that this record has known."""
    if not (record.head or "").startswith(named.lower()):
        return refusing.head_moved(record, named, verb)
    known = {*record.rejected_heads, *record.asked_heads, *(each.head for each in record.tried)} - {record.head}
    if any(head.startswith(named.lower()) for head in known):
        return refusing.ambiguous_sha(record, named, verb)
    return None


def already_void(turn: Turn, source: Source) -> Refuse | None:
    """Stops are never stale: they act on what is true now, unless the head they were written for is gone already. What a
    status comment showed is believed of a stop only where it shows the present head by now: a comment of ours that could not
    be edited says nothing of what its readers saw on GitHub. Words in a review act on what is true now."""
    record = turn.record
    row = None if source.commit is not None else shown_before(turn, source.thread, source.created_at)
    if row is None or not _shows_present(turn, source.thread):
        return None
    if record.phase == "plan_ready":
        now = record.plan.revision if record.plan else 0
        return refusing.revision_moved(record, row.revision) if row.revision not in (0, now) else None
    if row.head is not None and row.head != record.head:
        return refusing.already_void(record, row.head)
    return None


def _shows_present(turn: Turn, thread: str) -> bool:
    """Whether this thread's status comment shows the present head and plan revision."""
    record = turn.record
    rows = [row for row in turn.facts.shown if row.thread == thread]
    newest = max(rows, key=lambda row: (row.updated_at, row.version), default=None)
    revision = record.plan.revision if record.plan else 0
    return newest is not None and newest.head in (None, record.head) and newest.revision == revision


def _too_early(turn: Turn, gate: GateName, written_at: datetime) -> Refuse | None:
    opened_at = turn.record.gates_opened.of(gate).opened_at
    if opened_at is None or written_at <= opened_at:
        return refusing.written_too_early(turn.record, gate)
    return None
