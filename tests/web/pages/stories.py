"""A small world in which everything that pages show has happened."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

from bot.domain.model.facts import Level
from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Pull, Thread
from bot.simulator.world import World
from tests.kit.stage import Stage

YESTERDAY = datetime(2026, 11, 29, 13, 0, tzinfo=UTC)
PEOPLE: dict[str, Level] = {"ada": "write", "grace": "write", "omar": "maintain", "lin": "write"}
HOSTILE = "@org/team fixes #1 <img src=x onerror=alert(1)> </a><script>alert(2)</script> \u202e`x` \u200b{{ 7 * 7 }}"
FIRST_PLAN = """Retry an upload when the connection drops.

- Retry until it works.
- Keep the upload id, so that no part is sent twice.
"""
SECOND_PLAN = """# Retry uploads

Retry an upload when the connection drops, as the [RFC](https://example.org/rfc) says.

- Retry **5 times**, waiting 1, 2, 4, 8 and 16 s with jitter.
- Keep the upload id, so that no part is sent twice.
- Tests: drop at each part; give up after the fifth.

| part | tries |
|---|---|
| first | 5 |

```python
for wait in (1, 2, 4, 8, 16):
    upload(part)
```

![a beacon](https://evil.example/beacon.png) <script>alert(3)</script>
"""


class Stories:
    """`numbers.NAME` is the issue of each story."""

    def __init__(self) -> None:
        self.stage = Stage(World(YESTERDAY))
        self.numbers = SimpleNamespace()
        self.app = self.stage.world.repository("octo/app", members=PEOPLE)
        self.lib = self.stage.world.repository("octo/lib", members=PEOPLE)

    @property
    def now(self) -> datetime:
        return self.stage.world.clock.now()

    def keep(self, database: Path) -> None:
        """Copy everything into a database file."""
        with closing(sqlite3.connect(database)) as file:
            self.stage.store._connection.backup(file)

    def path(self, story: str) -> str:
        repository = "octo/lib" if story in {"ambiguous", "red", "plan_ready"} else "octo/app"
        return f"/lifecycles/{repository}/{getattr(self.numbers, story)}"

    def tells_all(self) -> None:
        self.numbers.testing = self.judged_twice()
        self.numbers.plan_rejected = self.rejected_plan()
        self.numbers.done = self.merged()
        self.numbers.ambiguous = self.unknown_outcome()
        self.numbers.blocked = self.asks_a_question()
        self.numbers.red = self.failing_checks()
        self.numbers.hostile = self.hostile_words()
        self.numbers.plan_ready = self.issue(
            self.lib, "lin", "Sign release archives", "/plan\nSign them with the key."
        ).number
        self.numbers.planning = self.issue(self.app, "ada", "Faster list of deliveries").number
        self.numbers.withdrawn = self.withdrawn()
        self.hours(1)

    def judged_twice(self) -> int:
        issue = self.issue(self.app, "ada", "Retry uploads after a network drop", f"/plan\n{FIRST_PLAN}")
        self.says("grace", issue, "/reject r1 The retry never gives up. Please bound it.")
        self.hours(2)
        self.says("ada", issue, f"/plan\n{SECOND_PLAN}")
        self.says("grace", issue, "/approve r2")
        self.hours(15)
        pull = self.pull(self.app, issue, "signalbox/{}-retry")
        self.green(pull)
        self.says("grace", pull, "/reject The waits have no jitter.")
        self.hours(3)
        self.stage.world.pushes("ada", self.app, pull.head_ref)
        self.settles()
        self.green(pull)
        self.says("ada", pull, "/gate")
        return issue.number

    def rejected_plan(self) -> int:
        issue = self.issue(self.app, "lin", "Cache permission look-ups", "/plan\nKeep them for a day.")
        self.says("grace", issue, "/reject r1 A day is too long.")
        return issue.number

    def merged(self) -> int:
        issue, pull = self.approved(self.app, "Cap request bodies at 25 MiB")
        self.passes(pull)
        self.stage.later(70, stride=35)
        return issue.number

    def unknown_outcome(self) -> int:
        issue, pull = self.approved(self.lib, "Drop support for Python 3.10")
        self.stage.world.loses_answer_to("merge", landed=False)
        self.passes(pull)
        self.stage.later(20 * 60, stride=240)
        return issue.number

    def asks_a_question(self) -> int:
        issue, pull = self.approved(self.app, "Rotate the upload signing key")
        self.says("lin", pull, "/block Which key store holds the old signing key?")
        return issue.number

    def failing_checks(self) -> int:
        issue, pull = self.approved(self.lib, "Speed up the import")
        run = self.stage.world.check_run("actions", pull, "lint", conclusion="failure")
        assert run is not None
        self.stage.later(70, stride=35)
        return issue.number

    def hostile_words(self) -> int:
        issue = self.issue(self.app, "ada", HOSTILE, f"/plan\n{HOSTILE}\n[x](javascript:alert(4))")
        self.says("grace", issue, f"/reject r1 {HOSTILE}")
        return issue.number

    def withdrawn(self) -> int:
        issue = self.issue(self.app, "ada", "Sort the menu")
        self.says("ada", issue, "/cancel not needed any more")
        return issue.number

    def approved(self, repo: Repository, title: str) -> tuple[Thread, Pull]:
        issue = self.issue(repo, "ada", title, "/plan\nDo it in one step.")
        self.says("grace", issue, "/approve r1")
        return issue, self.pull(repo, issue, "signalbox/{}-work")

    def passes(self, pull: Pull) -> None:
        """Through both gates, to the request of the merge."""
        self.green(pull)
        for gate in ("testing", "submit"):
            self.says("grace", pull, f"/approve {gate} {pull.head[:12]}")
            self.says("omar", pull, f"/gate {gate} {pull.head[:12]}")

    def issue(self, repo: Repository, who: str, title: str, *comments: str) -> Thread:
        issue = self.stage.world.opens_issue(who, repo, title)
        self.stage.world.labels(who, issue, "signalbox")
        self.settles()
        for comment in comments:
            self.says(who, issue, comment)
        return issue

    def pull(self, repo: Repository, issue: Thread, branch: str) -> Pull:
        world, name = self.stage.world, branch.format(issue.number)
        world.branches("ada", repo, name)
        world.pushes("ada", repo, name)
        pull = world.opens_pull("ada", repo, issue.title, head=name, body=f"Closes #{issue.number}")
        self.settles()
        return pull

    def green(self, pull: Pull) -> None:
        for name in ("build", "lint", "unit"):
            self.stage.world.check_run("actions", pull, name)
        self.settles()
        self.stage.later(70, stride=35)

    def says(self, who: str, thread: Thread, text: str) -> None:
        self.stage.world.clock.advance(60)
        self.stage.world.comments(who, thread, text)
        self.settles()

    def hours(self, number: float) -> None:
        self.stage.world.clock.advance(number * 3600)
        self.settles()

    def settles(self) -> None:
        self.stage.settles()
