"""A seeded scheduler over the real shell: replicas that interleave at every request, die, and meet every fault, while
people approve, reject, push and merge. One seed is one history; the same seed is the same history.
"""

import random
from collections.abc import Awaitable, Callable, Coroutine, Generator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bot.app.outside import Outside
from bot.bootstrap.work import Work, assemble
from bot.domain.projections.show import WebAddress
from bot.github.inbound.translate import translate
from bot.simulator.forge import SimulatedForge
from bot.simulator.merge_sender import SimulatedMergeSender
from bot.simulator.refusal import HttpError
from tests.kit.ruling import given
from tests.kit.stage import NoNudge, Stage
from tests.simulation.golden import Golden
from tests.simulation.oracle import Oracle

REPLICAS = 2
TICKS = 300
READS = ("pull", "check_runs", "permission", "comments", "branch_rules", "commit_pulls", "pulls")


class _Yield:
    """The point at which another lane may run."""

    def __await__(self) -> Generator[None, None, None]:
        yield


@dataclass
class Lane:
    """One part of one replica, suspended somewhere. `idle` = it found nothing to do when it last looked."""

    name: str
    step: Callable[[], Awaitable[bool]]
    running: Coroutine[Any, Any, bool] | None = None
    idle: bool = False

    def advance(self) -> None:
        if self.running is None:
            self.running = _step(self.step)
        try:
            self.running.send(None)
        except StopIteration as stop:
            self.running, self.idle = None, not stop.value

    def dies(self) -> None:
        """kill -9: what was under way is gone. (close() may not run any of its clean-up against the store.)"""
        self.running, self.idle = None, False


async def _step(step: Callable[[], Awaitable[bool]]) -> bool:
    return await step()


class ChaosStage(Stage):
    """Two replicas on one database. `abandoned` keeps dead coroutines from running their clean-up."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.oracle: Oracle | None = None
        self.running = ""
        self.replicas: list[list[Lane]] = []
        self.abandoned: list[object] = []
        super().__init__()

    def starts(self) -> None:
        super().starts()
        self.replicas = [self.replica() for _ in range(REPLICAS)]

    def replica(self) -> list[Lane]:
        self.generation += 1
        outside = self.outside()
        translator = partial(translate, app_id=self.world.app.id)
        web = WebAddress("https://signalbox.example")
        sender = SimulatedMergeSender(self.world, self.pause)
        work: Work = assemble(outside, sender, translator, given(lambda: self.policy), web)
        return [Lane(f"{outside.owner}.{name}", step) for name, step in work.steps.items()]

    def outside(self) -> Outside:
        forge, owner = SimulatedForge(self.world, self.pause), f"bot-{self.generation}"
        return Outside(self.store, forge, self.world.clock, self.log, NoNudge(), self.timing, owner)

    async def pause(self, where: str) -> None:
        if self.oracle is not None:
            try:
                self.oracle.passes(where, self.running)
            except (
                AssertionError
            ) as broken:  # the bot survives every bug of one step, so it is raised again after the tick
                self.oracle.broken.append(str(broken))
                raise
        await _Yield()

    def settles(self) -> None:
        """Fairly, until every lane is idle."""
        for _ in range(4000):
            moved = self.delivers() > 0
            for lane in self.lanes:
                self.advances(lane)
                moved = moved or lane.running is not None or not lane.idle
            if not moved:
                return
        raise AssertionError(f"the bot never comes to rest: {self.log.lines[-6:]}")

    def advances(self, lane: Lane) -> None:
        """`running` names the lane whose request it is when the oracle is asked."""
        self.running = lane.name
        lane.advance()

    @property
    def lanes(self) -> list[Lane]:
        return [lane for replica in self.replicas for lane in replica]

    def kills_one(self) -> None:
        index = self.rng.randrange(len(self.replicas))
        self.abandoned += [lane.running for lane in self.replicas[index] if lane.running is not None]
        self.replicas[index] = self.replica()


@dataclass
class Chaos:
    """`story` is what happened, in words, for whoever reads a failing seed."""

    seed: int
    story: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.stage = self.built()
        self.golden = Golden(self.stage)
        self.world = self.stage.world
        for login in ("lin", "sam"):
            self.world.sets_permission(login, self.golden.repo, "maintain" if login == "sam" else "write")
        for act in self.golden.acts[:4]:
            act()
            self.stage.settles()
        self.pull = self.golden.pull
        self.oracle = self.stage.oracle = Oracle(self.world, self.pull, self.stage.store)
        self.heads = [self.pull.head]
        self.trouble = self.rng.choice((0.02, 0.05, 0.2))

    def built(self) -> ChaosStage:
        return ChaosStage(self.rng)

    def plays(self) -> None:
        for _ in range(TICKS):
            self.tick()
            self.oracle.checks()
        self.heals()
        self.told("everything heals")
        self.stage.unacknowledged += [hook for hook in self.world.hooks.log if hook.status_code != 202]
        self.stage.settles()
        self.stage.later(240, stride=20)
        self.stage.later(2400, stride=120)
        self.oracle.checks()
        self.oracle.finally_checks(self.stage)
        # A lane sets aside what met a bug of ours and goes on: here nobody may overlook it.
        assert [line for line in self.stage.log.lines if line[0] == "error"] == []

    def heals(self) -> None:
        self.world.heals()

    def told(self, what: str) -> None:
        self.story.append(f"{self.world.clock.now():%H:%M:%S} {what}")

    def tick(self) -> None:
        draw = self.rng.random()
        if draw < 0.60:
            self.works(self.rng.randint(1, 40))
        elif draw < 0.75:
            self.stage.delivers()
            for lane in self.stage.lanes:
                lane.idle = False
        elif draw < 0.83:
            self.world.clock.advance(self.rng.choice((1, 2, 5, 10, 30, 90, 90, 600)))
            for lane in self.stage.lanes:
                lane.idle = False
        elif draw < 0.97:
            self.human()
        elif draw < 0.993:
            self.fault()
        else:
            self.told("a replica is killed")
            self.stage.kills_one()

    def works(self, steps: int) -> None:
        for _ in range(steps):
            busy = [lane for lane in self.stage.lanes if lane.running is not None or not lane.idle]
            if not busy:
                return
            self.stage.advances(self.rng.choice(busy))

    def human(self) -> None:
        """Mostly what the gate needs, so that merges happen; now and then everything else."""
        disturbs = [self.rejects, self.pushes, self.pushes_back, self.retargets, self.closes, self.drafts, self.by_hand]
        wanted = [self.approves, self.gates, self.approves, self.gates, self.checks_report, self.reviews, self.repairs]
        act = self.rng.choice(disturbs if self.rng.random() < self.trouble else wanted)
        try:
            act()
        except HttpError as no:
            self.told(f"GitHub refused {act.__name__}: {no.status}")

    def says(self, who: str, text: str) -> None:
        self.world.clock.advance(self.rng.choice((1, 3)))
        self.told(f"{who}: {text}")
        comment = self.world.comments(who, self.pull, text)
        self.oracle.heard(who, text, comment)

    def named(self, gate: str) -> str:
        head = self.pull.head if self.rng.random() < 0.9 else self.rng.choice(self.heads)
        return f" {gate} {head[:12]}" if self.rng.random() < 0.7 else ""

    def gate_now(self) -> str:
        record = self.stage.record("octo/app", self.golden.issue.number)
        return "submit" if record.phase == "submit" else "testing"

    def approves(self) -> None:
        self.says(self.rng.choice(("grace", "lin", "ada")), f"/approve{self.named(self.gate_now())}")

    def gates(self) -> None:
        self.says(self.rng.choice(("omar", "sam", "grace")), f"/gate{self.named(self.gate_now())}")

    def rejects(self) -> None:
        self.says(self.rng.choice(("grace", "lin")), "/reject not yet")

    def reviews(self) -> None:
        who = self.rng.choice(("grace", "lin"))
        state = self.rng.choice(("APPROVED", "COMMENTED", "CHANGES_REQUESTED"))
        self.told(f"{who} reviews: {state}")
        review = self.world.reviews(who, self.pull, state)  # type: ignore[arg-type]  # one of the states
        self.oracle.reviewed(who, state, review)

    def repairs(self) -> None:
        """Do what would get the work moving again."""
        if not self.pull.open:
            self.closes()
        elif self.pull.draft:
            self.drafts()
        elif self.stage.record("octo/app", self.golden.issue.number).phase == "building":
            self.says("ada", "/candidate") if self.rng.random() < 0.5 else self.pushes()

    def checks_report(self) -> None:
        newest = [run for run in self.world.latest_runs(self.golden.repo, self.pull.head) if run.name == "build"]
        if newest and newest[-1].conclusion == "success" and self.rng.random() > self.trouble:
            return
        conclusion = "failure" if self.rng.random() < self.trouble else "success"
        self.told(f"build: {conclusion}")
        self.world.check_run("actions", self.pull, "build", conclusion=conclusion)
        self.oracle.check_reported(conclusion)

    def pushes(self) -> None:
        self.told("ada pushes")
        self.heads.append(self.world.pushes("ada", self.pull))
        self.oracle.head_moved()

    def pushes_back(self) -> None:
        old = self.rng.choice(self.heads)
        if old != self.pull.head:
            self.told(f"ada pushes back to {old[:7]}")
            self.world.force_pushes("ada", self.pull, sha=old)
            self.oracle.head_moved()

    def retargets(self) -> None:
        base = "next" if self.pull.base_ref == "main" else "main"
        if base not in self.golden.repo.branches:
            self.world.branches("ada", self.golden.repo, base)
        self.told(f"ada retargets to {base}")
        self.world.retargets("ada", self.pull, base)
        self.oracle.head_moved()

    def closes(self) -> None:
        if self.pull.open:
            self.told("ada closes the pull request")
            self.world.closes("ada", self.pull)
        else:
            self.told("ada reopens the pull request")
            self.world.reopens("ada", self.pull)
        self.oracle.head_moved()

    def drafts(self) -> None:
        self.told("ada toggles draft")
        if self.pull.draft:
            self.world.marks_ready("ada", self.pull)
        else:
            self.world.converts_to_draft("ada", self.pull)

    def by_hand(self) -> None:
        if self.rng.random() < 0.1:
            self.told("omar merges by hand")
            self.world.merges_by_hand("omar", self.pull)

    def fault(self) -> None:
        name = self.rng.choice(("merge", "merge", "comment", "check", "label", "read", *READS))
        kind = self.rng.choice(("loses", "loses", "502 before", "502 after", "late", "unreachable", "limited"))
        self.told(f"fault: {kind} {name}")
        match kind:
            case "loses":
                self.world.loses_answer_to(name, landed=self.rng.random() < 0.7)
            case "502 before" | "502 after":
                self.world.answers(name, 502, before=kind.endswith("before"))
            case "late" if name == "merge":
                self.world.lands_late(name, self.rng.choice((20, 200, 1500)))
            case "limited":
                self.world.fails(name, 403, headers={"retry-after": "30"})
            case _:
                self.world.unreachable(name, times=self.rng.choice((1, 3)))
