"""The part of the record that is about its merge: one reservation, what GitHub was asked and what was read since."""

from datetime import datetime
from typing import Any, Literal

from bot.domain.model.ids import Person, Value

MergeState = Literal["none", "reserved", "requested", "ambiguous", "confirming", "merged", "refused"]
MergeApi = Literal["async", "sync"]
MergeMethod = Literal["merge", "squash", "rebase"]

#: Merge states in which GitHub has been asked and may still act: nothing may move backward (I8).
IN_FLIGHT: frozenset[MergeState] = frozenset({"requested", "ambiguous", "confirming"})


class MergeRead(Value):
    """One look at GitHub while the outcome is open. None means the side could not be read; `why` then says why, in a
    word or a status."""

    at: datetime
    merged: bool | None
    on_base: bool | None
    head: str | None = None
    open: bool | None = None
    why: str | None = None
    live: bool = False


class Remembered(Value):
    """A signal that arrived while the merge was in flight, stored to be applied if it did not happen."""

    signal: dict[str, Any]
    at: datetime


class Commanded(Value):
    """An operator asked for the merge of this head in this round of the gate."""

    round: int
    head: str


class Merge(Value):
    """The reservation and what became of it. `id` names the reservation, `attempt` the one request of it that may
    still be answered. `locked` = it holds the base. `reason` says why nothing is asked, `reason_code` of which kind that is
    (a refusal code, `base_taken`, `unread_for_long`, or what ended a request that GitHub did not refuse: `settled_unmerged`,
    `proven_unmerged`, `not_sent`). `missing` lists gates that were open when somebody else merged.
    `ready_from`: from when on it may be asked once more, after GitHub refused for a moment.
    `no_async`: GitHub said that it has no asynchronous merge.
    `authority`: the decisions by which GitHub was asked.
    `base_tip`: the base's newest commit before the first request of the reservation; a merge is newer.
    `one_sided_since`: the pull request shows a merge that we did not ask for, and its base does not."""

    state: MergeState = "none"
    id: str | None = None
    attempt: str | None = None
    api: MergeApi | None = None
    no_async: bool = False
    uuid: str | None = None
    method: MergeMethod | None = None
    reserved_at: datetime | None = None
    ready_from: datetime | None = None
    requested_at: datetime | None = None
    lease_ends: datetime | None = None
    window_ends: datetime | None = None
    head: str | None = None
    base: str | None = None
    base_tip: str | None = None
    sha: str | None = None
    attempts: int = 0
    live_attempts: tuple[str, ...] = ()
    remembered: tuple[Remembered, ...] = ()
    external: bool = False
    merged_by: Person | None = None
    merged_at: datetime | None = None
    missing: tuple[str, ...] = ()
    reason: str | None = None
    reason_code: str | None = None
    refused_since: datetime | None = None
    answer: str | None = None
    reads: tuple[MergeRead, ...] = ()
    look_at: datetime | None = None
    confirming_since: datetime | None = None
    one_sided_since: datetime | None = None
    needs_gate_after: datetime | None = None
    commanded: Commanded | None = None
    authority: tuple[int, ...] = ()
    locked: bool = False
    tries: int = 0
