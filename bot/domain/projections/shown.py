"""Which gate each status comment shows: the thing a short command is bound to."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bot.domain.model.record import GateName, Record
from bot.domain.model.shown import ShownRow


@dataclass(frozen=True, slots=True)
class Showing:
    """A ShownRow that waits for the time at which GitHub says the comment was written."""

    thread: Literal["issue", "pull"]
    version: int
    gate: GateName | None
    round: int
    head: str | None
    epoch: int
    revision: int

    def sense(self) -> tuple[object, ...]:
        """What a short command would be bound to, whatever the version."""
        return (self.gate, self.round, self.head, self.epoch, self.revision) if self.gate else ()

    def at(self, updated_at: datetime, acknowledged_at: datetime | None = None) -> ShownRow:
        return ShownRow(
            thread=self.thread,
            version=self.version,
            gate=self.gate,
            round=self.round,
            head=self.head,
            epoch=self.epoch,
            revision=self.revision,
            updated_at=updated_at,
            acknowledged_at=acknowledged_at,
        )


def shown(record: Record) -> tuple[Showing, ...]:
    """What the status comment on the issue and, when one is linked, that on the pull request show of this version."""
    gate: GateName | None = None
    if not record.withdrawn and record.frozen is None:
        gate = {"plan_ready": "plan", "testing": "testing", "submit": "submit"}.get(record.phase)  # type: ignore[assignment]  # phases that are gates
    on_issue = _showing(record, "issue", gate if gate == "plan" else None)
    if record.pull_request is None:
        return (on_issue,)
    return (on_issue, _showing(record, "pull", None if gate == "plan" else gate))


def _showing(record: Record, thread: Literal["issue", "pull"], gate: GateName | None) -> Showing:
    return Showing(
        thread=thread,
        version=record.version,
        gate=gate,
        round=record.gates_opened.of(gate).round if gate else record.review_round,
        head=record.head if thread == "pull" else None,
        epoch=record.head_epoch,
        revision=record.plan.revision if record.plan else 0,
    )
