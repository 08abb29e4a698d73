"""The golden path as a list of human acts: from a label to a confirmed merge, and what everybody sees at the end."""

from collections.abc import Callable
from dataclasses import dataclass, field

from bot.domain.model.facts import Level
from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Pull, Thread
from tests.kit.stage import Stage


@dataclass
class Golden:
    """One issue on a fresh stage. `acts` are done in order; between two of them the bot comes to rest."""

    stage: Stage
    repo: Repository = field(init=False)
    issue: Thread = field(init=False)
    pull: Pull = field(init=False)

    def __post_init__(self) -> None:
        people: dict[str, Level] = {"ada": "write", "grace": "write", "omar": "maintain"}
        self.repo = self.stage.world.repository("octo/app", members=people)
        self.issue = self.stage.world.opens_issue("ada", self.repo, "Retry uploads")

    @property
    def acts(self) -> list[Callable[[], object]]:
        return [
            lambda: self.stage.world.labels("ada", self.issue, "signalbox"),
            lambda: self.says("ada", self.issue, "/plan\nRetry three times."),
            lambda: self.says("grace", self.issue, "/approve r1"),
            self.opens_pull,
            lambda: self.stage.world.check_run("actions", self.pull, "build"),
            lambda: self.says("grace", self.pull, f"/approve testing {self.pull.head[:12]}"),
            lambda: self.says("omar", self.pull, f"/gate testing {self.pull.head[:12]}"),
            lambda: self.says("grace", self.pull, f"/approve submit {self.pull.head[:12]}"),
            lambda: self.says("omar", self.pull, f"/gate submit {self.pull.head[:12]}"),
        ]

    def says(self, who: str, thread: Thread, text: str) -> None:
        self.stage.world.clock.advance(3)
        self.stage.world.comments(who, thread, text)

    def opens_pull(self) -> None:
        world, branch = self.stage.world, f"signalbox/{self.issue.number}-retry"
        world.branches("ada", self.repo, branch)
        world.pushes("ada", self.repo, branch)
        self.pull = world.opens_pull(
            "ada", self.repo, "Retry uploads", head=branch, body=f"Closes #{self.issue.number}"
        )

    def rest(self, seconds: float = 70) -> None:
        """Let checks settle, leases end, and everything that waits for time happen."""
        self.stage.settles()
        self.stage.later(seconds, stride=5)

    def outcome(self) -> dict[str, object]:
        """What people see when it is over: the same, whatever happened on the way."""
        record = self.stage.record("octo/app", self.issue.number)
        threads = (self.issue, self.pull)
        ours = [comment for thread in threads for comment in thread.comments if comment.app is not None]
        return {
            "phase": record.phase,
            "landings": [(landing.head, landing.by.login) for landing in self.stage.world.landed],
            "merged head": record.merge.head,
            "external": record.merge.external,
            "status comments": sum("signalbox:status:" in comment.body for comment in ours),
            "other comments": sorted(
                comment.body.splitlines()[-1] for comment in ours if "status:" not in comment.body
            ),
            "settled and hidden": [c.minimized for c in ours if c.body.startswith("**Settled**")],
            "labels": [sorted(label.name for label in thread.labels) for thread in threads],
            "reactions": [
                [
                    reaction.content for reaction in comment.reactions if reaction.content != "eyes"
                ]  # it only had to wait
                for thread in threads
                for comment in thread.comments
                if comment.app is None
            ],
            "branch left": self.pull.head_ref in self.repo.branches,
        }

    @property
    def asked(self) -> int:
        """How often GitHub was asked to merge."""
        return sum(request.operation in {"merge", "merge_async"} for request in self.stage.world.requests)

    def ends_well(self, expected: dict[str, object]) -> None:
        """However often it was killed: asked at most once, and what people see is the same. Killed between storing the request
        and sending it, nobody can know that it never left, so a person is asked."""
        assert self.asked <= 1, f"GitHub was asked to merge {self.asked} times"
        seen = self.outcome()
        said = seen["other comments"]
        assert isinstance(said, list)
        assert len(said) == len(set(said)), f"something was said twice: {said}"
        if self.asked:
            assert seen == expected, (
                f"people see {[(name, seen[name]) for name in seen if seen[name] != expected[name]]}"
            )
        else:
            state = self.stage.record("octo/app", self.issue.number).merge.state
            assert state == "ambiguous", f"nothing was asked, and the merge is {state}"
            assert "it is not known whether" in self.pull.comments[-1].body, "nobody is told that it is not known"
