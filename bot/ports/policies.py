"""What is kept of the policy files: which rules are in force where, since when, and what is still to be told of them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from bot.domain.model.ids import Repo, Value
from bot.domain.model.policy import Policy
from bot.domain.model.written import Finding


class PolicyVersion(Value):
    """What came of one look at a file that was new. `policy` is in force after it, whether or not the file was `accepted`;
    `blob` is git's name of the content that was looked at, `commit` changed it. `number` rises in the whole store."""

    number: int = 0
    repository_id: int
    commit: str | None
    blob: str
    accepted: bool
    findings: tuple[Finding, ...] = ()
    policy: Policy
    since: datetime


class Watch(Value):
    """How the file of a repository is watched. `problem`: why the last look did not succeed."""

    etag: str | None = None
    looked_at: datetime | None = None
    problem: str | None = None


class Report(Value):
    """What we say of a policy file on one commit. `pull` None = of the default branch's own file. `comment_id`: the one
    comment on that pull request. `digest` is of what was written last; a write that was not answered is looked for."""

    head: str
    pull: int | None = None
    run_id: int | None = None
    comment_id: int | None = None
    digest: str | None = None
    sending: bool = False


class Policies(Protocol):
    def newest(self, repository_id: int) -> PolicyVersion | None: ...
    def add(self, version: PolicyVersion) -> int:
        """Its number. The records of its repository are still to be told."""
        ...

    def versions(self, repository_id: int, limit: int = 20) -> Sequence[PolicyVersion]:
        """Newest first."""
        ...

    def untold(self) -> PolicyVersion | None:
        """The oldest version whose records are still to be told, of those that do not rest."""
        ...

    def told(self, number: int) -> None: ...
    def rest(self, number: int, until: datetime) -> None:
        """It is told later."""
        ...

    def watch(self, repository_id: int) -> Watch: ...
    def set_watch(self, repository_id: int, watch: Watch, due_at: datetime | None) -> None:
        """`due_at`: when the file must be looked at whatever else happens; None = when something says that it changed."""
        ...

    def due(self) -> Repo | None:
        """The repository whose look is due longest."""
        ...

    def expect(self, repository_id: int, head: str, pull: int | None) -> None:
        """What is said on this commit is looked at, at once."""
        ...

    def report(self, repository_id: int, head: str) -> Report | None: ...
    def reports_of(self, repository_id: int, pull: int) -> Sequence[Report]: ...
    def put_report(self, repository_id: int, report: Report, due_at: datetime | None) -> None: ...
    def next_report(self) -> tuple[Repo, Report] | None:
        """The one that is due longest."""
        ...
