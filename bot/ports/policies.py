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
    """What we say of a policy file in one place: a check run on a commit (`place` is its sha), or the one comment on a pull
    request (`pull:34`). `pull` None = it is about the default branch's own file. `digest` is of what was written last;
    `sent_at`: a write left then and its answer is not stored, so it is looked for before it is written again. `asked` counts how
    often it was expected."""

    place: str
    pull: int | None = None
    remote_id: int | None = None
    digest: str | None = None
    sent_at: datetime | None = None
    asked: int = 0


#: Begins the place of our check on a commit that no record has. It is kept from when a write of it left.
UNGOVERNED = "ungoverned:"


def on_pull(number: int) -> str:
    """The place of the one comment on a pull request."""
    return f"pull:{number}"


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

    def expect(self, repository_id: int, place: str, pull: int | None) -> None:
        """What is said there is looked at, at once."""
        ...

    def report(self, repository_id: int, place: str) -> Report | None: ...
    def put_report(self, repository_id: int, report: Report, due_at: datetime | None) -> None: ...
    def pulls(self, repository_id: int, most: int) -> Sequence[int]:
        """Pull requests of which anything was ever to be said, newest first."""
        ...

    def next_report(self) -> tuple[Repo, Report] | None:
        """The one that is due longest."""
        ...
