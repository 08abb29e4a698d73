"""Repositories, commits, labels and the rules of branches."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from bot.simulator.model.checks import CheckRun, CheckSuite, Status
from bot.simulator.model.people import App, Grant, User
from bot.simulator.model.threads import Thread

Bypass = Literal["always", "pull_requests_only", "never"]


@dataclass(frozen=True, eq=False)
class Commit:
    """A commit with its whole tree as path -> text. `pulls` lives in the repository; shas are deterministic."""

    sha: str
    tree_sha: str
    parents: tuple[str, ...]
    message: str
    author: User
    at: datetime
    files: Mapping[str, str]


@dataclass(eq=False)
class Label:
    id: int
    name: str
    color: str = "ededed"
    description: str | None = None

    @property
    def node_id(self) -> str:
        return f"LA_{self.id}"


@dataclass(frozen=True, slots=True)
class Required:
    """A required check; with `app` only that App's check satisfies it."""

    context: str
    app: int | None = None


@dataclass(eq=False)
class Ruleset:
    """Rules on the branches named in `branches`. `bypass` is what it lets our App do."""

    id: int
    name: str
    branches: tuple[str, ...]
    required: tuple[Required, ...] = ()
    strict: bool = False
    merge_queue: bool = False
    reviews: int = 0
    methods: tuple[str, ...] = ("merge", "squash", "rebase")
    bypass: Bypass = "never"


@dataclass(eq=False)
class Protection:
    """Classic protection of one branch."""

    branch: str
    required: tuple[Required, ...] = ()
    strict: bool = False
    reviews: int = 0
    admins: bool = False
    bypassing: tuple[App, ...] = ()


@dataclass(frozen=True, eq=False)
class Activity:
    """A branch got another tip, was made or deleted; `before` or `after` is all zeros then."""

    id: int
    branch: str
    before: str
    after: str
    kind: str
    actor: User
    at: datetime


@dataclass(eq=False)
class Repository:
    """`threads` holds issues and pull requests by number. `gone` maps numbers that left to where they went."""

    id: int
    owner: User
    name: str
    created_at: datetime
    default_branch: str = "main"
    private: bool = False
    archived: bool = False
    fork_of: "Repository | None" = None
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    grants: dict[int, Grant] = field(default_factory=dict)
    labels: dict[str, Label] = field(default_factory=dict)
    threads: dict[int, Thread] = field(default_factory=dict)
    gone: dict[int, Thread | None] = field(default_factory=dict)
    rulesets: dict[int, Ruleset] = field(default_factory=dict)
    protections: dict[str, Protection] = field(default_factory=dict)
    suites: list[CheckSuite] = field(default_factory=list)
    runs: list[CheckRun] = field(default_factory=list)
    statuses: list[Status] = field(default_factory=list)
    activity: list[Activity] = field(default_factory=list)
    methods: tuple[str, ...] = ("merge", "squash", "rebase")
    merge_async: bool = True
    numbers: int = 0
    pushed_at: datetime | None = None

    @property
    def full_name(self) -> str:
        return f"{self.owner.login}/{self.name}"

    @property
    def node_id(self) -> str:
        return f"R_{self.id}"

    def next_number(self) -> int:
        self.numbers += 1
        return self.numbers

    def rules_on(self, branch: str) -> tuple[Ruleset, ...]:
        return tuple(r for r in self.rulesets.values() if branch in r.branches or "~ALL" in r.branches)

    def label(self, name: str) -> Label | None:
        """Label names compare without case."""
        return self.labels.get(name.lower())
