"""What goes wrong between people, GitHub and the bot: webhooks, answers, processes, time."""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from bot.app.restart import take_over
from bot.bootstrap.work import assemble_sweep
from bot.github.inbound.translate import translate
from bot.simulator.app import SimulatedDirectory, SimulatedHookLog
from bot.simulator.world import World
from tests.kit.ruling import given
from tests.kit.stage import run
from tests.simulation.chaos import ChaosStage, Lane
from tests.simulation.mortal import Killed

#: Why GitHub answers 405 to a merge.
NOT_NOW = (
    "Base branch was modified. Review and try the merge again.",
    "Pull Request is not mergeable",
    "Merge already in progress",
    "At least 1 approving review is required by reviewers with write access.",
    'Required status check "build" is expected.',
    "Something nobody has ever read",
)
SWEEP_SECONDS = 300.0


class StormStage(ChaosStage):
    """Two replicas that sweep as well, and a database that may take a process with it at any commit."""

    def __init__(self, rng: random.Random) -> None:
        self.dying = 0.0
        self.dead = False
        super().__init__(rng)
        self.store.before_commit = self.store.after_commit = self.perhaps_dies

    def replica(self) -> list[Lane]:
        lanes = super().replica()
        directory, hooks = SimulatedDirectory(self.world, self.pause), SimulatedHookLog(self.world, self.pause)
        translator = partial(translate, app_id=self.world.app.id)
        sweep = assemble_sweep(self.outside(), directory, hooks, translator, given(lambda: self.policy), SWEEP_SECONDS)
        return [*lanes, Lane(f"bot-{self.generation}.sweep", sweep.step)]

    def perhaps_dies(self) -> None:
        """Dead, it does nothing any more: whatever its clean-up still tries fails, as after kill -9."""
        if self.dead or self.rng.random() < self.dying:
            self.dead = True
            raise Killed("at a commit")

    def advances(self, lane: Lane) -> None:
        try:
            super().advances(lane)
        except Killed:
            lane.running = None
            self.is_replaced(next(index for index, replica in enumerate(self.replicas) if lane in replica))

    def is_replaced(self, index: int) -> None:
        """The process whose part died is gone as a whole; another one starts on the same database."""
        self.abandoned += [lane.running for lane in self.replicas[index] if lane.running is not None]
        self.dead, dying, self.dying = False, self.dying, 0.0
        self.replicas[index] = self.replica()
        self.dying = dying

    def all_restart(self) -> None:
        """Nobody works: the next process takes over what was left behind."""
        self.abandoned += [lane.running for lane in self.lanes if lane.running is not None]
        self.dead, self.dying = False, 0.0
        run(self.store.run(take_over))
        self.replicas = [self.replica() for _ in self.replicas]

    def delivers(self) -> int:
        try:
            return super().delivers()
        except Killed:
            self.is_replaced(0)
            return 1


class Weather:
    """`told` writes the story. `cruel` storms drop webhooks for good: only the sweep finds what they told."""

    def __init__(self, stage: StormStage, told: Callable[[str], None]) -> None:
        self._stage, self._told, self._rng = stage, told, stage.rng
        self._world: World = stage.world
        self._logged = self._rng.random() < 0.5
        self._crashing = self._rng.choice((0.0, 0.0, 0.001, 0.005))

    def changes(self) -> None:
        act = self._rng.choice((self.answers, self.answers, self.answers, self.webhooks, self.webhooks, self.processes))
        act()

    def answers(self) -> None:
        rng, world = self._rng, self._world
        name = rng.choice(
            ("merge", "merge", "merge", "comment", "check", "label", "read", "pull", "check_runs", "permission")
        )
        kinds: dict[str, Callable[[], object]] = {
            "lost, done": partial(world.loses_answer_to, name),
            "lost, not done": partial(world.loses_answer_to, name, landed=False),
            "timed out": partial(world.loses_answer_to, name, how="timeout", landed=rng.random() < 0.5),
            "502 before": partial(world.answers, name, 502, before=True),
            "502 after": partial(world.answers, name, 502, before=False),
            "503": partial(world.answers, name, 503, before=True, times=3),
            "limited": partial(world.fails, name, 403, headers={"retry-after": "30"}),
            "unreachable": partial(world.unreachable, name, times=rng.choice((1, 3))),
        }
        if name == "merge":
            kinds |= {"late": partial(world.lands_late, name, rng.choice((20, 200, 1500)))}
            kinds |= {f"405 {text}": partial(world.fails, name, 405, message=text) for text in NOT_NOW}
        kind = rng.choice(list(kinds))
        self._told(f"GitHub: {kind} for {name}")
        kinds[kind]()

    def webhooks(self) -> None:
        hooks, rng = self._world.hooks, self._rng
        match rng.choice(("dropped", "late", "twice", "again", "turned", "turned", "orderly")):
            case "dropped":
                self._world.drops_webhooks(times=rng.choice((1, 2, 5)), logged=self._logged)
                self._told("webhooks are dropped")
            case "late":
                hooks.delay = rng.choice((5.0, 40.0, 400.0))
                self._told(f"webhooks come {hooks.delay:.0f} s late")
            case "twice":
                self._world.duplicates_webhooks(same_guid=rng.random() < 0.5)
                self._told("webhooks come twice")
            case "again" if hooks.log:
                old = rng.choice(hooks.log)
                self._stage.unacknowledged.append(replace(old, guid=f"replayed-{rng.random()}", status_code=None))
                self._told(f"an old {old.event} is replayed under a new number")
            case "turned":
                self._world.reorders_webhooks()
                self._told("webhooks come newest first")
            case _:
                hooks.stop_faults()
                self._told("webhooks come as they should")

    def processes(self) -> None:
        if self._rng.random() < 0.7:
            self._stage.dying = self._crashing if self._stage.dying == 0.0 else 0.0
            self._told(f"processes die at commits: {self._stage.dying}")
        else:
            self._told("everything is restarted")
            self._stage.all_restart()

    def clears(self) -> None:
        self._stage.dying = 0.0
        self._world.heals()
