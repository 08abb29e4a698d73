"""Check suites, check runs and commit statuses."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bot.simulator.model.people import App, User


@dataclass(eq=False)
class CheckSuite:
    """All runs of one App on one head. Status and conclusion follow from its runs, unless it was re-requested."""

    id: int
    app: App
    head: str
    branch: str | None
    created_at: datetime
    updated_at: datetime
    runs: list["CheckRun"] = field(default_factory=list)
    rerequested: bool = False

    @property
    def node_id(self) -> str:
        return f"CS_{self.id}"

    @property
    def status(self) -> str:
        if self.rerequested or not self.runs:
            return "queued"
        if all(run.status == "completed" for run in self.runs):
            return "completed"
        return "in_progress" if any(run.status == "in_progress" for run in self.runs) else "queued"

    @property
    def conclusion(self) -> str | None:
        if self.status != "completed":
            return None
        seen = {run.conclusion for run in self.runs}
        order = ("failure", "timed_out", "cancelled", "action_required", "stale", "success", "neutral", "skipped")
        return next((c for c in order if c in seen), None)


@dataclass(eq=False)
class CheckRun:
    id: int
    name: str
    app: App
    suite: CheckSuite
    head: str
    status: str
    conclusion: str | None
    started_at: datetime
    updated_at: datetime
    completed_at: datetime | None = None
    external_id: str = ""
    details_url: str | None = None
    title: str | None = None
    summary: str | None = None
    text: str | None = None
    annotations: list[dict[str, Any]] = field(default_factory=list)

    @property
    def node_id(self) -> str:
        return f"CR_{self.id}"


@dataclass(eq=False)
class Status:
    id: int
    context: str
    creator: User
    state: str
    sha: str
    created_at: datetime
    updated_at: datetime
    description: str | None = None
    target_url: str | None = None

    @property
    def node_id(self) -> str:
        return f"SC_{self.id}"
