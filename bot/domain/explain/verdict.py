"""The one sentence on top of the explain tree."""

from collections.abc import Iterable
from datetime import datetime

from bot.domain.explain.ended_rows import FROZEN, merged_words, open_questions
from bot.domain.explain.merge_row import held_words, obstacle
from bot.domain.explain.offers import name
from bot.domain.merging.unmerged import unmerged_clause
from bot.domain.model.explain import Reason
from bot.domain.model.record import Record
from bot.domain.model.text import in_words, seconds_clock, sha12


def verdict(record: Record, reasons: Iterable[Reason], as_of: datetime | None) -> str:
    if record.phase == "done":
        words = merged_words(record)
        return f"{words[0].upper()}{words[1:]}."
    because = _because(record)
    if because is None and record.in_flight:
        return _asked(record)
    if because is None and record.merge.state == "reserved" and record.phase == "submit":
        return f"Signalbox is about to merge {_head(record)}."
    return f"{_will_not(record)} because {because or _open(record, tuple(reasons), as_of)}."


def _because(record: Record) -> str | None:
    if record.withdrawn:
        return "the record is withdrawn"
    if record.frozen is not None:
        return FROZEN[record.frozen]
    if record.phase == "blocked":
        return f"the work is blocked: {blocked_words(record)}"
    return None


def blocked_words(record: Record) -> str:
    """What an operator has to do about a blocked record, as a clause."""
    blocked = record.blocked
    cause = blocked.cause if blocked else "question"
    match cause:
        case "budget":
            return "an operator must allow more tries"
        case "checks":
            return "an operator must decide about checks"
        case "issue_gone":
            return "the issue is gone"
        case "external_merge":
            return "an operator must settle a merge outside Signalbox"
        case "merge_refused":
            return f"an operator must decide about a merge that {unmerged_clause(record.merge)}"
        case _:
            return f"an operator must {_questions(record)}"


def _questions(record: Record) -> str:
    number = len(open_questions(record))
    if number == 0:
        return "let it go on"
    return f"answer {in_words(number)} question{'' if number == 1 else 's'}"


def _asked(record: Record) -> str:
    merge = record.merge
    at = f" at {seconds_clock(merge.requested_at)}" if merge.requested_at else ""
    match merge.state:
        case "ambiguous":
            return f"It is not known whether GitHub merged {_head(record)}."
        case "confirming":
            return f"GitHub shows a merge of {_head(record)}, which is being confirmed."
        case _:
            return f"Signalbox asked GitHub{at} to merge {_head(record)} and waits for the answer."


def _open(record: Record, reasons: tuple[Reason, ...], as_of: datetime | None) -> str:
    step = next((row for row in reasons if row.what == record.phase), None)
    needs = [row for row in step.children if row.state != "ok" and row.what not in {"Merge", "Task"}] if step else []
    others = [row for row in reasons if row is not step and row.waiting_on is not None]
    number = len(needs) + len(others)
    if number:
        needs_are = "need of *{}* is" if number == 1 else "needs of *{}* are"
        return f"**{in_words(number)}** {needs_are.format(record.phase)} open"
    if record.held is not None:
        return f"it is {held_words(record, as_of)}"
    stands = obstacle(record, as_of)
    if stands is not None:
        return stands.why
    if step is not None and any(row.what == "Merge" and row.command for row in step.children):
        return "the merge waits for the command"
    return f"the merge waits for its turn on {name(record.base or 'the base')}"


def _will_not(record: Record) -> str:
    return f"Signalbox will not merge {_head(record)}" if record.head else "Signalbox will not merge"


def _head(record: Record) -> str:
    head = record.merge.head if record.in_flight else record.head
    return f"`{sha12(head)}`" if head else "the pull request"
