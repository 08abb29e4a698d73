"""Words in a review, or on a line, stand on a commit: GitHub keeps the one that their writer saw, whenever they were sent."""

from bot.domain.lifecycle.refusing import already_recorded, commit_link, refuse
from bot.domain.lifecycle.results import Refuse
from bot.domain.model.record import Record
from bot.domain.model.signal_origin import Source
from bot.domain.model.text import sha12


def on_another_commit(record: Record, source: Source, sha: str | None, verb: str) -> Refuse | None:
    """None where the words name their head, stand on no commit, or on the present head. A review may be begun on one head
    and sent when another one is shown; what it says short is about what its writer saw."""
    if sha is not None or source.commit is None or source.commit == record.head:
        return None
    gate = f" {record.phase}" if verb in {"approve", "gate"} else ""
    again = f"`/{verb}{gate} {sha12(record.head or '')}`" if verb != "merge" else "`/merge` below the pull request"
    return refuse(
        "head_moved",
        f"It stands in a review of `{sha12(source.commit)}`; the head is now {commit_link(record, record.head or '')}. "
        f"Nothing was stored.\nLook at it; if it is right, comment {again}.",
    )


def said_by_its_review(record: Record, source: Source) -> Refuse | None:
    """A review that requests changes and says so in its body as well says one thing."""
    if source.comment_kind != "review":
        return None
    said = any(d.review_id == source.comment_id and d.verdict == "reject" for d in record.decisions)
    return already_recorded("Your rejection") if said else None
