"""A webhook request as received, and what became of it."""

from datetime import datetime
from typing import Literal

from bot.domain.model.ids import Value
from bot.domain.model.text import moment

DeliveryState = Literal["received", "working", "applied", "no_op", "ignored", "failed"]

#: Events that may tell of a stop which nothing else shows when a merge is considered: somebody's words, a review's no, an issue
#: that was closed or lost its label, a pull request that went away and came back.
MAY_STOP = frozenset({"issue_comment", "pull_request_review", "pull_request_review_comment", "issues", "pull_request"})
#: Events of which a whole sweep finds everything that they told.
SWEPT = MAY_STOP | {"check_run", "check_suite", "status", "push"}
#: In the place of a thread's number: what changes no record.
NO_THREAD = 0
#: In the place of a repository's number: none, or none that could be read.
NO_LANE = 0


class Delivery(Value):
    """Raw and unparsed but for the few fields that route it. `lane` is the repository's numeric id, 0 without one.
    `installation_id` and `repository` come from the signed body; the headers are not signed and decide nothing. `thread` is
    the issue or pull request and `head` the commit that it is about; with neither it may be about all of its lane."""

    guid: str
    event: str
    action: str | None = None
    lane: int = 0
    installation_id: int | None = None
    repository: str | None = None
    thread: int | None = None
    head: str | None = None
    body: bytes
    received_at: datetime


class DeliveryRow(Value):
    """How a delivery went, for lists. `detail` says why it was ignored or how it failed."""

    guid: str
    event: str
    action: str | None
    lane: int
    repository: str | None
    received_at: datetime
    state: DeliveryState
    attempts: int
    finished_at: datetime | None
    detail: str | None


_AGAIN = "; replayed "
_BEFORE = "applied before: "


def put_back_note(row: DeliveryRow, at: datetime) -> str | None:
    """What is kept of a delivery that is worked on once more: that it was applied stays true whatever a repeat brings."""
    detail = (row.detail or "").partition(_AGAIN)[0]
    if row.state != "applied" and not detail.startswith(_BEFORE):
        return None
    tries = f"after {row.attempts} {'try' if row.attempts == 1 else 'tries'}"
    return f"{_BEFORE}{detail.removeprefix(_BEFORE) or 'done'}{_AGAIN}{moment(at)} {tries}"


def ended(note: str | None, state: DeliveryState, detail: str | None) -> tuple[DeliveryState, str | None]:
    """How a delivery is listed after it was worked on; `note` is what was kept of it when it was put back."""
    if note is None or not note.startswith(_BEFORE):
        return state, detail
    if state == "failed":
        return state, f"{note}: failed, {detail}"
    return "applied", f"{note.removeprefix(_BEFORE)}: {detail if state == 'applied' and detail else 'nothing new'}"
